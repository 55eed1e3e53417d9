import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

const clientInvitation = z.object({
  /** `sign_in`: the address has an account. `other`: the caller is signed in to another one. */
  state: z.enum(['open', 'sign_in', 'other']),
  /** Null unless the caller can accept. */
  offer: z
    .object({
      provider: z.object({ name: z.string(), title: z.string(), photoUrl: z.string().nullable() }),
      /** Soonest first. */
      sessions: z.array(
        z.object({
          startsAt: instant,
          endsAt: instant,
          /** The provider's time zone. */
          timeZone: z.string(),
          sessionType: z.enum(sessionTypes),
        }),
      ),
      /** Accepting also signs in, to a new account or one without a password. */
      signsIn: z.boolean(),
    })
    .nullable(),
});

export type ClientInvitation = z.infer<typeof clientInvitation>;

const token = z.object({ token: z.string().min(1).max(200) });
const anybody = procedure.meta({ access: 'public' });

/** POST keeps tokens out of URLs. */
export const claimsContract = {
  /** Reads an invitation; returns `not_found` for expired or used links. */
  read: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-one-of-ours' }) })
    .route({ method: 'POST', path: '/client-invitations/read' })
    .input(token)
    .output(clientInvitation),
  /** Moves sessions to the address's account, perhaps new. */
  accept: anybody
    .meta({
      writes: ['care.client_claimed service_management person'],
      example: () => ({ token: 'not-one-of-ours' }),
    })
    .route({ method: 'POST', path: '/client-invitations/accept' })
    .input(token)
    /** For `/api/auth/sign-in/link`; expires within minutes. Null if signed in. */
    .output(z.object({ signInToken: z.string().nullable() })),
  /** Stops emails; the specialist keeps the record. */
  decline: anybody
    .meta({
      writes: ['care.client_declined service_management person'],
      example: () => ({ token: 'not-one-of-ours' }),
    })
    .route({ method: 'POST', path: '/client-invitations/decline' })
    .input(token)
    .output(z.object({ declined: z.literal(true) })),
};
