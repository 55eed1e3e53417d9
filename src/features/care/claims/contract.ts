import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

/** What the link in an invitation of a specialist leads to. */
const clientInvitation = z.object({
  /**
   * `open`: can be accepted now. `sign_in`: its address has an account that has to be signed in to first, and nobody is.
   * `other`: somebody else is signed in.
   */
  state: z.enum(['open', 'sign_in', 'other']),
  /** Only for who can accept it. */
  offer: z
    .object({
      provider: z.object({ name: z.string(), title: z.string(), photoUrl: z.string().nullable() }),
      /** Those to come, the next first. */
      sessions: z.array(
        z.object({
          startsAt: instant,
          endsAt: instant,
          /** The provider's. */
          timeZone: z.string(),
          sessionType: z.enum(sessionTypes),
        }),
      ),
      /** Nobody is signed in, and accepting makes an account or opens one that has no password. */
      signsIn: z.boolean(),
    })
    .nullable(),
});

export type ClientInvitation = z.infer<typeof clientInvitation>;

const token = z.object({ token: z.string().min(1).max(200) });
const anybody = procedure.meta({ access: 'public' });

/** Tokens are posted: they don't belong into a URL. */
export const claimsContract = {
  /** What a link leads to; `not_found` for one that works no more. */
  read: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'POST', path: '/client-invitations/read' })
    .input(token)
    .output(clientInvitation),
  /** Makes the sessions one's own: with a new account for the address, or with the one that it has. */
  accept: anybody
    .meta({
      writes: ['care.client_claimed service_management person'],
      example: () => ({ token: 'not-one-of-ours' }),
    })
    .route({ method: 'POST', path: '/client-invitations/accept' })
    .input(token)
    /** For `/api/auth/sign-in/link`, within minutes; null for who is signed in already. */
    .output(z.object({ signInToken: z.string().nullable() })),
  /** Ends the emails to the address; the specialist keeps what they entered. */
  decline: anybody
    .meta({
      writes: ['care.client_declined service_management person'],
      example: () => ({ token: 'not-one-of-ours' }),
    })
    .route({ method: 'POST', path: '/client-invitations/decline' })
    .input(token)
    .output(z.object({ declined: z.literal(true) })),
};
