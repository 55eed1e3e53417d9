import type { Interval } from './interval.ts';

/** A minute in milliseconds. */
export const minute = 60_000;

/** A day of 24 hours in milliseconds: the distance of two midnights only on a clock that isn't changed between them. */
export const day = 24 * 60 * minute;

/** A stretch of time in which the clock of a zone isn't changed. */
export interface ClockSpell extends Interval {
  /** Wall clock minus UTC, in milliseconds. */
  offset: number;
  /** From here on the clock shows times that it hasn't shown before; later than the start where it was set back. */
  newFrom: number;
}

const spellsKept = 8;
/** Twice the zones that there are: the same one can be written with small and large letters in very many ways. */
const zonesKept = 1_000;
const spells = new Map<string, ClockSpell[]>();

/**
 * The stretch between two clock changes that an instant (epoch milliseconds) lies in; throws a RangeError where the
 * runtime doesn't know the zone. A process has one time zone database, so the last few answers per zone are kept.
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

/** Whether the runtime knows a zone by this IANA name; offsets such as `+05:30` and ISO strings are no names. */
export function isKnownZone(name: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(name)) return false;
  try {
    clockSpell(name, 0);
    return true;
  } catch {
    return false;
  }
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
