import type { GuestAnswer } from '#/features/attendees/contract.ts';
import { invitationPath, plainFirstName } from '#/features/attendees/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';
import { longTime, sessionTypeWords, shortTime } from '../session/rules.ts';

/** Instants are epoch milliseconds. */
export interface MailedInvitation {
  /** Full name; emails show the first name. */
  inviterName: string;
  /** The client's; the guest's is unknown. */
  timeZone: string;
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  token: string;
}

/**
 * Composes the invitation for a guest who may not know us. Its only client-written word is a first name, so it can't
 * carry messages to strangers. Provider and concern appear behind the link.
 */
export function invitationLetter(invited: MailedInvitation, site: MailSite): Letter {
  const { locale } = site;
  const { timeZone, startsAt } = invited;
  const name = plainFirstName(invited.inviterName);
  return {
    subject: m.mail_guest_invited_subject({ when: shortTime(startsAt, timeZone, locale) }, { locale }),
    name: null,
    text: [
      name
        ? m.mail_guest_invited_text({ name, site: site.siteName }, { locale })
        : m.mail_guest_invited_text_unnamed({ site: site.siteName }, { locale }),
      m.mail_guest_invited_how({}, { locale }),
    ],
    facts: [
      { label: m.mail_when({}, { locale }), value: longTime(invited, timeZone, locale) },
      { label: m.mail_how({}, { locale }), value: sessionTypeWords(invited.sessionType, locale) },
    ],
    more: [m.mail_guest_invited_private({}, { locale })],
    action: {
      label: m.mail_guest_invited_open({}, { locale }),
      url: `${site.appUrl}${invitationPath(invited.token)}`,
    },
    note: m.mail_guest_invited_note({}, { locale }),
  };
}

type GuestNews = GuestAnswer | 'withdrawn';

const words = {
  accepted: { subject: m.mail_guest_accepted_subject, text: m.mail_guest_accepted_text },
  declined: { subject: m.mail_guest_declined_subject, text: m.mail_guest_declined_text },
  left: { subject: m.mail_guest_left_subject, text: m.mail_guest_left_text },
  withdrawn: { subject: m.mail_guest_withdrawn_subject, text: m.mail_guest_withdrawn_text },
};

/** Composes guest news for an account holder. The guest's name is only shown in the account. */
export function guestLetter(
  news: GuestNews,
  told: { name: string; timeZone: string; startsAt: number; endsAt: number },
  site: MailSite,
): Letter {
  const { locale } = site;
  const { subject, text } = words[news];
  return {
    subject: subject({ when: shortTime(told.startsAt, told.timeZone, locale) }, { locale }),
    name: told.name,
    text: [text({}, { locale })],
    facts: [{ label: m.mail_when({}, { locale }), value: longTime(told, told.timeZone, locale) }],
    more: [m.mail_private({}, { locale })],
    action: { label: m.mail_open({}, { locale }), url: `${site.appUrl}/home` },
  };
}
