import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';
import { mailKinds } from '#/kernel/mail-kinds.ts';

/** Why a mail couldn't be delivered, by the mail server's last word. */
const faults = ['address', 'full', 'too_large', 'blocked', 'unreachable', 'expired', 'other'] as const;
export type Fault = (typeof faults)[number];

/** A mail that couldn't be delivered: nothing of what it says, and only a hint of whom it is for. */
const undeliveredMail = z.object({
  id: z.uuid(),
  /** Such as `na•••@people.example`. */
  to: z.string(),
  /** Null for those written before kinds were. */
  kind: z.enum(mailKinds).nullable(),
  writtenAt: instant,
  failedAt: instant,
  fault: z.enum(faults),
  /** What the mail server replied, in its own codes; null: it didn't. */
  code: z.string().nullable(),
  /** Its link has expired, or what it tells is over: it isn't sent again. */
  expired: z.boolean(),
});

export type UndeliveredMail = z.infer<typeof undeliveredMail>;

const administration = procedure.meta({ access: ['manage_settings'] });
const one = z.strictObject({ mailId: z.uuid() });

export const undeliveredContract = {
  /** The newest failures first; the next page is asked for with the time and the id of the last one that was read. */
  list: administration
    .meta({ example: () => ({ limit: 10 }) })
    .route({ method: 'GET', path: '/admin/undelivered' })
    .input(
      z.object({
        beforeAt: instant.optional(),
        beforeId: z.uuid().optional(),
        limit: z.coerce.number().int().min(1).max(100).default(25),
      }),
    )
    .output(
      z.object({
        mails: z.array(undeliveredMail),
        more: z.boolean(),
        /** All there are, and how many of them can be sent again. */
        total: z.number().int(),
        sendable: z.number().int(),
      }),
    ),
  /** Refused with `mail_expired` where its link has expired. */
  sendAgain: administration
    .meta({ writes: ['mail.sent_again system_settings mail'], example: ({ id }) => ({ mailId: id }) })
    .route({ method: 'POST', path: '/admin/undelivered/{mailId}/send-again' })
    .input(one)
    .output(z.object({ mailId: z.uuid() })),
  /** Sends all again but those that have expired. */
  sendAllAgain: administration
    .meta({ writes: ['mail.sent_again system_settings mail'], example: () => ({}) })
    .route({ method: 'POST', path: '/admin/undelivered/send-again' })
    .input(z.strictObject({}))
    .output(z.object({ sent: z.number().int(), expired: z.number().int() })),
  /** Deletes one for good, unsent. */
  dismiss: administration
    .meta({ writes: ['mail.dismissed system_settings mail'], example: ({ id }) => ({ mailId: id }) })
    .route({ method: 'POST', path: '/admin/undelivered/{mailId}/dismiss' })
    .input(one)
    .output(z.object({ mailId: z.uuid() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    undelivered: typeof undeliveredContract;
  }
}
