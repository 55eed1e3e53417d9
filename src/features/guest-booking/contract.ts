import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/availability/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { bookInput } from '#/features/appointments/booking/contract.ts';

/** One session per request. Repeating an `idempotencyKey` sends no second email. */
const askInput = bookInput.omit({ recurrence: true, sessions: true });

export type AskInput = z.infer<typeof askInput>;

const bookingRequest = z.object({
  /**
   * `open`: ready to confirm. `sign_in`: this email has an account, so sign in first. `other`: another account is
   * signed in. `used`: already booked, opens nothing. `expired`: too late, no longer offered, or revoked. `off`: guest
   * booking is disabled.
   */
  state: z.enum(['open', 'sign_in', 'other', 'used', 'expired', 'off']),
  /** Confirming also signs in; if false, signed-out visitors sign in first. */
  signsIn: z.boolean(),
  /** Null for `used`, `expired` and `off`. */
  session: z
    .object({
      provider: z.object({
        id: uuid,
        name: z.string(),
        title: z.string(),
        photoUrl: z.string().nullable(),
        approvesFirst: z.boolean(),
      }),
      service: z.object({ id: z.string(), title: z.string() }),
      sessionType: z.enum(sessionTypes),
      startsAt: instant,
      endsAt: instant,
      durationMinutes: z.number().int(),
      /** Provider's zone. */
      timeZone: z.string(),
      priceCents: z.number().int(),
    })
    .nullable(),
});

export type BookingRequest = z.infer<typeof bookingRequest>;

const anybody = procedure.meta({ access: 'public' });
const token = z.object({ token: z.string().min(1).max(200) });

const confirmInput = token.extend({
  startsAt: instant.optional(),
  /** Price shown on the confirmation page; defaults to the price at request time. */
  priceCents: askInput.shape.priceCents,
});

export type ConfirmInput = z.infer<typeof confirmInput>;

/** For `/api/auth/sign-in/link`, valid for minutes. Null if already signed in or a password is required. */
const signInToken = z.string().nullable();

export const guestBookingContract = {
  /** Reserves nothing. The response never reveals whether the email has an account. */
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
  /** Reads a request. POST keeps the token out of URLs and logs. Throws `not_found` for an unknown token. */
  read: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'POST', path: '/booking-requests/read' })
    .input(token)
    .output(bookingRequest),
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
    .output(z.object({ appointmentId: uuid, signInToken })),
};
