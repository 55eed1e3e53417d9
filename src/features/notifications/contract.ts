import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';

const trayMail = z.object({
  id: z.uuid(),
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
    .input(z.object({ id: z.uuid() }))
    .output(openedMail),
};
