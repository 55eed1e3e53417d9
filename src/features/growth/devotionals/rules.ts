import { formatDate } from '#/kernel/date-text.ts';
/** Month lengths in a leap year. */
const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** All 366 days as MM-DD, in order. */
export const yearDays: readonly string[] = lengths.flatMap((length, month) =>
  Array.from({ length }, (_, day) => `${twoDigits(month + 1)}-${twoDigits(day + 1)}`),
);

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** Today in a time zone, as MM-DD. */
export function dayIn(timeZone: string, now: Temporal.Instant): string {
  return now.toZonedDateTimeISO(timeZone).toPlainDate().toString().slice(-5);
}

/** Returns the visitor's time zone if their date differs. Null if already requested, since the clocks disagree then. */
export function zoneToAsk({
  shown,
  here,
  asked,
  own,
}: {
  shown: string;
  here: string;
  asked: string | null;
  own: string;
}): string | null {
  return here === shown || asked === own ? null : own;
}

/** Returns both neighbors. Wraps around at year end and always includes February 29. */
export function daysAround(day: string): { previous: string; next: string } {
  const at = yearDays.indexOf(day);
  const { length } = yearDays;
  return { previous: yearDays[(at + length - 1) % length]!, next: yearDays[(at + 1) % length]! };
}

/** Example: `March 1`. */
export function dayText(day: string): string {
  return formatDate(`2024-${day}`, { month: 'long', day: 'numeric' });
}

/** Adds ellipses where a passage breaks off. */
export function asQuoted(text: string): string {
  const begun = /^\p{Ll}/u.test(text) ? `… ${text}` : text;
  return /[.!?][”’\s]*$/.test(begun) ? begun : `${begun.replace(/[,;:]$/, '')} …`;
}
