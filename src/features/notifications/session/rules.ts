import { dateFormat, formatInstant } from '#/kernel/date-text.ts';
import type { AppointmentStatus } from '#/features/appointments/view/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, Locale, MailSite } from '../letter/rules.ts';

/** Session details allowed in emails. Provider and concern are left out, since others may read the mailbox. */
export interface MailedSession {
  status: AppointmentStatus;
  type: SessionType;
  /** Epoch milliseconds. */
  startsAt: number;
  endsAt: number;
}

export interface SessionReader {
  /** Guests read the client version. */
  party: 'client' | 'provider';
  /** Null for providers: their names often reveal their profession. */
  name: string | null;
  /** IANA name. */
  timeZone: string;
}

export type SessionNews =
  | 'booked'
  /** Booked by the provider. */
  | 'booked_for'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'rescheduled'
  /** Changed by an administrator, who tells both parties why. */
  | 'cancelled_for_both'
  | 'rescheduled_for_both'
  /** Canceled because the provider left; client version. */
  | 'specialist_gone'
  /** Moved to another provider: versions for client, new provider and previous provider. */
  | 'reassigned'
  | 'assigned'
  | 'handed_over'
  | 'reminder';

/** Composes an email about one session, or several of a series, for one recipient. */
export function sessionLetter(
  news: SessionNews,
  sessions: readonly [MailedSession, ...MailedSession[]],
  reader: SessionReader,
  site: MailSite,
): Letter {
  const { locale } = site;
  const [first] = sessions;
  const when = shortTime(first.startsAt, reader.timeZone, locale);
  const { subject, text, calendar } = wordsOf(news, {
    first,
    count: sessions.length,
    waits: sessions.some(({ status }) => status === 'pending'),
    when,
    reader,
    site,
  });
  return {
    subject,
    name: reader.name,
    text,
    facts: [
      ...sessions.map((session) => ({
        label: m.mail_when({}, { locale }),
        value: longTime(session, reader.timeZone, locale),
      })),
      { label: m.mail_how({}, { locale }), value: sessionTypeWords(first.type, locale) },
    ],
    more: [...callOf(first, reader, locale), ...(calendar ? [calendar] : []), m.mail_private({}, { locale })],
    action:
      news === 'specialist_gone'
        ? { label: m.mail_specialist_gone_action({}, { locale }), url: `${site.appUrl}/therapists` }
        : { label: m.mail_open({}, { locale }), url: `${site.appUrl}/home` },
  };
}

function callOf({ type, status }: MailedSession, { party }: SessionReader, locale: Locale): string[] {
  if (type !== 'phone' || status === 'cancelled') return [];
  return [party === 'provider' ? m.mail_call_yours({}, { locale }) : m.mail_call({}, { locale })];
}

const types = {
  online: m.calendar_type_online,
  phone: m.calendar_type_phone,
  'in-person': m.calendar_type_in_person,
};

export function sessionTypeWords(type: SessionType, locale: Locale): string {
  return types[type]({}, { locale });
}

interface Told {
  first: MailedSession;
  count: number;
  waits: boolean;
  when: string;
  reader: SessionReader;
  site: MailSite;
}

interface Words {
  subject: string;
  text: string[];
  calendar?: string;
}

function wordsOf(news: SessionNews, told: Told): Words {
  const { count, when, reader, site } = told;
  const inThis = { locale: site.locale };
  const about = { site: site.siteName, when };
  const waits = told.waits ? [unconfirmedOf(told.count)({}, inThis)] : [];
  const why = news.endsWith('_for_both') ? [m.mail_for_both_text({}, inThis)] : [];
  const calendar = m.mail_calendar_updated({}, inThis);
  switch (news) {
    case 'booked':
    case 'booked_for':
      return bookedWords(news, told);
    case 'confirmed':
      return {
        subject: m.mail_confirmed_subject(about, inThis),
        text: [m.mail_confirmed_text({}, inThis)],
        calendar,
      };
    case 'rescheduled':
    case 'rescheduled_for_both':
      if (count > 1) {
        return {
          subject: m.mail_rescheduled_series_subject({ ...about, count }, inThis),
          text: [m.mail_rescheduled_series_text({ count }, inThis), ...waits],
          calendar: m.mail_calendar_updated_series({}, inThis),
        };
      }
      return {
        subject: m.mail_rescheduled_subject(about, inThis),
        text: [m.mail_rescheduled_text({}, inThis), ...waits, ...why],
        calendar,
      };
    case 'cancelled':
    case 'cancelled_for_both':
      if (count > 1) {
        return {
          subject: m.mail_cancelled_series_subject({ ...about, count }, inThis),
          text: [m.mail_cancelled_series_text({ count }, inThis)],
          calendar: m.mail_calendar_updated_series({}, inThis),
        };
      }
      return {
        subject: m.mail_cancelled_subject(about, inThis),
        text: [m.mail_cancelled_text({}, inThis), ...why],
        calendar,
      };
    case 'expired': {
      const expired = reader.party === 'client' ? m.mail_expired_text : m.mail_expired_text_provider;
      return { subject: m.mail_expired_subject(about, inThis), text: [expired({}, inThis)], calendar };
    }
    case 'declined': {
      const declined = reader.party === 'client' ? m.mail_declined_text : m.mail_declined_text_provider;
      return { subject: m.mail_declined_subject(about, inThis), text: [declined({}, inThis)], calendar };
    }
    case 'specialist_gone':
      return {
        subject: settledSubjects.ended(told),
        text: [m.mail_specialist_gone_text({}, inThis)],
        calendar,
      };
    case 'reassigned':
      return {
        subject: settledSubjects.changed(told),
        text: [m.mail_reassigned_text({}, inThis), ...waits, m.mail_reassigned_next({}, inThis)],
        calendar,
      };
    case 'assigned':
      return {
        subject: settledSubjects.changed(told),
        text: [m.mail_assigned_text({}, inThis), ...waits],
        calendar,
      };
    case 'handed_over':
      return {
        subject: settledSubjects.ended(told),
        text: [m.mail_handed_over_text({}, inThis)],
        calendar,
      };
    case 'reminder':
      return {
        subject: m.mail_reminder_subject(about, inThis),
        text: [m.mail_reminder_text({}, inThis), ...waits],
      };
  }
}

function unconfirmedOf(count: number) {
  return count > 1 ? m.mail_unconfirmed_series : m.mail_unconfirmed;
}

const settledSubjects = {
  ended: ({ count, when, site: { siteName: site, locale } }: Told) =>
    count > 1
      ? m.mail_settled_ended_subject({ site, count, when }, { locale })
      : m.mail_cancelled_subject({ site, when }, { locale }),
  changed: ({ count, when, site: { siteName: site, locale } }: Told) =>
    count > 1
      ? m.mail_settled_changed_several_subject({ site, count, when }, { locale })
      : m.mail_settled_changed_subject({ site, when }, { locale }),
};

const one = {
  pending: {
    subject: m.mail_requested_subject,
    client: m.mail_requested_text,
    provider: m.mail_requested_text_provider,
  },
  confirmed: {
    subject: m.mail_booked_subject,
    client: m.mail_booked_text,
    provider: m.mail_booked_text_provider,
  },
  calendar: m.mail_booked_calendar,
};
const several = {
  pending: {
    subject: m.mail_requested_series_subject,
    client: m.mail_requested_series_text,
    provider: m.mail_requested_series_text_provider,
  },
  confirmed: {
    subject: m.mail_booked_series_subject,
    client: m.mail_booked_series_text,
    provider: m.mail_booked_series_text_provider,
  },
  calendar: m.mail_booked_series_calendar,
};
const bookedFor = {
  one: { ...one.confirmed, client: m.mail_booked_for_text, provider: m.mail_booked_for_text_provider },
  several: {
    ...several.confirmed,
    client: m.mail_booked_for_series_text,
    provider: m.mail_booked_for_series_text_provider,
  },
};

function bookedWords(news: 'booked' | 'booked_for', { first, count, when, reader, site }: Told): Words {
  const { siteName, locale } = site;
  const texts = count > 1 ? several : one;
  const words =
    news === 'booked_for'
      ? bookedFor[count > 1 ? 'several' : 'one']
      : texts[first.status === 'pending' ? 'pending' : 'confirmed'];
  return {
    subject: words.subject({ site: siteName, count, when }, { locale }),
    text: [words[reader.party]({ count }, { locale })],
    calendar: texts.calendar({}, { locale }),
  };
}

const shapes = {
  short: {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  date: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  zone: { timeZoneName: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Such as `Mon, Mar 9, 09:00 AM EDT`. */
export function shortTime(instant: number, timeZone: string, locale: Locale): string {
  return plainSpaces(formatInstant(instant, timeZone, shapes.short, locale));
}

/** Such as `Monday, March 9, 2026, 09:00 AM – 10:00 AM (Eastern Daylight Time)`. */
export function longTime(
  { startsAt, endsAt }: Pick<MailedSession, 'startsAt' | 'endsAt'>,
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
