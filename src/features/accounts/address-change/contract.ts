import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

const token = z.object({ token: z.string().min(1).max(200) });

/** What the page of the mailed link shows. */
const addressChange = z.object({
  /** The account's address now, masked. */
  address: z.string(),
  changedAt: z.iso.datetime(),
  /** Null: it can't be undone any more. */
  undoUntil: z.iso.datetime().nullable(),
});

export type AddressChange = z.infer<typeof addressChange>;

const anyone = procedure.meta({ access: 'public' });

/** What somebody can do with the link that was mailed to the address that an account had; it is all they need. */
export const addressChangeContract = {
  /** Answers not_found `address_change` for a link that works no more. Posted: tokens don't belong into a URL. */
  get: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/address-change/read' })
    .input(token)
    .output(addressChange),
  /** Gives the account its former address back; with a token that sets a new password. */
  undo: anyone
    .meta({ writes: ['address_change_undone security person'], example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/address-change/undo' })
    .input(token)
    .output(z.object({ resetToken: z.string() })),
  /** Lets the new address in at once. */
  confirm: anyone
    .meta({ writes: ['address_change_confirmed security person'], example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/address-change/confirm' })
    .input(token)
    .output(z.object({ confirmed: z.literal(true) })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    addressChange: typeof addressChangeContract;
  }
}
