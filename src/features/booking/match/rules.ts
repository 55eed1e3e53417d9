import type { FaithPart, SessionType, Specialist } from '#/features/providers/contract.ts';
import type { MeetingTime } from '../finding/contract.ts';

/** For whom help is looked for. */
export type Whom = 'me' | 'couple' | 'family' | 'teen';

/** What weighs most, in the words that a person chooses among. */
export type Weight = 'low' | 'hurt' | 'together' | 'grief' | 'faith' | 'other' | 'life';

type Kind = Specialist['kind'];

/** What a person has answered; what they skipped, or what doesn't matter to them, isn't there. */
export interface Answers {
  whom?: Whom | undefined;
  weight?: Weight | undefined;
  kind?: Kind | 'unsure' | undefined;
  faithPart?: FaithPart | undefined;
  sessionType?: SessionType | undefined;
  time?: MeetingTime | undefined;
}

/** What the list of specialists is narrowed down by. */
export interface MatchFilters {
  serviceId?: string | undefined;
  kind?: Kind | undefined;
  faithPart?: FaithPart | undefined;
  sessionType?: SessionType | undefined;
  time?: MeetingTime | undefined;
}

/** Why somebody may fit, from the weightiest reason on. */
export type Reason = 'service' | 'kind' | 'kind_wiser' | 'faith' | 'session_type' | 'time' | 'listed';

/** Somebody who may fit, with at least one reason. */
export interface Suggestion {
  specialist: Specialist;
  reasons: Reason[];
}

const mostSuggested = 3;

/** The services of the factory's catalogue that answers point to. */
const ofWeight: Partial<Record<Weight, string>> = {
  low: 'individuals',
  hurt: 'individuals',
  grief: 'grief',
  faith: 'spiritual',
  life: 'individuals',
};
const ofWhom: Partial<Record<Whom, string>> = { couple: 'couples', family: 'families', teen: 'teens' };

/**
 * The service that answers point to, among those that are offered; null where none does. For a couple, a family or a
 * teenager there is one of their own, but grief has its own for everybody.
 */
function serviceOf({ whom, weight }: Answers, offered: readonly string[]): string | null {
  const together = weight === 'together' ? 'couples' : undefined;
  const wanted =
    weight === 'grief' && whom !== 'teen'
      ? 'grief'
      : ((whom && ofWhom[whom]) ?? together ?? (weight && ofWeight[weight]));
  return wanted !== undefined && offered.includes(wanted) ? wanted : null;
}

/** Who may be the wiser beginning for what weighs on somebody; null where either may. */
export function wiserKind({ weight }: Answers): Kind | null {
  if (weight === 'low' || weight === 'hurt' || weight === 'life') return 'doctor';
  return weight === 'faith' ? 'pastor' : null;
}

/** The filters that answers set: what was wished for, never what would merely be wise. */
export function filtersOf(answers: Answers, offered: readonly string[]): MatchFilters {
  const { kind, faithPart, sessionType, time } = answers;
  return {
    serviceId: serviceOf(answers, offered) ?? undefined,
    kind: kind === 'unsure' ? undefined : kind,
    // Who lets the person choose fits everybody, and a filter would leave them out.
    faithPart: faithPart === 'as_you_wish' ? undefined : faithPart,
    sessionType,
    time,
  };
}

/**
 * Up to three who may fit, each with why, best first; among equals they stay in their order. `inTime` are the ids of
 * those who have time when it was wished for. Who doesn't offer the service or the way to meet, or isn't of the kind
 * that was chosen, isn't suggested.
 */
export function suggest(
  answers: Answers,
  offered: readonly string[],
  specialists: readonly Specialist[],
  inTime: ReadonlySet<string>,
): Suggestion[] {
  const filters = filtersOf(answers, offered);
  const wiser = wiserKind(answers);
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
    .slice(0, mostSuggested)
    .map(({ specialist, reasons }) => ({ specialist, reasons }));
}
