import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { assertion } from '../webauthn/contract.ts';

const reauthenticateInput = z.object({
  password: z.string().min(1).max(200).optional(),
  code: z.string().trim().min(1).max(40).optional(),
  passkey: assertion.optional(),
});

export type ReauthenticateInput = z.infer<typeof reauthenticateInput>;

export const reauthenticationContract = {
  confirm: procedure
    .meta({
      access: 'signed_in',
      writes: ['reauthenticated security person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/reauthentication' })
    .input(reauthenticateInput)
    .output(z.object({ freshUntil: z.iso.datetime() })),
};
