/**
 * A date in full in the person's own zone, such as `March 16, 2026`: the same on the server and in the browser. In UTC
 * where no zone is known.
 */
export function ownDate(instant: string, timeZone: string | null): string {
  const format = (zone: string) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zone }).format(new Date(instant));
  try {
    return format(timeZone ?? 'UTC');
  } catch {
    // Stored by a runtime that knows more zones than this one.
    return format('UTC');
  }
}
