import { zoneNamePattern } from './date-text.ts';
import { invalidField } from './errors.ts';
import type { Interval } from './interval.ts';

export const minute = 60_000;

/** 24 hours in milliseconds; days with a DST change are shorter or longer. */
export const day = 24 * 60 * minute;

/** A period with constant UTC offset. */
export interface ClockSpell extends Interval {
  /** Wall clock minus UTC, in milliseconds. */
  offset: number;
  /** Start of wall-clock times not shown before; after `start` if clocks were set back. */
  newFrom: number;
}

const spellsKept = 8;
/** Twice the number of zones; a limit is needed because zone names ignore case. */
const zonesKept = 1_000;
const spells = new Map<string, ClockSpell[]>();

/**
 * Returns the constant-offset period around an instant (epoch milliseconds); throws `RangeError` for unknown zones.
 * Caches recent periods per zone, since the time zone database never changes within a process.
 */
export function clockSpell(timeZone: string, instant: number): ClockSpell {
  let known = spells.get(timeZone);
  for (const spell of known ?? []) if (spell.start <= instant && instant < spell.end) return spell;
  const found = findSpell(timeZone, instant);
  if (!known) {
    if (spells.size >= zonesKept) spells.clear();
    spells.set(timeZone, (known = []));
  }
  known.unshift(found);
  known.length = Math.min(known.length, spellsKept);
  return found;
}

/** Checks that the runtime knows an IANA name; rejects offsets such as `+05:30` and ISO strings. */
export function isKnownZone(name: string): boolean {
  if (!zoneNamePattern.test(name)) return false;
  try {
    clockSpell(name, 0);
    return true;
  } catch {
    return false;
  }
}

/** Throws `invalid` (`unknown_zone`) unless the runtime knows the time zone or none is given. */
export function requireKnownZone(timeZone: string | undefined, field = 'timeZone'): void {
  if (timeZone !== undefined && !isKnownZone(timeZone)) throw invalidField(field, 'unknown_zone');
}

function findSpell(timeZone: string, instant: number): ClockSpell {
  const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
  const began = shown.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const next = shown.getTimeZoneTransition('next');
  const offset = offsetOf(shown);
  const setBack = began ? offsetOf(began.subtract({ nanoseconds: 1 })) - offset : 0;
  const start = began?.epochMilliseconds ?? -Infinity;
  return { start, end: next?.epochMilliseconds ?? Infinity, offset, newFrom: start + Math.max(0, setBack) };
}

function offsetOf(shown: Temporal.ZonedDateTime): number {
  return shown.offsetNanoseconds / 1e6;
}
