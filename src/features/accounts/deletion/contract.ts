import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

export const deletionContract = {
  /** Requests deletion after reentering the password; repeating it returns the same date. */
  request: procedure
    .meta({
      access: 'signed_in',
      writes: ['deletion_requested user_management person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/deletion' })
    .input(z.object({ password: z.string().min(1).max(200) }))
    .output(z.object({ deleteAfter: z.iso.datetime() })),
  keep: procedure
    .meta({ access: 'signed_in', writes: ['deletion_undone user_management person'] })
    .route({ method: 'POST', path: '/me/deletion/undo' })
    .output(z.object({ deleteAfter: z.null() })),
};
