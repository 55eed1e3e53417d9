import { contentLine } from '#/features/calendar/line/rules.ts';

/** From when on a zone keeps an offset, and which one it kept before. Epoch milliseconds; offsets in milliseconds east of UTC. */
interface Observance {
  since: number;
  from: number;
  to: number;
}

/** A fall that follows within this makes a rise of the offset summer time, not a change for good. */
const aYear = 366 * 86_400_000;

/** An instant by the wall clock of a zone; throws a RangeError where the runtime doesn't know it. */
export function inZone(epochMilliseconds: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(zone);
}

/** Whether times in this zone are written as UTC, without a VTIMEZONE. */
export function isUtc(zone: string): boolean {
  return /^(Etc\/)?UTC$/i.test(zone);
}

/** An instant in the basic form of RFC 5545 with Z, such as `20260308T170000Z`. */
export function utcStamp(epochMilliseconds: number): string {
  return `${wallStamp(epochMilliseconds, 0)}Z`;
}

/**
 * The line that tells an instant by its wall clock and zone. In the zone UTC, and where clocks go back and the same
 * wall-clock time comes twice, it is told in UTC: a TZID means the first (RFC 5545, 3.3.5), but not every reader knows.
 */
export function zonedLine(name: string, at: Temporal.ZonedDateTime): string {
  const wall = at.toPlainDateTime();
  const earlier = wall.toZonedDateTime(at.timeZoneId, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(at.timeZoneId, { disambiguation: 'later' });
  if (isUtc(at.timeZoneId) || !earlier.equals(later))
    return contentLine(name, utcStamp(at.epochMilliseconds));
  return contentLine(`${name};TZID=${at.timeZoneId}`, wallStamp(at.epochMilliseconds, offsetOf(at)));
}

/**
 * The VTIMEZONE of a zone from the runtime's own data, for times from `first` to `last`: one explicit observance for each
 * offset in between, and its neighbours on both sides.
 */
export function timeZoneComponent(first: Temporal.ZonedDateTime, last: Temporal.ZonedDateTime): string {
  const lines = [contentLine('BEGIN', 'VTIMEZONE'), contentLine('TZID', first.timeZoneId)];
  for (const observance of observances(first, last)) {
    const kind = isDaylight(observance, first.timeZoneId) ? 'DAYLIGHT' : 'STANDARD';
    lines.push(
      contentLine('BEGIN', kind),
      // The onset is told by the clock that ruled until then (RFC 5545, 3.6.5).
      contentLine('DTSTART', wallStamp(observance.since, observance.from)),
      contentLine('TZOFFSETFROM', offsetStamp(observance.from)),
      contentLine('TZOFFSETTO', offsetStamp(observance.to)),
      contentLine('END', kind),
    );
  }
  lines.push(contentLine('END', 'VTIMEZONE'));
  return lines.join('');
}

function observances(first: Temporal.ZonedDateTime, last: Temporal.ZonedDateTime): Observance[] {
  const ruling = first.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const start = ruling?.getTimeZoneTransition('previous') ?? ruling;
  const found: Observance[] = [];
  // Without a change before it, the offset rules from 1970 on, where calendars' time begins.
  if (!ruling) found.push({ since: -offsetOf(first), from: offsetOf(first), to: offsetOf(first) });
  let after = 0;
  for (
    let at = start ?? first.getTimeZoneTransition('next');
    at && after < 2;
    at = at.getTimeZoneTransition('next')
  ) {
    found.push({
      since: at.epochMilliseconds,
      from: offsetOf(at.subtract({ nanoseconds: 1 })),
      to: offsetOf(at),
    });
    if (at.epochMilliseconds > last.epochMilliseconds) after += 1;
  }
  return found;
}

function isDaylight(observance: Observance, zone: string): boolean {
  if (observance.to <= observance.from) return false;
  const next = inZone(observance.since, zone).getTimeZoneTransition('next');
  return (
    next !== null && next.epochMilliseconds - observance.since <= aYear && offsetOf(next) < observance.to
  );
}

function offsetOf(at: Temporal.ZonedDateTime): number {
  return at.offsetNanoseconds / 1e6;
}

/** A UTC offset such as `-0500`, or `+001936` where a zone's old local mean time had seconds. */
function offsetStamp(milliseconds: number): string {
  const seconds = Math.abs(milliseconds) / 1000;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (seconds % 60 !== 0) parts.push(seconds % 60);
  return (milliseconds < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join('');
}

function wallStamp(epochMilliseconds: number, offset: number): string {
  const wall = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds + offset);
  return wall.toString({ smallestUnit: 'second' }).replace(/[-:Z]/g, '');
}
