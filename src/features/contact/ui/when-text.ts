import { deviceZone, timeText } from '#/web/times.ts';

/** A date and time as the person's own device has them; in the browser only. */
export function whenText(iso: string): string {
  const timeZone = deviceZone();
  const date = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }).format(new Date(iso));
  return `${date}, ${timeText(iso, timeZone)}`;
}
