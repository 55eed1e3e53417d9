import { z } from 'zod';
import { emailAddress, procedure } from '#/features/access/contract.ts';

export const emailChangeSides = ['former', 'new'] as const;

export type EmailChangeSide = (typeof emailChangeSides)[number];

const emailChange = z.object({
  address: z.string(),
  formerConfirmed: z.boolean(),
  newConfirmed: z.boolean(),
  expiresAt: z.iso.datetime(),
});

export type EmailChange = z.infer<typeof emailChange>;

const linked = z.object({
  address: z.string(),
  /** Where the link was sent. */
  side: z.enum(emailChangeSides),
});

export type LinkedEmailChange = z.infer<typeof linked>;

const confirmed = linked.extend({
  /** False until the other address confirms. */
  changed: z.boolean(),
});

export type ConfirmedEmailChange = z.infer<typeof confirmed>;

const token = z.object({ token: z.string().min(1).max(200) });

const own = procedure.meta({ access: 'signed_in' });

export const emailChangeContract = {
  get: own.route({ method: 'GET', path: '/me/email-change' }).output(emailChange.nullable()),
  /** Ends an earlier request. */
  request: own
    .meta({
      writes: ['email_change_requested security person'],
      example: () => ({ email: 'naomi.weiss@people.example' }),
    })
    .route({ method: 'POST', path: '/me/email-change' })
    .input(z.object({ email: emailAddress }))
    .output(emailChange),
  /** Earlier links still work. */
  resend: own
    .meta({ writes: ['email_change_requested security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/email-change/resend' })
    .input(z.strictObject({}))
    .output(emailChange),
  cancel: own
    .meta({ writes: ['email_change_canceled security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/email-change/cancel' })
    .input(z.strictObject({}))
    .output(z.null()),
  /** POST keeps tokens out of URLs. */
  read: procedure
    .meta({ access: 'public', unlogged: 'asks', example: () => ({ token: 'not-a-token' }) })
    .route({ method: 'POST', path: '/email-change/read' })
    .input(token)
    .output(linked),
  confirm: procedure
    .meta({
      access: 'public',
      writes: ['email_change_confirmed security person'],
      example: () => ({ token: 'not-a-token' }),
    })
    .route({ method: 'POST', path: '/email-change/confirm' })
    .input(token)
    .output(confirmed),
};
