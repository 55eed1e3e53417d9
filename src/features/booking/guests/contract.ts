import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { instant } from '../contract.ts';

/** What became of an invitation. */
const guestStates = ['invited', 'accepted', 'declined', 'withdrawn', 'left'] as const;

export type GuestState = (typeof guestStates)[number];

/** What one who was invited can say. */
export type GuestAnswer = Extract<GuestState, 'accepted' | 'declined' | 'left'>;

/** Somebody who is asked to come to a session, as one of its two parties sees them. */
const guestView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** As the client typed it; nobody else sees it. */
  email: z.email().nullable(),
  state: z.enum(guestStates),
  invitedAt: instant,
  answeredAt: instant.nullable(),
  /** The client may have the invitation mailed once more. */
  resendable: z.boolean(),
});

/** Everybody who is asked to a session, in the order of asking. */
const guestList = z.object({
  guests: z.array(guestView),
  /** How many more the client may invite now; 0 for the provider, and once the session has begun. */
  places: z.number().int(),
  /** The person who asks agreed that what is said in the session stays there. */
  agreed: z.boolean(),
});

/** What an invitation's link leads to. Only who may still accept it, or did, sees the session. */
const invitation = z.object({
  /**
   * `open`: to be answered. `accepted`: by the person who asks. `own`: the person who asks is one of the two parties.
   * `used`: by somebody, who isn't the one who asks. `over`: the session has ended or was noted as such.
   */
  state: z.enum(['open', 'accepted', 'own', 'used', 'declined', 'withdrawn', 'left', 'cancelled', 'over']),
  session: z
    .object({
      appointmentId: z.uuid(),
      /** The client's first name. */
      inviter: z.string(),
      /** As the client typed it. */
      guestName: z.string(),
      provider: z.object({ name: z.string(), title: z.string() }),
      sessionType: z.enum(sessionTypes),
      startsAt: instant,
      endsAt: instant,
      /** The provider's. */
      timeZone: z.string(),
      confirmed: z.boolean(),
      /** It has been moved since the invitation was mailed. */
      moved: z.boolean(),
    })
    .nullable(),
});

/** A session as one who was invited to it, and accepted, sees it: without price, notes and anybody's address. */
const guestSession = z.object({
  appointmentId: z.uuid(),
  startsAt: instant,
  endsAt: instant,
  /** The provider's. */
  timeZone: z.string(),
  sessionType: z.enum(sessionTypes),
  status: z.enum(['pending', 'confirmed']),
  provider: z.object({ id: z.uuid(), name: z.string(), title: z.string(), photoUrl: z.string().nullable() }),
  /** Who else comes, by name: the client first, then the other guests. */
  others: z.array(z.string()),
  /** As the others read one's own name. */
  ownName: z.string(),
  /** RFC 5545 SEQUENCE of its calendar entry. */
  sequence: z.number().int(),
});

export type GuestView = z.infer<typeof guestView>;
export type GuestList = z.infer<typeof guestList>;
export type Invitation = z.infer<typeof invitation>;
export type GuestSession = z.infer<typeof guestSession>;

const party = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });
const client = procedure.meta({ access: ['book_appointments'] });
const anybody = procedure.meta({ access: 'public' });
const oneAppointment = z.object({ appointmentId: z.uuid() });
const guestId = z.object({ guestId: z.uuid() });
/** An invitation link's token; posted, because proxies log addresses. */
const token = z.object({ token: z.string().min(1).max(200) });
const name = line.min(1).max(100);

const inviteInput = oneAppointment.extend({
  name,
  email: z.email().max(254),
  /** That what is said in the session stays there; needed once. */
  agreed: z.boolean().default(false),
});

export type InviteInput = z.infer<typeof inviteInput>;

const acceptInput = token.extend({
  /** As the others are to read one's name. */
  name,
  /** Of the session as it was shown: who agrees, agrees to that time. */
  startsAt: instant,
  /** That what is said in the session stays there. */
  agreed: z.literal(true),
});

export type AcceptInput = z.infer<typeof acceptInput>;

export const guestsContract = {
  /** Who is asked to a session of one's own. */
  list: party
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/appointments/{appointmentId}/guests' })
    .input(oneAppointment)
    .output(guestList),
  /** Invites somebody by mail to a session for several people, until it begins. */
  invite: client
    .meta({
      writes: ['booking.guest_invited service_management appointment'],
      example: ({ appointmentId }) => ({
        appointmentId,
        name: 'Boaz',
        email: 'boaz@guests.example',
        agreed: true,
      }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/guests', successStatus: 201 })
    .input(inviteInput)
    .output(guestList),
  /** Mails an invitation anew; the link in the mail before is worth nothing from then on. */
  resend: client
    .meta({
      writes: ['booking.guest_invited_again service_management appointment'],
      example: ({ id }) => ({ guestId: id }),
    })
    .route({ method: 'POST', path: '/guests/{guestId}/resend' })
    .input(guestId)
    .output(guestList),
  /** Takes an invitation back, also one that was accepted. */
  withdraw: client
    .meta({
      writes: ['booking.guest_withdrawn service_management appointment'],
      example: ({ id }) => ({ guestId: id }),
    })
    .route({ method: 'POST', path: '/guests/{guestId}/withdraw' })
    .input(guestId)
    .output(guestList),
  /** What an invitation's link leads to; `not_found` for a link that isn't one of ours. */
  invitation: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'POST', path: '/invitations/read' })
    .input(token)
    .output(invitation),
  /**
   * Accepts with the account of the person who acts. Where they are elsewhere then it is refused as
   * `conflict own_clash`, with their own times in `clashes`.
   */
  accept: party
    .meta({
      writes: ['booking.guest_accepted service_management appointment'],
      example: ({ startsAt }) => ({ token: 'not-one-of-ours', name: 'Boaz', startsAt, agreed: true }),
    })
    .route({ method: 'POST', path: '/invitations/accept' })
    .input(acceptInput)
    .output(guestSession),
  /** Declines; no account is needed for that. */
  decline: anybody
    .meta({
      writes: ['booking.guest_declined service_management appointment'],
      example: () => ({ token: 'not-one-of-ours' }),
    })
    .route({ method: 'POST', path: '/invitations/decline' })
    .input(token)
    .output(invitation),
  /** Used by open pages of the previous release; remove in the next one. */
  formerInvitation: anybody
    .meta({ example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'GET', path: '/invitations/{token}' })
    .input(token)
    .output(invitation),
  formerAccept: party
    .meta({
      writes: ['booking.guest_accepted service_management appointment'],
      example: ({ startsAt }) => ({ token: 'not-one-of-ours', name: 'Boaz', startsAt, agreed: true }),
    })
    .route({ method: 'POST', path: '/invitations/{token}/accept' })
    .input(acceptInput)
    .output(guestSession),
  formerDecline: anybody
    .meta({
      writes: ['booking.guest_declined service_management appointment'],
      example: () => ({ token: 'not-one-of-ours' }),
    })
    .route({ method: 'POST', path: '/invitations/{token}/decline' })
    .input(token)
    .output(invitation),
  /** The sessions that one is invited to and has accepted, and that aren't over, next first. */
  mine: party.route({ method: 'GET', path: '/guest-sessions' }).output(z.array(guestSession)),
  /** Doesn't come after all. */
  leave: party
    .meta({
      writes: ['booking.guest_left service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/guest-sessions/{appointmentId}/leave' })
    .input(oneAppointment)
    .output(z.array(guestSession)),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    guests: typeof guestsContract;
  }
}
