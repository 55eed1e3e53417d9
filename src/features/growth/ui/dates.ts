/** `YYYY-MM-DD`. */
export function dayOf(instant: string | number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(instant));
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

const long = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const short = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats `YYYY-MM-DD` as `Sunday, March 8, 2026`. */
export function longDay(day: string): string {
  return long.format(Date.parse(`${day}T00:00Z`));
}

/** Formats `YYYY-MM-DD` as `Mar 8, 2026`. */
export function shortDay(day: string): string {
  return short.format(Date.parse(`${day}T00:00Z`));
}
