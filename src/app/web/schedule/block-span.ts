import type { AgendaBlock } from '#/features/appointments/agenda/contract.ts';
import { dateAfter } from '#/features/appointments/agenda/rules.ts';
import type { DaySpan } from '#/web/day-spans.ts';
import { m } from '#/texts/messages.js';
import type { FieldTexts } from '#/web/failures.ts';
import { dateIn } from '#/web/times.ts';
import { clockValue, instantAt, startOf, timeValue, wholeDays } from './wall-time.ts';

/** The provider's local dates and times. */
export interface TypedBlock {
  wholeDays: boolean;
  first: string;
  last: string;
  from: string;
  to: string;
  note: string;
}

export function typedSpan({ day, from, to }: DaySpan): TypedBlock {
  return {
    wholeDays: false,
    first: day,
    last: day,
    from: clockValue(from),
    to: clockValue(to),
    note: '',
  };
}

export function typedFrom(block: AgendaBlock, timeZone: string): TypedBlock {
  const whole = wholeDays(block, timeZone);
  const { startsAt, endsAt, note } = block;
  return {
    wholeDays: whole !== null,
    first: dateIn(startsAt, timeZone),
    last: whole?.last ?? dateIn(endsAt, timeZone),
    from: whole ? '12:00' : timeValue(startsAt, timeZone),
    to: whole ? '13:00' : timeValue(endsAt, timeZone),
    note,
  };
}

/** Returns the range or validation errors; an end at midnight means the end of that day. */
export function spanOf(
  typed: TypedBlock,
  timeZone: string,
): { startsAt: string; endsAt: string } | { problems: FieldTexts } {
  const { first, last, from, to } = typed;
  if (typed.wholeDays) {
    if (!first || !last) {
      const missing = m.web_date_missing();
      return { problems: { ...(first ? {} : { first: missing }), ...(last ? {} : { last: missing }) } };
    }
    if (last < first) return { problems: { last: m.schedule_block_bad_order() } };
    return { startsAt: startOf(first, timeZone), endsAt: startOf(dateAfter(last, 1), timeZone) };
  }
  if (!first) return { problems: { first: m.web_date_missing() } };
  if (!from || !to) {
    const missing = m.web_time_missing();
    return { problems: { ...(from ? {} : { from: missing }), ...(to ? {} : { to: missing }) } };
  }
  // Stored blocks may span several days; new ones end the same day.
  const until = last > first ? last : first;
  const startsAt = instantAt(first, from, timeZone);
  const endsAt =
    to === '00:00' && until === first
      ? startOf(dateAfter(first, 1), timeZone)
      : instantAt(until, to, timeZone);
  if (!startsAt) return { problems: { from: m.schedule_time_skipped() } };
  if (!endsAt) return { problems: { to: m.schedule_time_skipped() } };
  if (Date.parse(endsAt) <= Date.parse(startsAt)) return { problems: { to: m.schedule_block_bad_order() } };
  return { startsAt, endsAt };
}
