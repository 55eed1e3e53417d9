import { contentLine } from '#/features/calendar/line/rules.ts';

/** Epoch milliseconds; offsets in milliseconds east of UTC. */
interface Observance {
  since: number;
  from: number;
  to: number;
}

/** An increase is DST if reversed within this. */
const aYear = 366 * 86_400_000;

/** Converts an instant to local time; throws a RangeError for unknown time zones. */
export function inZone(epochMilliseconds: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(zone);
}

/** UTC times need no VTIMEZONE. */
export function isUtc(zone: string): boolean {
  return /^(Etc\/)?UTC$/i.test(zone);
}

/** Such as `20260308T170000Z` (RFC 5545). */
export function utcStamp(epochMilliseconds: number): string {
  return `${wallStamp(epochMilliseconds, 0)}Z`;
}

/**
 * Writes local time with TZID, or UTC if a DST change makes it ambiguous: RFC 5545 (3.3.5) picks the first occurrence,
 * but some readers don't.
 */
export function zonedLine(name: string, at: Temporal.ZonedDateTime): string {
  const wall = at.toPlainDateTime();
  const earlier = wall.toZonedDateTime(at.timeZoneId, { disambiguation: 'earlier' });
  const later = wall.toZonedDateTime(at.timeZoneId, { disambiguation: 'later' });
  if (isUtc(at.timeZoneId) || !earlier.equals(later))
    return contentLine(name, utcStamp(at.epochMilliseconds));
  return contentLine(`${name};TZID=${at.timeZoneId}`, wallStamp(at.epochMilliseconds, offsetOf(at)));
}

/** Writes a VTIMEZONE with one explicit observance per offset from `first` to `last`, plus a neighbor on each side. */
export function timeZoneComponent(first: Temporal.ZonedDateTime, last: Temporal.ZonedDateTime): string {
  const lines = [contentLine('BEGIN', 'VTIMEZONE'), contentLine('TZID', first.timeZoneId)];
  for (const observance of observances(first, last)) {
    const kind = isDaylight(observance, first.timeZoneId) ? 'DAYLIGHT' : 'STANDARD';
    lines.push(
      contentLine('BEGIN', kind),
      // DTSTART uses the previous offset (RFC 5545, 3.6.5).
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
  // Without an earlier transition, apply the offset from 1970.
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

/** Example: `-0500`, or `+001936` for historical offsets with seconds. */
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
