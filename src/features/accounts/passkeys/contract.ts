import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { attestation, creationOptions, requestOptions } from '../webauthn/contract.ts';

const passkey = z.object({
  id: uuid,
  name: z.string(),
  /** Whether the person's other devices get it. */
  synced: z.boolean(),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
  /** Whether it opens journal and private notes. */
  opensWords: z.boolean(),
});

export type PasskeyView = z.infer<typeof passkey>;

const own = procedure.meta({ access: 'signed_in' });
const list = z.array(passkey);

export const passkeysContract = {
  /** Oldest first. */
  list: own.route({ method: 'GET', path: '/me/passkeys' }).output(list),
  /** For the authenticator to make one. */
  begin: own
    .meta({ unlogged: 'own_matter', example: () => ({}) })
    .route({ method: 'POST', path: '/me/passkeys/begin' })
    .input(z.strictObject({}))
    .output(creationOptions),
  add: own
    .meta({
      writes: ['passkey_added security person'],
      example: () => ({
        passkey: {
          id: 'AA',
          rawId: 'AA',
          type: 'public-key',
          response: { clientDataJSON: 'AA', attestationObject: 'AA', transports: ['internal'] },
        },
      }),
    })
    .route({ method: 'POST', path: '/me/passkeys' })
    .input(z.object({ passkey: attestation }))
    .output(passkey),
  rename: own
    .meta({
      writes: ['passkey_renamed security person'],
      example: ({ id }) => ({ id, name: 'My phone' }),
    })
    .route({ method: 'POST', path: '/me/passkeys/{id}/name' })
    .input(z.object({ id: uuid, name: line.min(1).max(60) }))
    .output(list),
  remove: own
    .meta({ writes: ['passkey_removed security person'], example: ({ id }) => ({ id }) })
    .route({ method: 'POST', path: '/me/passkeys/{id}/remove' })
    .input(z.object({ id: uuid }))
    .output(list),
  /** For reauthentication, or for unlocking the words. */
  ask: own
    .meta({ unlogged: 'own_matter', example: () => ({}) })
    .route({ method: 'POST', path: '/me/passkeys/ask' })
    .input(z.strictObject({ opensWords: z.literal(true).optional() }))
    .output(requestOptions),
};
