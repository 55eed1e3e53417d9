/** The day of an instant on the calendar of a zone, with its year: histories are long. Such as `Mar 8, 2026`. */
export function dayText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(new Date(instant));
}
