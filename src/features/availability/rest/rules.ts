import type { Interval } from '#/kernel/interval.ts';
import type { RestKind } from '../contract.ts';
import { sunsetAfterNoon, type Spot } from '../sun/rules.ts';

/** Where the sun is watched; without a zone of its own it has the provider's. */
export interface RestPlace extends Spot {
  name: string;
  timeZone: string | null;
}

/** What a provider keeps free of sessions every week. A Sabbath needs its place. */
export interface Rest {
  kind: RestKind;
  place: RestPlace | null;
}

/** The sun that doesn't set leaves the evening to the clock. */
const eveningWithoutSunset = '18:00';
const sunday = 7;
const friday = 5;

/**
 * The rests that meet a span, ascending, in epoch milliseconds: a Sunday from midnight to midnight on the provider's
 * clocks, a Sabbath from Friday's sunset to Saturday's where the provider keeps it, or from 18:00 to 18:00 there.
 */
export function restTimes({ kind, place }: Rest, timeZone: string, span: Interval): Interval[] {
  if (kind === 'none' || span.start >= span.end) return [];
  if (kind === 'sabbath' && !place) return [];
  const zone = kind === 'sabbath' ? (place!.timeZone ?? timeZone) : timeZone;
  const rests: Interval[] = [];
  // A day earlier and later, so that a rest that began before the span is met.
  const last = dateAt(span.end, zone).add({ days: 1 });
  let date = dateAt(span.start, zone).subtract({ days: 2 });
  date = date.add({ days: ((kind === 'sabbath' ? friday : sunday) - date.dayOfWeek + 7) % 7 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 7 })) {
    const next = date.add({ days: 1 });
    const rest =
      kind === 'sabbath'
        ? { start: eveningOf(date, zone, place!), end: eveningOf(next, zone, place!) }
        : { start: midnightOf(date, zone), end: midnightOf(next, zone) };
    if (rest.start < span.end && span.start < rest.end) rests.push(rest);
  }
  return rests;
}

function dateAt(instant: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate();
}

function midnightOf(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}

/** When the sun sets on a local date; where that is after midnight, it is still that date's evening. */
function eveningOf(date: Temporal.PlainDate, timeZone: string, spot: Spot): number {
  const noon = date.toZonedDateTime({ timeZone, plainTime: '12:00' }).epochMilliseconds;
  return (
    sunsetAfterNoon(noon, spot) ??
    date.toZonedDateTime({ timeZone, plainTime: eveningWithoutSunset }).epochMilliseconds
  );
}
