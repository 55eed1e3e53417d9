/** A date and time as the person's own device has them; in the browser only. */
export function whenText(iso: string): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );
}
