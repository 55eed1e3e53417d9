import { plainFirstName } from '#/features/attendees/rules.ts';
import { requestPath } from '#/features/guest-booking/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';
import { longTime, sessionTypeWords, shortTime } from '../session/rules.ts';

/** Instants are epoch milliseconds. */
export interface MailedRequest {
  /** As typed; only the first name is shown. */
  name: string;
  timeZone: string;
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  /** Confirmation deadline. */
  expiresAt: number;
  token: string;
}

/**
 * Composes the booking link email. Anyone may have typed the address, so the only user-written word is a first name,
 * and the email is the same whether or not the address has an account.
 */
export function requestLetter(asked: MailedRequest, site: MailSite): Letter {
  const { locale } = site;
  const { timeZone, startsAt, expiresAt } = asked;
  return {
    subject: m.mail_asked_subject(
      { site: site.siteName, when: shortTime(startsAt, timeZone, locale) },
      { locale },
    ),
    name: plainFirstName(asked.name),
    text: [m.mail_asked_text({}, { locale })],
    facts: [
      { label: m.mail_when({}, { locale }), value: longTime(asked, timeZone, locale) },
      { label: m.mail_how({}, { locale }), value: sessionTypeWords(asked.sessionType, locale) },
      { label: m.mail_asked_until({}, { locale }), value: shortTime(expiresAt, timeZone, locale) },
    ],
    more: [m.mail_asked_keep({}, { locale })],
    action: { label: m.mail_asked_open({}, { locale }), url: `${site.appUrl}${requestPath(asked.token)}` },
    note: m.mail_asked_note({}, { locale }),
  };
}
