import type { DevotionalWords } from '#/features/growth/devotionals/contract.ts';
import { asQuoted } from '#/features/growth/devotionals/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** The hours of a person's day in which the morning's mail is written: late after a standstill, but not after noon. */
const begins = 7;
const ends = 12;
const monday = 1;

/** The first moment after an instant at which the clock of a zone reaches 07:00, or passes it where that is left out. */
export function nextMorning(now: Temporal.Instant, timeZone: string): Temporal.Instant {
  return firstMorning(now, timeZone, () => true);
}

/** The first such moment on a Monday. */
export function nextMonday(now: Temporal.Instant, timeZone: string): Temporal.Instant {
  return firstMorning(now, timeZone, ({ dayOfWeek }) => dayOfWeek === monday);
}

function firstMorning(
  now: Temporal.Instant,
  timeZone: string,
  fits: (date: Temporal.PlainDate) => boolean,
): Temporal.Instant {
  let date = now.toZonedDateTimeISO(timeZone).toPlainDate();
  for (;;) {
    const at = beginning(date, timeZone);
    if (at && fits(date) && Temporal.Instant.compare(at, now) > 0) return at;
    date = date.add({ days: 1 });
  }
}

/** When the morning of a date begins; null for a date that a zone has left out. */
function beginning(date: Temporal.PlainDate, timeZone: string): Temporal.Instant | null {
  const shown = date.toZonedDateTime({ timeZone, plainTime: { hour: begins } });
  if (shown.hour === begins && shown.minute === 0) {
    return shown.toPlainDate().equals(date) ? shown.toInstant() : null;
  }
  // The clock was set forward past 07:00: the morning begins with that.
  return shown.getTimeZoneTransition('previous')!.toInstant();
}

/** The date on whose morning an instant lies in a zone, or null for any other time of day. */
export function morningOf(now: Temporal.Instant, timeZone: string): Temporal.PlainDate | null {
  const shown = now.toZonedDateTimeISO(timeZone);
  return shown.hour >= begins && shown.hour < ends ? shown.toPlainDate() : null;
}

/** What a morning's letter says of its reader. */
export interface MorningReader {
  name: string;
  /** The page on which they stop such mails. */
  unsubscribeUrl: string;
}

/** The letter with a day's passage. */
export function devotionalLetter(words: DevotionalWords, reader: MorningReader, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_devotional_subject({ title: words.title }, inThis),
    name: reader.name,
    text: [],
    quote: {
      text: asQuoted(words.text),
      source: m.mail_devotional_source({ verse: words.reference }, inThis),
    },
    more: [words.thought, words.prayer],
    action: {
      label: m.mail_devotional_action({}, inThis),
      url: `${site.appUrl}/devotional/${words.day}`,
    },
    unsubscribe: { label: m.mail_devotional_stop({}, inThis), url: reader.unsubscribeUrl },
  };
}

/** How many works a letter names. */
const named = 5;

/** The letter with what is new in the library, the newest first; there is at least one. */
export function communityLetter(
  works: readonly { title: string; author: string }[],
  reader: MorningReader,
  site: MailSite,
): Letter {
  const inThis = { locale: site.locale };
  const others = works.length - named;
  return {
    subject: m.mail_community_subject({ site: site.siteName }, inThis),
    name: reader.name,
    text: [m.mail_community_text({}, inThis)],
    facts: works.slice(0, named).map(({ title, author }) => ({ label: author, value: title })),
    more: others > 0 ? [m.mail_community_more({ count: others }, inThis)] : [],
    action: { label: m.mail_community_action({}, inThis), url: `${site.appUrl}/resources` },
    unsubscribe: { label: m.mail_community_stop({}, inThis), url: reader.unsubscribeUrl },
  };
}
