import { dateFormat, formatInstant } from '#/kernel/date-text.ts';
import { typeTexts } from '#/features/calendar/session/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Locale } from '../rules.ts';

export function sessionTypeName(type: SessionType, locale: Locale): string {
  return typeTexts[type]({}, { locale });
}

const shapes = {
  short: {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  date: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  zone: { timeZoneName: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Such as `Mon, Mar 9, 9:00 AM EDT`. */
export function shortTime(instant: number, timeZone: string, locale: Locale): string {
  return plainSpaces(formatInstant(instant, timeZone, shapes.short, locale));
}

/** Such as `Monday, March 9, 2026, 9:00 AM – 10:00 AM (Eastern Daylight Time)`. */
export function longTime(
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
  timeZone: string,
  locale: Locale,
): string {
  const time = (instant: number) => formatInstant(instant, timeZone, shapes.time, locale);
  const zone = dateFormat(timeZone, shapes.zone, locale)
    .formatToParts(startsAt)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return plainSpaces(
    m.mail_when_value(
      {
        date: formatInstant(startsAt, timeZone, shapes.date, locale),
        from: time(startsAt),
        to: time(endsAt),
        zone: zone ?? timeZone,
      },
      { locale },
    ),
  );
}

/** Some runtimes use narrow spaces before AM/PM, which plain-text email clients show as boxes. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u2009\u202f]/g, ' ');
}
