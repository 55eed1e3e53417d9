const dayMilliseconds = 24 * 3_600_000;

/** A holiday's name without what marks the day on which it is made up for. */
export function holidayName(name: string): string {
  return name.replace(/ \(substitute day\)$/i, '');
}

/** The dates of a holiday that begins on one (`YYYY-MM-DD` and more) and lasts so many milliseconds. */
export function coveredDates(begin: string, length: number): string[] {
  const first = Temporal.PlainDate.from(begin.slice(0, 10));
  const days = Math.max(1, Math.round(length / dayMilliseconds));
  return Array.from({ length: days }, (_, index) => first.add({ days: index }).toString());
}
