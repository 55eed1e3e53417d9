import { lengthsOf } from '#/features/availability/terms/rules.ts';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import type { SessionType, Specialist } from '#/features/providers/contract.ts';

/** Fallback length in minutes while loading. */
const usualLength = 60;

interface Choice {
  /** The first that the specialist offers applies. */
  serviceIds: readonly (string | null | undefined)[];
  sessionType: SessionType | null;
  durationMinutes: number | null;
}

/** Selects from a specialist's services, lengths and session types; what leaves no choice is selected already. */
export function offerOf(
  services: readonly ServiceSummary[] | undefined,
  specialist: Specialist | undefined,
  site: { flags: readonly string[]; defaultSessionDuration: number } | undefined,
  choice: Choice,
) {
  const offered = services?.filter(({ id }) => specialist?.serviceIds.includes(id)) ?? [];
  const wanted = choice.serviceIds.map((id) => offered.find((one) => one.id === id)).find(Boolean);
  const service = (offered.length === 1 ? offered[0] : wanted) ?? null;
  const durations = lengthsOf(service?.durationMinutes ?? usualLength, specialist?.sessionLengths ?? null);
  const durationMinutes =
    [choice.durationMinutes, service?.durationMinutes, site?.defaultSessionDuration]
      .map((preferred) => durations.find((minutes) => minutes === preferred))
      .find(Boolean) ??
    durations[0] ??
    usualLength;
  // Off when the site disables Video Sessions.
  const offersVideo = site?.flags.includes('video_sessions') ?? true;
  const types = (specialist?.sessionTypes ?? []).filter((one) => one !== 'online' || offersVideo);
  const type = types.length === 1 ? types[0]! : (types.find((one) => one === choice.sessionType) ?? null);
  return {
    offered,
    service,
    durations,
    durationMinutes,
    /** Offered session types, in spec order. */
    types,
    /** The selected type, or the only one offered. */
    type,
  };
}
