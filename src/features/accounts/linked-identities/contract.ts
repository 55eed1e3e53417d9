import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { identityInputs, signedMessage } from '../identity/contract.ts';

const identity = z.object({
  id: uuid,
  /** The provider's label, or its issuer once it's no longer offered. A wallet's has its shortened address. */
  label: z.string(),
  /** The provider's id if it's offered; `web3` for wallets. */
  provider: z.string().nullable(),
  /** At the provider. */
  email: z.string().nullable(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
});

export type IdentityView = z.infer<typeof identity>;

const own = procedure.meta({ access: 'signed_in' });
/** Oldest first. */
const list = z.array(identity);
const provider = z.string().min(1).max(31);
const { address } = identityInputs['/request-wallet'].shape;

export const identitiesContract = {
  list: own.route({ method: 'GET', path: '/me/identities' }).output(list),
  /** Returns the provider's page for the browser. */
  begin: own
    .meta({ unlogged: 'own_matter', example: () => ({ provider: 'church' }) })
    .route({ method: 'POST', path: '/me/identities/begin' })
    .input(z.object({ provider }))
    .output(z.object({ continueAt: z.string() })),
  /** `answer` is the query that the provider sent the browser back with. */
  connect: own
    .meta({
      writes: ['identity_connected security person'],
      example: () => ({ provider: 'church', answer: '?code=x&state=y' }),
    })
    .route({ method: 'POST', path: '/me/identities' })
    .input(z.object({ provider, answer: z.string().min(1).max(4_000) }))
    .output(list),
  /** Returns the message to sign (EIP-4361). */
  beginWallet: own
    .meta({ unlogged: 'own_matter', example: () => ({ address: `0x${'a1'.repeat(20)}` }) })
    .route({ method: 'POST', path: '/me/identities/wallet/begin' })
    .input(z.object({ address }))
    .output(z.object({ message: z.string() })),
  connectWallet: own
    .meta({
      writes: ['identity_connected security person'],
      example: () => ({ message: 'x', signature: '0x' }),
    })
    .route({ method: 'POST', path: '/me/identities/wallet' })
    .input(z.object(signedMessage))
    .output(list),
  remove: own
    .meta({ writes: ['identity_disconnected security person'], example: ({ id }) => ({ id }) })
    .route({ method: 'POST', path: '/me/identities/{id}/remove' })
    .input(z.object({ id: uuid }))
    .output(list),
};
