import type { Role } from '#/kernel/actor.ts';
import type { PrayerAudience, PrayerState } from './contract.ts';

export interface AskedPrayer {
  audience: PrayerAudience;
  providerId: string | null;
  state: PrayerState;
}

/** Whether a provider is asked, by name or as a pastor; never for closed requests. */
export function isAsked(
  { audience, providerId, state }: AskedPrayer,
  by: { id: string; role: Role },
): boolean {
  if (state === 'closed') return false;
  return audience === 'pastors' ? by.role === 'pastor' : providerId === by.id;
}

/** Returns the full name for one counselor, first name for pastors, null if hidden. */
export function shownName(
  fullName: string,
  { audience, showName }: { audience: PrayerAudience; showName: boolean },
): string | null {
  if (!showName) return null;
  return audience === 'counsellor' ? fullName : (fullName.trim().split(/\s+/)[0] ?? fullName);
}

/** Requests of deleted counselors can only be closed. */
export function maySettle(request: AskedPrayer, state: PrayerState): boolean {
  return state === 'closed' || request.audience === 'pastors' || request.providerId !== null;
}
