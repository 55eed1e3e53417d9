import type { AppointmentChange, AppointmentStatus } from '#/features/appointments/appointment/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, Locale, MailSite } from '../rules.ts';
import { longTime, sessionTypeName, shortTime } from './session-times.ts';

/** A session's details for emails. Provider and concern are left out, since others may read the mailbox. */
export interface SessionDetails {
  status: AppointmentStatus;
  type: SessionType;
  /** Epoch milliseconds. */
  startsAt: number;
  endsAt: number;
}

export interface SessionReader {
  /** Guests read the client version. */
  party: 'client' | 'provider';
  /** Null for providers: names often reveal their profession. */
  name: string | null;
  /** IANA name. */
  timeZone: string;
}

export type SessionTopic =
  | Exclude<AppointmentChange, 'completed' | 'no_show'>
  | 'booked'
  /** Booked by the provider. */
  | 'booked_for'
  /** By an administrator, with a reason for both. */
  | 'cancelled_for_both'
  | 'rescheduled_for_both'
  /** Canceled because the provider left; client version. */
  | 'specialist_gone'
  /** Moved to another provider: versions for client, new provider and previous provider. */
  | 'reassigned'
  | 'assigned'
  | 'handed_over'
  | 'reminder';

/** Composes a letter about one session, or several of a series, for one recipient. */
export function sessionLetter(
  topic: SessionTopic,
  sessions: readonly [SessionDetails, ...SessionDetails[]],
  reader: SessionReader,
  site: MailSite,
): Letter {
  const { locale } = site;
  const [first] = sessions;
  const when = shortTime(first.startsAt, reader.timeZone, locale);
  const { subject, text, calendar } = wordingOf(topic, {
    first,
    count: sessions.length,
    unconfirmed: sessions.some(({ status }) => status === 'pending'),
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
      { label: m.mail_how({}, { locale }), value: sessionTypeName(first.type, locale) },
    ],
    more: [
      ...phoneLines(first, reader, locale),
      ...(calendar ? [calendar] : []),
      m.mail_private({}, { locale }),
    ],
    action:
      topic === 'specialist_gone'
        ? { label: m.mail_specialist_gone_action({}, { locale }), url: `${site.appUrl}/therapists` }
        : { label: m.mail_open({}, { locale }), url: `${site.appUrl}/home` },
  };
}

function phoneLines({ type, status }: SessionDetails, { party }: SessionReader, locale: Locale): string[] {
  if (type !== 'phone' || status === 'cancelled') return [];
  return [
    party === 'provider' ? m.mail_call_yours({}, { locale }) : m.calendar_call_discreet({}, { locale }),
  ];
}

interface Summary {
  first: SessionDetails;
  count: number;
  unconfirmed: boolean;
  when: string;
  reader: SessionReader;
  site: MailSite;
}

interface Wording {
  subject: string;
  text: string[];
  calendar?: string;
}

function wordingOf(topic: SessionTopic, summary: Summary): Wording {
  const { count, when, reader, site } = summary;
  const inThis = { locale: site.locale };
  const about = { site: site.siteName, when };
  const unconfirmed = summary.unconfirmed ? [unconfirmedOf(summary.count)({}, inThis)] : [];
  const why = topic.endsWith('_for_both') ? [m.mail_for_both_text({}, inThis)] : [];
  const calendar = m.mail_calendar_updated({}, inThis);
  switch (topic) {
    case 'booked':
    case 'booked_for':
      return bookedWording(topic, summary);
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
          text: [m.mail_rescheduled_series_text({ count }, inThis), ...unconfirmed],
          calendar: m.mail_calendar_updated_series({}, inThis),
        };
      }
      return {
        subject: m.mail_rescheduled_subject(about, inThis),
        text: [m.mail_rescheduled_text({}, inThis), ...unconfirmed, ...why],
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
        subject: settledSubjects.ended(summary),
        text: [m.mail_specialist_gone_text({}, inThis)],
        calendar,
      };
    case 'reassigned':
      return {
        subject: settledSubjects.changed(summary),
        text: [m.mail_reassigned_text({}, inThis), ...unconfirmed, m.mail_reassigned_next({}, inThis)],
        calendar,
      };
    case 'assigned':
      return {
        subject: settledSubjects.changed(summary),
        text: [m.mail_assigned_text({}, inThis), ...unconfirmed],
        calendar,
      };
    case 'handed_over':
      return {
        subject: settledSubjects.ended(summary),
        text: [m.mail_handed_over_text({}, inThis)],
        calendar,
      };
    case 'reminder':
      return {
        subject: m.mail_reminder_subject(about, inThis),
        text: [m.mail_reminder_text({}, inThis), ...unconfirmed],
      };
  }
}

function unconfirmedOf(count: number) {
  return count > 1 ? m.mail_unconfirmed_series : m.mail_unconfirmed;
}

const settledSubjects = {
  ended: ({ count, when, site: { siteName: site, locale } }: Summary) =>
    count > 1
      ? m.mail_cancelled_series_subject({ site, count, when }, { locale })
      : m.mail_cancelled_subject({ site, when }, { locale }),
  changed: ({ count, when, site: { siteName: site, locale } }: Summary) =>
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
  calendar: m.mail_calendar_updated,
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
  calendar: m.mail_calendar_updated_series,
};
const bookedFor = {
  one: { ...one.confirmed, client: m.mail_booked_for_text, provider: m.mail_booked_for_text_provider },
  several: {
    ...several.confirmed,
    client: m.mail_booked_for_series_text,
    provider: m.mail_booked_for_series_text_provider,
  },
};

function bookedWording(
  topic: 'booked' | 'booked_for',
  { first, count, when, reader, site }: Summary,
): Wording {
  const { siteName, locale } = site;
  const texts = count > 1 ? several : one;
  const words =
    topic === 'booked_for'
      ? bookedFor[count > 1 ? 'several' : 'one']
      : texts[first.status === 'pending' ? 'pending' : 'confirmed'];
  return {
    subject: words.subject({ site: siteName, count, when }, { locale }),
    text: [words[reader.party]({ count }, { locale })],
    calendar: texts.calendar({}, { locale }),
  };
}
