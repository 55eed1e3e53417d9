import { personOf } from '#/features/accounts/queries.ts';
import { plainFirstName } from '#/features/attendees/rules.ts';
import { appointmentNotice } from '#/features/appointments/notice/queries.ts';
import { issueClaim } from '#/features/care/claims/commands.ts';
import { claimHours, claimPath } from '#/features/care/claims/rules.ts';
import { nextSessionOf } from '#/features/care/clients/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { longTime, sessionTypeName, shortTime } from './session-times.ts';

export const clientInvitationNotifications = [
  notification({
    event: 'care.client_invited',
    name: 'notifications.client-invited',
    sentWhenOff: 'clients need its link to claim their sessions',
    async deliveries(tx, { clientId, sends }, { site }) {
      const claim = await issueClaim(tx, clientId);
      if (!claim) return [];
      const { fullName: name } = await personOf(tx, clientId);
      const appointmentId = await nextSessionOf(tx, clientId);
      const notice = appointmentId === null ? null : await appointmentNotice(tx, appointmentId);
      const session = notice && {
        sessionType: notice.sessionType,
        startsAt: notice.startsAt.epochMilliseconds,
        endsAt: notice.endsAt.epochMilliseconds,
        timeZone: notice.client.timeZone,
      };
      const url = `${site.appUrl}${claimPath(claim.token)}`;
      return [
        {
          key: `caller:${clientId}:${sends}`,
          kind: 'client_invitation',
          to: { id: clientId, email: claim.email },
          letter: clientInvitationLetter({ name, session, url }, site),
          urgent: true,
          expiresAt: tx.now().add({ hours: claimHours }),
        },
      ];
    },
  }),
];

/** Instants are epoch milliseconds. */
interface NextSession {
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  timeZone: string;
}

/** Shared by letters to clients without an account. */
export function claimPart(url: string, { locale }: MailSite): Pick<Letter, 'more' | 'action' | 'note'> {
  return {
    more: [m.mail_caller_private({}, { locale })],
    action: { label: m.mail_caller_open({}, { locale }), url },
    note: m.mail_caller_note({}, { locale }),
  };
}

/**
 * Composes the invitation for a client a provider added. The address may be mistyped, so the letter has no
 * provider-written text but a first name, and hides provider and concern. It's identical for addresses with an account.
 */
function clientInvitationLetter(
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
          { label: m.mail_how({}, { locale }), value: sessionTypeName(session.sessionType, locale) },
        ]
      : [],
    ...claimPart(url, site),
  };
}
