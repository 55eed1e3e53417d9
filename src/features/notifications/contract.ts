import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { mailKinds } from '#/kernel/mail-kinds.ts';

const faults = ['address', 'full', 'too_large', 'blocked', 'unreachable', 'expired', 'other'] as const;
export type Fault = (typeof faults)[number];

/** An undelivered email, without its content and with a masked recipient. */
const undeliveredMail = z.object({
  id: uuid,
  /** Such as `na•••@people.example`. */
  to: z.string(),
  /** Null for emails from before kinds existed. */
  kind: z.enum(mailKinds).nullable(),
  writtenAt: instant,
  failedAt: instant,
  fault: z.enum(faults),
  /** SMTP codes; null without a reply. */
  code: z.string().nullable(),
  /** Its link has expired or its news is outdated, so it can't be resent. */
  expired: z.boolean(),
});

export type UndeliveredMail = z.infer<typeof undeliveredMail>;

const administration = procedure.meta({ access: ['manage_settings'] });
const one = z.strictObject({ mailId: uuid });

export const undeliveredContract = {
  /** Newest failures first. The cursor is the last item's time and ID. */
  list: administration
    .meta({ example: () => ({ limit: 10 }) })
    .route({ method: 'GET', path: '/admin/undelivered' })
    .input(
      z.object({
        beforeAt: instant.optional(),
        beforeId: uuid.optional(),
        limit: z.coerce.number().int().min(1).max(100).default(25),
      }),
    )
    .output(
      z.object({
        mails: z.array(undeliveredMail),
        more: z.boolean(),
        total: z.number().int(),
        sendable: z.number().int(),
      }),
    ),
  /** Throws `mail_expired` if it can't be resent. */
  sendAgain: administration
    .meta({ writes: ['mail.sent_again system_settings mail'], example: ({ id }) => ({ mailId: id }) })
    .route({ method: 'POST', path: '/admin/undelivered/{mailId}/send-again' })
    .input(one)
    .output(z.object({ mailId: uuid })),
  sendAllAgain: administration
    .meta({ writes: ['mail.sent_again system_settings mail'], example: () => ({}) })
    .route({ method: 'POST', path: '/admin/undelivered/send-again' })
    .input(z.strictObject({}))
    .output(z.object({ sent: z.number().int(), expired: z.number().int() })),
  dismiss: administration
    .meta({ writes: ['mail.dismissed system_settings mail'], example: ({ id }) => ({ mailId: id }) })
    .route({ method: 'POST', path: '/admin/undelivered/{mailId}/dismiss' })
    .input(one)
    .output(z.object({ mailId: uuid })),
};

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

const trayMail = z.object({
  id: uuid,
  recipient: z.string(),
  subject: z.string(),
  writtenAt: instant,
});

const openedMail = trayMail.extend({
  text: z.string(),
  html: z.string(),
  attachments: z.array(z.object({ filename: z.string(), contentType: z.string(), content: z.string() })),
});

export type TrayMail = z.infer<typeof trayMail>;
export type OpenedMail = z.infer<typeof openedMail>;

/** Emails a demo stores instead of sending. Outside demo mode, both procedures throw `not_found`. */
export const mailTrayContract = {
  /** Newest first. */
  list: procedure
    .meta({ access: 'public', example: () => ({ limit: 10 }) })
    .route({ method: 'GET', path: '/mail-tray' })
    .input(z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }))
    .output(z.array(trayMail)),
  get: procedure
    .meta({ access: 'public', example: ({ id }) => ({ id: id }) })
    .route({ method: 'GET', path: '/mail-tray/{id}' })
    .input(z.object({ id: uuid }))
    .output(openedMail),
};
