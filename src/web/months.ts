const long = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

/** Formats `YYYY-MM` as `March 2026`. */
export function monthAndYear(month: string): string {
  return long.format(Date.parse(`${month}-01T00:00Z`));
}

/** Formats `YYYY-MM` as three letters. */
export function monthLetters(month: string): string {
  return short.format(Date.parse(`${month}-01T00:00Z`));
}
