import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';

const guestStates = ['invited', 'accepted', 'declined', 'withdrawn', 'left'] as const;

export type GuestState = (typeof guestStates)[number];

export type GuestAnswer = Extract<GuestState, 'accepted' | 'declined' | 'left'>;

const guestView = z.object({
  id: uuid,
  name: z.string(),
  /** As the client entered it; hidden from others. */
  email: z.email().nullable(),
  state: z.enum(guestStates),
  invitedAt: instant,
  answeredAt: instant.nullable(),
  resendable: z.boolean(),
});

/** In invitation order. */
const guestList = z.object({
  guests: z.array(guestView),
  /** Invitations left; 0 for providers and after the start. */
  places: z.number().int(),
  /** The session holds no more guests. */
  full: z.boolean(),
  agreed: z.boolean(),
});

/** Invitation page. Only a guest who accepted, or still can, sees the session. */
const invitation = z.object({
  /**
   * `open`: awaiting an answer. `accepted`: by the viewer. `own`: the viewer is client or provider. `used`: accepted by
   * another account. `over`: the session ended or was closed.
   */
  state: z.enum(['open', 'accepted', 'own', 'used', 'declined', 'withdrawn', 'left', 'cancelled', 'over']),
  session: z
    .object({
      appointmentId: uuid,
      inviter: z.string(),
      guestName: z.string(),
      provider: z.object({ name: z.string(), title: z.string() }),
      sessionType: z.enum(sessionTypes),
      startsAt: instant,
      endsAt: instant,
      /** Provider's zone. */
      timeZone: z.string(),
      confirmed: z.boolean(),
      moved: z.boolean(),
    })
    .nullable(),
});

/** Guest's view of an accepted session: no price, notes or contact details. */
const guestSession = z.object({
  appointmentId: uuid,
  startsAt: instant,
  endsAt: instant,
  /** Provider's zone. */
  timeZone: z.string(),
  sessionType: z.enum(sessionTypes),
  status: z.enum(['pending', 'confirmed']),
  provider: z.object({ id: uuid, name: z.string(), title: z.string(), photoUrl: z.string().nullable() }),
  /** Other attendees, client first. */
  others: z.array(z.string()),
  /** Viewer's name as shown to other attendees. */
  ownName: z.string(),
  /** RFC 5545 SEQUENCE of the calendar entry. */
  sequence: z.number().int(),
});

export type GuestView = z.infer<typeof guestView>;
export type GuestList = z.infer<typeof guestList>;
export type Invitation = z.infer<typeof invitation>;
export type GuestSession = z.infer<typeof guestSession>;

const party = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });
const client = procedure.meta({ access: ['book_appointments'] });
const anybody = procedure.meta({ access: 'public' });
const oneAppointment = z.object({ appointmentId: uuid });
const guestId = z.object({ guestId: uuid });
/** Invitation token; POST only, because proxies log URLs. */
const token = z.object({ token: z.string().min(1).max(200) });
const name = line.min(1).max(100);

const inviteInput = oneAppointment.extend({
  name,
  email: z.email().max(254),
  /** Confidentiality consent, required once. */
  agreed: z.boolean().default(false),
});

export type InviteInput = z.infer<typeof inviteInput>;

const acceptInput = token.extend({
  name,
  /** As shown; consent covers only this time. */
  startsAt: instant,
  agreed: z.literal(true),
});

export type AcceptInput = z.infer<typeof acceptInput>;

export const attendeesContract = {
  list: party
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/appointments/{appointmentId}/guests' })
    .input(oneAppointment)
    .output(guestList),
  /** By email, until the session begins. */
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
  /** Resends an invitation with a new link; the old link stops working. */
  resend: client
    .meta({
      writes: ['booking.guest_invited_again service_management appointment'],
      example: ({ id }) => ({ guestId: id }),
    })
    .route({ method: 'POST', path: '/guests/{guestId}/resend' })
    .input(guestId)
    .output(guestList),
  /** Withdraws an invitation, even after acceptance. */
  withdraw: client
    .meta({
      writes: ['booking.guest_withdrawn service_management appointment'],
      example: ({ id }) => ({ guestId: id }),
    })
    .route({ method: 'POST', path: '/guests/{guestId}/withdraw' })
    .input(guestId)
    .output(guestList),
  /** Throws `not_found` for an unknown token. */
  invitation: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'POST', path: '/invitations/read' })
    .input(token)
    .output(invitation),
  /**
   * Accepts for the signed-in account. Throws `conflict` (`own_clash`) with the guest's own clashing times in
   * `clashes`.
   */
  accept: party
    .meta({
      writes: ['booking.guest_accepted service_management appointment'],
      example: ({ startsAt }) => ({ token: 'not-one-of-ours', name: 'Boaz', startsAt, agreed: true }),
    })
    .route({ method: 'POST', path: '/invitations/accept' })
    .input(acceptInput)
    .output(guestSession),
  /** Requires no account. */
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
  /** Lists accepted sessions that haven't ended, soonest first. */
  mine: party.route({ method: 'GET', path: '/guest-sessions' }).output(z.array(guestSession)),
  leave: party
    .meta({
      writes: ['booking.guest_left service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/guest-sessions/{appointmentId}/leave' })
    .input(oneAppointment)
    .output(z.array(guestSession)),
};
