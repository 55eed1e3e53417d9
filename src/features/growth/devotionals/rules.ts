/** Days of each month in the longest year there is. */
const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The 366 days of the year of Scripture, MM-DD, in their order. */
export const yearDays: readonly string[] = lengths.flatMap((length, month) =>
  Array.from({ length }, (_, day) => `${two(month + 1)}-${two(day + 1)}`),
);

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** The day of the year of Scripture that it is in a zone at an instant, MM-DD. */
export function dayIn(timeZone: string, now: Temporal.Instant): string {
  return now.toZonedDateTimeISO(timeZone).toPlainDate().toString().slice(-5);
}

/**
 * In which zone a visitor's page of today has to be asked for again: in their own where it is another day than the one
 * shown; null where that one is right, or where their own zone was asked for and the clocks don't agree.
 */
export function zoneToAsk({
  shown,
  here,
  asked,
  own,
}: {
  shown: string;
  /** The day by the visitor's own clock. */
  here: string;
  asked: string | null;
  own: string;
}): string | null {
  return here === shown || asked === own ? null : own;
}

/** The days before and after a day; the year is a circle, and the leap day stands in it every year. */
export function daysAround(day: string): { previous: string; next: string } {
  const at = yearDays.indexOf(day);
  const { length } = yearDays;
  return { previous: yearDays[(at + length - 1) % length]!, next: yearDays[(at + 1) % length]! };
}

/** A day as people write it, such as `March 1`. */
export function dayText(day: string): string {
  return dayFormat.format(Date.UTC(2024, Number(day.slice(0, 2)) - 1, Number(day.slice(3))));
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** A passage as it is quoted: what begins or ends within a sentence says so. */
export function asQuoted(text: string): string {
  const begun = /^\p{Ll}/u.test(text) ? `… ${text}` : text;
  return /[.!?][”’\s]*$/.test(begun) ? begun : `${begun.replace(/[,;:]$/, '')} …`;
}
