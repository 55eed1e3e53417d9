import { timeLabel } from '#/kernel/wall-clock.ts';

/** Example: `Thursday, March 12, 2026`. */
export function dateText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(new Date(instant));
}

/** Example: `Mar 12, 2026`. */
export function dayText(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(new Date(instant));
}

/** Example: `Thu, Mar 12`. */
export function nearDateText(instant: string, timeZone: string): string {
  const options = { weekday: 'short', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(new Date(instant));
}

/** The spec's time format: `09:00 AM`. */
export function timeText(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US-u-nu-latn', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant));
  const part = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
  return timeLabel(part('hour'), part('minute'));
}

export function zoneText(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
