import { formatDate } from '#/kernel/date-text.ts';
import { dateIn, fullPlainDateText, mediumPlainDateText, plainDateText, timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { useHydrated } from '#/web/hydrated.ts';
import { useNow } from '#/web/now.ts';
import { useOwnZone } from '#/web/own-zone.tsx';

/** Time zone and current day for displayed times; `today` is `YYYY-MM-DD`, null until known. */
export interface MessageDay {
  timeZone: string;
  today: string | null;
}

/** Returns the time zone and date for displaying messages; `rendered` is the server's date. */
export function useMessageDay(rendered: string | null = null): MessageDay {
  const timeZone = useOwnZone();
  const now = useNow();
  const hydrated = useHydrated();
  if (now !== null) return { timeZone, today: dateIn(now, timeZone) };
  return { timeZone, today: hydrated ? null : rendered };
}

const day = 86_400_000;
const namedDays = 6;

/** Returns the heading for a day's messages. Dates are `YYYY-MM-DD`; `today` is null until known. */
export function dayHeading(date: string, today: string | null): string {
  const ago = today === null ? Number.NaN : daysBetween(date, today);
  if (ago === 0) return m.messaging_today();
  if (ago === 1) return m.messaging_yesterday();
  return today?.slice(0, 4) === date.slice(0, 4) ? plainDateText(date) : fullPlainDateText(date);
}

export function rowTime(instant: string, timeZone: string, today: string | null): string {
  const date = dateIn(instant, timeZone);
  const ago = today === null ? Number.NaN : daysBetween(date, today);
  if (ago === 0) return timeText(instant, timeZone);
  if (ago === 1) return m.messaging_yesterday();
  if (ago > 1 && ago <= namedDays) return formatDate(date, { weekday: 'short' });
  return today?.slice(0, 4) === date.slice(0, 4)
    ? formatDate(date, { month: 'short', day: 'numeric' })
    : mediumPlainDateText(date);
}

export function foundTime(instant: string, timeZone: string, today: string | null): string {
  const date = rowTime(instant, timeZone, today);
  const time = timeText(instant, timeZone);
  return date === time ? time : m.web_date_time({ date, time });
}

function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(`${other}T00:00Z`) - Date.parse(`${one}T00:00Z`)) / day);
}
