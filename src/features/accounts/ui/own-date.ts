/** Formats a date identically on server and browser, such as `March 16, 2026`. */
export function ownDate(instant: string, timeZone: string | null): string {
  const format = (zone: string) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zone }).format(new Date(instant));
  try {
    return format(timeZone ?? 'UTC');
  } catch {
    // Stored by a runtime with newer time zone data.
    return format('UTC');
  }
}
