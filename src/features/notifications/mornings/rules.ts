import type { DevotionalText } from '#/features/growth/devotionals/contract.ts';
import { asQuoted } from '#/features/growth/devotionals/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';

/** Local hours for morning emails: late after downtime, but never past noon. */
const begins = 7;
const ends = 12;
const monday = 1;

/** Returns the next 07:00 in a time zone, or the DST jump that skips it. */
export function nextMorning(now: Temporal.Instant, timeZone: string): Temporal.Instant {
  return firstMorning(now, timeZone, () => true);
}

/** Returns the next such instant on a Monday. */
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
    const at = startOfMorning(date, timeZone);
    if (at && fits(date) && Temporal.Instant.compare(at, now) > 0) return at;
    date = date.add({ days: 1 });
  }
}

/** Returns the instant a date's morning begins, or null if the zone skips that date. */
function startOfMorning(date: Temporal.PlainDate, timeZone: string): Temporal.Instant | null {
  const shown = date.toZonedDateTime({ timeZone, plainTime: { hour: begins } });
  if (shown.hour === begins && shown.minute === 0) {
    return shown.toPlainDate().equals(date) ? shown.toInstant() : null;
  }
  // DST skipped 07:00: the morning begins at the transition.
  return shown.getTimeZoneTransition('previous')!.toInstant();
}

/** Returns the local date if it's morning in a time zone, otherwise null. */
export function morningOf(now: Temporal.Instant, timeZone: string): Temporal.PlainDate | null {
  const shown = now.toZonedDateTimeISO(timeZone);
  return shown.hour >= begins && shown.hour < ends ? shown.toPlainDate() : null;
}

export interface MorningReader {
  name: string;
  unsubscribeUrl: string;
}

export function devotionalLetter(words: DevotionalText, reader: MorningReader, site: MailSite): Letter {
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

const named = 5;

/** Composes the library news email, newest work first. Needs at least one work. */
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
