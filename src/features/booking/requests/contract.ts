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
   * `other`: somebody else is signed in. `booked`: confirmed. `expired`: wasn't confirmed in time, or isn't offered any
   * more. `over`: the session was more than a day ago. `off`: nobody can book without an account any more.
   */
  state: z.enum(['open', 'sign_in', 'other', 'booked', 'expired', 'over', 'off']),
  /** Whether confirming or opening gives a token that signs in; else whoever isn't signed in signs in first. */
  signsIn: z.boolean(),
  /** The session as it was asked for, and once it is booked as it is; null for `expired`, `over` and `off`. */
  session: z
    .object({
      /** Null until it is booked. */
      status: z.enum(['pending', 'confirmed', 'completed', 'cancelled', 'no_show']).nullable(),
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
      /** As they were typed. */
      contact: z.object({ name: z.string(), phone: z.string().nullable() }),
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
});

export type ConfirmInput = z.infer<typeof confirmInput>;

/** For `/api/auth/sign-in/link`, within minutes; null for who is signed in already, or has to sign in by their password. */
const signInToken = z.string().nullable();

export const requestsContract = {
  /** Mails a link by which the session is booked. Nothing is held, and the answer is the same whoever has the address. */
  ask: anybody
    .route({ method: 'POST', path: '/booking-requests', successStatus: 201 })
    .input(askInput)
    .output(z.object({ sentTo: z.string() })),
  /** What a link leads to; `not_found` for one that isn't ours. */
  read: anybody
    .route({ method: 'GET', path: '/booking-requests/{token}' })
    .input(token)
    .output(bookingRequest),
  /** Books what was asked for, once, for the account of the address, which is made where there is none. */
  confirm: anybody
    .route({ method: 'POST', path: '/booking-requests/{token}/confirm' })
    .input(confirmInput)
    .output(z.object({ appointmentId: z.uuid(), signInToken })),
  /** Leads back to what was booked, until a day after the session. */
  open: anybody
    .route({ method: 'POST', path: '/booking-requests/{token}/open' })
    .input(token)
    .output(z.object({ signInToken })),
};
