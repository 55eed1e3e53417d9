import type { FaithPart, SessionType, Specialist } from '#/features/providers/contract.ts';
import type { MeetingTime } from '../contract.ts';

export type CareFor = 'me' | 'couple' | 'family' | 'teen';

export type Weight = 'low' | 'hurt' | 'together' | 'grief' | 'faith' | 'other' | 'life';

type Kind = Specialist['kind'];

/** Skipped and "no preference" answers are absent. */
export interface Answers {
  whom?: CareFor | undefined;
  weight?: Weight | undefined;
  kind?: Kind | 'unsure' | undefined;
  faithPart?: FaithPart | undefined;
  sessionType?: SessionType | undefined;
  time?: MeetingTime | undefined;
}

export interface MatchFilters {
  serviceId?: string | undefined;
  kind?: Kind | undefined;
  faithPart?: FaithPart | undefined;
  sessionType?: SessionType | undefined;
  time?: MeetingTime | undefined;
}

export type Reason = 'service' | 'kind' | 'kind_wiser' | 'faith' | 'session_type' | 'time' | 'listed';

export interface Suggestion {
  specialist: Specialist;
  reasons: Reason[];
}

const maxSuggested = 3;

const ofWeight: Partial<Record<Weight, string>> = {
  low: 'individuals',
  hurt: 'individuals',
  grief: 'grief',
  faith: 'spiritual',
  life: 'individuals',
};
const ofWhom: Partial<Record<CareFor, string>> = { couple: 'couples', family: 'families', teen: 'teens' };

/**
 * Picks an offered service for these answers, or null. Couples, families and teens have their own; grief overrides all
 * but teens.
 */
function serviceOf({ whom, weight }: Answers, offered: readonly string[]): string | null {
  const together = weight === 'together' ? 'couples' : undefined;
  const wanted =
    weight === 'grief' && whom !== 'teen'
      ? 'grief'
      : ((whom && ofWhom[whom]) ?? together ?? (weight && ofWeight[weight]));
  return wanted !== undefined && offered.includes(wanted) ? wanted : null;
}

/** Returns the better first contact for this concern, or null if either fits. */
export function recommendedKind({ weight }: Answers): Kind | null {
  if (weight === 'low' || weight === 'hurt' || weight === 'life') return 'doctor';
  return weight === 'faith' ? 'pastor' : null;
}

/** Only explicit answers, never our recommendations. */
export function filtersOf(answers: Answers, offered: readonly string[]): MatchFilters {
  const { kind, faithPart, sessionType, time } = answers;
  return {
    serviceId: serviceOf(answers, offered) ?? undefined,
    kind: kind === 'unsure' ? undefined : kind,
    // "As you wish" specialists suit everyone, but a filter would exclude them.
    faithPart: faithPart === 'as_you_wish' ? undefined : faithPart,
    sessionType,
    time,
  };
}

/**
 * Suggests up to three specialists with reasons, best first; ties keep input order. Requires a matching service,
 * session type and chosen kind. `inTime` holds ids available at the preferred time.
 */
export function suggest(
  answers: Answers,
  offered: readonly string[],
  specialists: readonly Specialist[],
  inTime: ReadonlySet<string>,
): Suggestion[] {
  const filters = filtersOf(answers, offered);
  const wiser = recommendedKind(answers);
  const { faithPart } = answers;
  const suggestions = specialists.flatMap((specialist): (Suggestion & { weight: number })[] => {
    const { kind, serviceIds, sessionTypes } = specialist;
    if (filters.serviceId !== undefined && !serviceIds.includes(filters.serviceId)) return [];
    if (filters.sessionType !== undefined && !sessionTypes.includes(filters.sessionType)) return [];
    if (filters.kind !== undefined && kind !== filters.kind) return [];
    const faithFits =
      faithPart !== undefined &&
      (specialist.faithPart === faithPart || specialist.faithPart === 'as_you_wish');
    const reasons: [Reason, number][] = [];
    if (filters.serviceId !== undefined) reasons.push(['service', 0]);
    if (filters.kind !== undefined) reasons.push(['kind', 0]);
    else if (wiser === kind) reasons.push(['kind_wiser', 4]);
    if (faithFits) reasons.push(['faith', specialist.faithPart === faithPart ? 3 : 2]);
    if (filters.sessionType !== undefined) reasons.push(['session_type', 0]);
    if (filters.time !== undefined && inTime.has(specialist.id)) reasons.push(['time', 2]);
    if (reasons.length === 0) reasons.push(['listed', 0]);
    const weight = reasons.reduce((sum, [, points]) => sum + points, 0);
    return [{ specialist, reasons: reasons.map(([reason]) => reason), weight }];
  });
  return suggestions
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, maxSuggested)
    .map(({ specialist, reasons }) => ({ specialist, reasons }));
}
