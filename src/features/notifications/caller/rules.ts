import { plainFirstName } from '#/features/attendees/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';
import { longTime, sessionTypeWords, shortTime } from '../session/rules.ts';

/** Instants are epoch milliseconds. */
interface NextSession {
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  timeZone: string;
}

export function invitationPart(url: string, { locale }: MailSite): Pick<Letter, 'more' | 'action' | 'note'> {
  return {
    more: [m.mail_caller_private({}, { locale })],
    action: { label: m.mail_caller_open({}, { locale }), url },
    note: m.mail_caller_note({}, { locale }),
  };
}

/**
 * Composes the invitation for a client a provider added. The address may be mistyped, so the email has no
 * provider-written text but a first name, and hides provider and concern. It's identical for addresses with an account.
 */
export function callerLetter(
  { name, session, url }: { name: string; session: NextSession | null; url: string },
  site: MailSite,
): Letter {
  const { locale, siteName } = site;
  const when = session && shortTime(session.startsAt, session.timeZone, locale);
  return {
    subject: when
      ? m.mail_caller_subject({ site: siteName, when }, { locale })
      : m.mail_caller_subject_no_session({ site: siteName }, { locale }),
    name: plainFirstName(name),
    text: [
      session
        ? m.mail_caller_text({ site: siteName }, { locale })
        : m.mail_caller_text_no_session({ site: siteName }, { locale }),
    ],
    facts: session
      ? [
          { label: m.mail_when({}, { locale }), value: longTime(session, session.timeZone, locale) },
          { label: m.mail_how({}, { locale }), value: sessionTypeWords(session.sessionType, locale) },
        ]
      : [],
    ...invitationPart(url, site),
  };
}
