import { m } from '#/texts/messages.js';
import type { DayPart, WaitPreferences } from '../contract.ts';
import { shortDateText, timeText } from '#/web/times.ts';

/** ISO weekdays, Sunday first as in US calendars. */
export const weekdays = [7, 1, 2, 3, 4, 5, 6] as const;

export const dayPartChoices: readonly { value: DayPart; label: () => string }[] = [
  { value: 'morning', label: m.waitlist_morning },
  { value: 'afternoon', label: m.waitlist_afternoon },
  { value: 'evening', label: m.waitlist_evening },
];

/** Short name such as `Mon`. */
export function weekdayText(weekday: number): string {
  // January 5, 2026 was a Monday.
  return shortDateText(new Date(Date.UTC(2026, 0, 4 + weekday)).toISOString(), 'UTC').slice(0, 3);
}

/** Example: `Until Sun, Mar 15 · Mon, Wed · Morning`. */
export function preferencesText({ untilDate, weekdays: days, dayParts }: WaitPreferences): string {
  const parts = dayPartChoices.filter(({ value }) => dayParts.includes(value));
  return m.waitlist_wishes({
    date: shortDateText(`${untilDate}T12:00:00Z`, 'UTC'),
    days:
      days.length === 7
        ? m.waitlist_any_day()
        : weekdays
            .filter((day) => days.includes(day))
            .map(weekdayText)
            .join(', '),
    parts:
      parts.length === dayPartChoices.length
        ? m.waitlist_any_part()
        : parts.map(({ label }) => label()).join(', '),
  });
}

/** Example: `Mon, Mar 16, 10:00 AM`. */
export function whenText(instant: string, timeZone: string): string {
  return m.web_date_time({ date: shortDateText(instant, timeZone), time: timeText(instant, timeZone) });
}
