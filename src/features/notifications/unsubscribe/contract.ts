import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

/** The kinds of mail that one can do without. */
const kind = z.enum(['devotional', 'community']);

export type OptionalMail = z.infer<typeof kind>;

/** What a mail's link carries: it names a person and a kind, and proves that we wrote it. */
const token = z.string().min(1).max(200);

const choice = z.object({ kind, on: z.boolean() });

/** Whether a person gets mails of a kind. */
export type MailChoice = z.infer<typeof choice>;

/** Asks for and changes what a mail's own link is about, without signing in; any other token answers `not_found`. */
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

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    mailChoice: typeof unsubscribeContract;
  }
}
