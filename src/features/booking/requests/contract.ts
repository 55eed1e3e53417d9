import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/availability/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { bookInput } from '../input/contract.ts';

/** What is asked for without an account: one session. The same `idempotencyKey` is the same request, mailed once. */
const askInput = bookInput.omit({ recurrence: true, sessions: true });

export type AskInput = z.infer<typeof askInput>;

/** What a mailed link leads to. */
const bookingRequest = z.object({
  /**
   * `open`: can be confirmed now. `sign_in`: its address has an account that has to be signed in to first, and nobody is.
   * `other`: somebody else is signed in. `used`: it has booked, and opens nothing any more. `expired`: wasn't confirmed in
   * time, isn't offered any more, or was ended. `off`: nobody can book without an account any more.
   */
  state: z.enum(['open', 'sign_in', 'other', 'used', 'expired', 'off']),
  /** Whether confirming gives a token that signs in; else whoever isn't signed in signs in first. */
  signsIn: z.boolean(),
  /** The session as it was asked for; null for `used`, `expired` and `off`. */
  session: z
    .object({
      provider: z.object({
        id: z.uuid(),
        name: z.string(),
        title: z.string(),
        photoUrl: z.string().nullable(),
      }),
      service: z.object({ id: z.string(), title: z.string() }),
      sessionType: z.enum(sessionTypes),
      startsAt: instant,
      endsAt: instant,
      durationMinutes: z.number().int(),
      /** The provider's. */
      timeZone: z.string(),
      priceCents: z.number().int(),
    })
    .nullable(),
});

export type BookingRequest = z.infer<typeof bookingRequest>;

const anybody = procedure.meta({ access: 'public' });
/** What the link in the mail carries. */
const token = z.object({ token: z.string().min(1).max(200) });

const confirmInput = token.extend({
  /** Another free start, where the one that was asked for is taken. */
  startsAt: instant.optional(),
  /** The price that the link's page shows; if missing, the price at the time of the request counts. */
  priceCents: askInput.shape.priceCents,
});

export type ConfirmInput = z.infer<typeof confirmInput>;

/** For `/api/auth/sign-in/link`, within minutes; null for who is signed in already, or has to sign in by their password. */
const signInToken = z.string().nullable();

export const requestsContract = {
  /** Mails a link by which the session is booked. Nothing is held, and the answer is the same whoever has the address. */
  ask: anybody
    .meta({
      writes: ['booking.requested service_management booking_request'],
      example: ({ id, providerId, serviceId, startsAt }) => ({
        idempotencyKey: id,
        providerId,
        serviceId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'phone',
        contact: { name: 'Boaz', email: 'boaz@guests.example', phone: '+1 617 555 0100' },
        reminderMinutes: 60,
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'POST', path: '/booking-requests', successStatus: 201 })
    .input(askInput)
    .output(z.object({ sentTo: z.string() })),
  /** What a link leads to; `not_found` for one that isn't ours. Its token stands in no address, and so in no log. */
  read: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'POST', path: '/booking-requests/read' })
    .input(token)
    .output(bookingRequest),
  /** Books what was asked for, once, for the account of the address, which is made where there is none. */
  confirm: anybody
    .meta({
      writes: [
        'booking.booked service_management booking',
        'booking.request_confirmed service_management booking_request',
      ],
      example: ({ startsAt }) => ({ token: 'not-one-of-ours', startsAt }),
    })
    .route({ method: 'POST', path: '/booking-requests/confirm' })
    .input(confirmInput)
    .output(z.object({ appointmentId: z.uuid(), signInToken })),
};
