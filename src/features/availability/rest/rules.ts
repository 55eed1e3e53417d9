import { getTimes } from 'suncalc';
import type { Interval } from '#/kernel/interval.ts';
import type { Rest } from './contract.ts';

/** Used when the sun doesn't set. */
const eveningWithoutSunset = '18:00';
const sunday = 7;
const friday = 5;

/**
 * Returns rest periods in a span (epoch milliseconds), ascending. Sunday runs midnight to midnight; a Sabbath runs
 * Friday to Saturday sunset at its location, or 18:00 to 18:00 without a sunset.
 */
export function restTimes({ kind, place }: Rest, timeZone: string, span: Interval): Interval[] {
  if (kind === 'none' || span.start >= span.end) return [];
  if (kind === 'sabbath' && !place) return [];
  const zone = kind === 'sabbath' ? (place!.timeZone ?? timeZone) : timeZone;
  const rests: Interval[] = [];
  // Catches a rest that started before the span.
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

/** Sunset after midnight still belongs to that date. */
function eveningOf(date: Temporal.PlainDate, timeZone: string, spot: Spot): number {
  const noon = date.toZonedDateTime({ timeZone, plainTime: '12:00' }).epochMilliseconds;
  return (
    sunsetAfterNoon(noon, spot) ??
    date.toZonedDateTime({ timeZone, plainTime: eveningWithoutSunset }).epochMilliseconds
  );
}

/** Degrees, positive north and east. */
export interface Spot {
  latitude: number;
  longitude: number;
}

/**
 * Returns the sunset after the solar noon nearest to `noon` (epoch milliseconds): upper edge at a sea-level horizon,
 * with refraction. Null without a sunrise or sunset that day.
 */
export function sunsetAfterNoon(noon: number, { latitude, longitude }: Spot): number | null {
  const { sunset } = getTimes(new Date(noon), latitude, longitude);
  return sunset === null ? null : sunset.getTime();
}
