import { overlaps, type Interval } from '#/kernel/interval.ts';
import { restTimes } from '#/features/availability/rest/rules.ts';
import { receivesIn, type Schedule } from '#/features/availability/rules.ts';
import type { ClashReason } from './contract.ts';

/** Instants are epoch milliseconds. */
export interface StandingSession extends Interval {
  inPerson: boolean;
  placeId: string | null;
}

/** Returns the conflict or null, ignoring booking terms, which no longer apply. */
export function clashOf(
  session: StandingSession,
  schedule: Schedule,
  blocks: readonly Interval[],
): ClashReason | null {
  const rests = restTimes(schedule.rest, schedule.timeZone, session);
  if (rests.some((rest) => overlaps(rest, session))) return 'rest';
  if (blocks.some((block) => overlaps(block, session))) return 'blocked';
  if (receivesIn(session, schedule, session)) return null;
  if (receivesIn(session, schedule, { inPerson: false, placeId: null })) return 'elsewhere';
  const date = Temporal.Instant.fromEpochMilliseconds(session.start)
    .toZonedDateTimeISO(schedule.timeZone)
    .toPlainDate()
    .toString();
  const exception = schedule.exceptions.find((other) => other.date === date);
  return exception?.windows.length === 0 ? 'date_off' : 'outside_hours';
}
