/** Returns the browser's time zone. Separate from the date formats, which the landing page doesn't load. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
