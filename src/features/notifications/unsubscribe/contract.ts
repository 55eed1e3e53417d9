import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

const kind = z.enum(['devotional', 'community']);

export type OptionalMail = z.infer<typeof kind>;

/** Signed: person and kind. */
const token = z.string().min(1).max(200);

const choice = z.object({ kind, on: z.boolean() });

export type MailChoice = z.infer<typeof choice>;

/** Reads and changes an email preference through its link, without sign-in. Throws `not_found` for an invalid token. */
export const unsubscribeContract = {
  get: procedure
    .meta({ access: 'public', example: () => ({ token: 'devotional.x.y' }) })
    .route({ method: 'GET', path: '/mail-choice' })
    .input(z.object({ token }))
    .output(choice),
  set: procedure
    .meta({
      access: 'public',
      writes: ['preferences_changed user_management person'],
      example: () => ({ token: 'devotional.x.y', on: false }),
    })
    .route({ method: 'POST', path: '/mail-choice' })
    .input(z.object({ token, on: z.boolean() }))
    .output(choice),
};
