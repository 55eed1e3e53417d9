import type { GuestAnswer } from '#/features/attendees/contract.ts';
import { guestNotice } from '#/features/attendees/queries.ts';
import { invitationPath, plainFirstName } from '#/features/attendees/rules.ts';
import { issueInvitation } from '#/features/attendees/invitations/commands.ts';
import { appointmentNotice } from '#/features/appointments/notice/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { TxCtx } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';
import type { Delivery } from '../channels/delivery.ts';
import type { Letter, MailSite } from '../rules.ts';
import { notification, type Cause } from './notification.ts';
import { longTime, sessionTypeName, shortTime } from './session-times.ts';

export const guestNotifications = [
  notification({
    event: 'booking.guest_invited',
    name: 'notifications.guest-invited',
    sentWhenOff: 'guests need its link to accept',
    // The token is stored nowhere else.
    async deliveries(tx, { guestId, sends }, { site }) {
      const invitation = await issueInvitation(tx, { guestId, sends });
      if (!invitation) return [];
      const session = await appointmentNotice(tx, invitation.appointmentId);
      const letter = invitationLetter(
        {
          inviterName: session.client.name,
          timeZone: session.client.timeZone,
          sessionType: session.sessionType,
          startsAt: session.startsAt.epochMilliseconds,
          endsAt: session.endsAt.epochMilliseconds,
          token: invitation.token,
        },
        site,
      );
      return [
        {
          key: `invitation:${guestId}:${sends}`,
          kind: 'guest_invitation',
          to: { email: invitation.email },
          letter,
          urgent: true,
          expiresAt: session.startsAt,
        },
      ];
    },
  }),
  notification({
    event: 'booking.guest_answered',
    name: 'notifications.guest-answered',
    async deliveries(tx, { guestId, answer }, cause) {
      const guest = await guestNotice(tx, guestId);
      if (!guest) return [];
      const { client } = await appointmentNotice(tx, guest.appointmentId);
      return changeDeliveries(tx, answer, guest.appointmentId, client, cause);
    },
  }),
  notification({
    event: 'booking.guest_withdrawn',
    name: 'notifications.guest-withdrawn',
    async deliveries(tx, { guestId }, cause) {
      const guest = await guestNotice(tx, guestId);
      return guest?.person ? changeDeliveries(tx, 'withdrawn', guest.appointmentId, guest.person, cause) : [];
    },
  }),
];

async function changeDeliveries(
  tx: TxCtx,
  change: GuestChange,
  appointmentId: string,
  person: { id: string; name: string; email: string; timeZone: string },
  { eventId, site }: Cause,
): Promise<Delivery[]> {
  const { startsAt, endsAt } = await appointmentNotice(tx, appointmentId);
  const times = { startsAt: startsAt.epochMilliseconds, endsAt: endsAt.epochMilliseconds };
  const letter = guestLetter(change, person, times, site);
  return [{ key: `${eventId}:${person.id}`, kind: 'guest_answer', to: person, letter }];
}

/** Instants are epoch milliseconds. */
interface InvitationDetails {
  /** Full name; letters show the first name. */
  inviterName: string;
  /** The client's; the guest's is unknown. */
  timeZone: string;
  sessionType: SessionType;
  startsAt: number;
  endsAt: number;
  token: string;
}

/**
 * Composes the invitation for a guest who may not know us. Its only client-written text is a first name, so it can't
 * carry messages to strangers. Provider and concern are shown only behind the link.
 */
function invitationLetter(invitation: InvitationDetails, site: MailSite): Letter {
  const { locale } = site;
  const { timeZone, startsAt } = invitation;
  const name = plainFirstName(invitation.inviterName);
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
      { label: m.mail_when({}, { locale }), value: longTime(invitation, timeZone, locale) },
      { label: m.mail_how({}, { locale }), value: sessionTypeName(invitation.sessionType, locale) },
    ],
    more: [m.mail_guest_invited_private({}, { locale })],
    action: {
      label: m.mail_guest_invited_open({}, { locale }),
      url: `${site.appUrl}${invitationPath(invitation.token)}`,
    },
    note: m.mail_guest_invited_note({}, { locale }),
  };
}

type GuestChange = GuestAnswer | 'withdrawn';

const words = {
  accepted: { subject: m.mail_guest_accepted_subject, text: m.mail_guest_accepted_text },
  declined: { subject: m.mail_guest_declined_subject, text: m.mail_guest_declined_text },
  left: { subject: m.mail_guest_left_subject, text: m.mail_guest_left_text },
  withdrawn: { subject: m.mail_guest_withdrawn_subject, text: m.mail_guest_withdrawn_text },
} satisfies Record<GuestChange, unknown>;

/** Composes a guest's change for an account holder. The guest's name is only shown in the account. */
function guestLetter(
  change: GuestChange,
  { name, timeZone }: { name: string; timeZone: string },
  times: { startsAt: number; endsAt: number },
  site: MailSite,
): Letter {
  const { locale } = site;
  const { subject, text } = words[change];
  return {
    subject: subject({ when: shortTime(times.startsAt, timeZone, locale) }, { locale }),
    name,
    text: [text({}, { locale })],
    facts: [{ label: m.mail_when({}, { locale }), value: longTime(times, timeZone, locale) }],
    more: [m.mail_private({}, { locale })],
    action: { label: m.mail_open({}, { locale }), url: `${site.appUrl}/home` },
  };
}
