import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

const token = z.object({ token: z.string().min(1).max(200) });

const addressChange = z.object({
  /** The account's current email, masked. */
  address: z.string(),
  changedAt: z.iso.datetime(),
  /** Null once the undo period is over. */
  undoUntil: z.iso.datetime().nullable(),
  /** Confirmed from both addresses, not an administrator's. */
  byOwner: z.boolean(),
});

export type AddressChange = z.infer<typeof addressChange>;

const anyone = procedure.meta({ access: 'public' });

/** Actions of the link sent to the former address; its token is the only credential. */
export const addressChangeContract = {
  /** Throws `not_found` (`address_change`) for invalid links. POST keeps tokens out of URLs. */
  get: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/address-change/read' })
    .input(token)
    .output(addressChange),
  /** Returns a password reset token. */
  undo: anyone
    .meta({ writes: ['address_change_undone security person'], example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/address-change/undo' })
    .input(token)
    .output(z.object({ resetToken: z.string() })),
  /** Lifts the sign-in block immediately. */
  confirm: anyone
    .meta({ writes: ['address_change_confirmed security person'], example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/address-change/confirm' })
    .input(token)
    .output(z.object({ confirmed: z.literal(true) })),
};
