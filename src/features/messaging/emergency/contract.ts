import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';

const party = z.object({ name: z.string(), erased: z.boolean() });

/** A conversation as an administrator sees it in an emergency: to read, and no more. */
const opened = z.object({
  id: z.uuid(),
  openedAt: instant,
  endsAt: instant,
  client: party,
  provider: party,
  subject: z.string(),
  /** Ascending; the latest ones. */
  messages: z.array(
    z.object({
      seq: z.number().int(),
      from: z.enum(['client', 'provider']),
      text: z.string(),
      /** What its files are called; they open for the two alone. */
      files: z.array(z.string()),
      sentAt: instant,
    }),
  ),
  /** Whether there are earlier ones. */
  more: z.boolean(),
});

export type OpenedConversation = z.infer<typeof opened>;

const address = z.string().trim().toLowerCase().max(320).pipe(z.email());

const openInput = z.object({
  /** Of the two, in either order. */
  firstEmail: address,
  secondEmail: address,
  reason: lines.min(20).max(2_000),
  confirmation: line.max(100),
  password: z.string().min(1).max(200),
});

export type OpenInput = z.infer<typeof openInput>;

const administrator = procedure.meta({ access: ['manage_users'] });

export const emergencyContract = {
  /**
   * Opens the conversation of two people for half an hour, and tells both; with the password once more. Throws not_found
   * `conversation` where the two have none.
   */
  open: administrator
    .meta({
      writes: ['messages.emergency_opened security conversation'],
      example: () => ({
        firstEmail: 'client@people.example',
        secondEmail: 'provider@people.example',
        reason: 'She wrote that she wants to end her life.',
        confirmation: 'this is an emergency',
        password: 'peace-be-with-you',
      }),
    })
    .route({ method: 'POST', path: '/emergency-access', successStatus: 201 })
    .input(openInput)
    .output(opened),
  /** What this session has open; null for nothing. */
  current: administrator
    .route({ method: 'GET', path: '/emergency-access' })
    .output(z.object({ opened: opened.nullable() })),
  /** Shuts it before its time. */
  close: administrator
    .meta({
      writes: ['messages.emergency_closed security conversation'],
      example: ({ id }) => ({ accessId: id }),
    })
    .route({ method: 'POST', path: '/emergency-access/{accessId}/close' })
    .input(z.object({ accessId: z.uuid() })),
  /** When one’s own conversation was opened in an emergency, the latest first. */
  told: procedure
    .meta({ access: ['send_messages'], example: ({ id }) => ({ conversationId: id }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}/emergency-accesses' })
    .input(z.object({ conversationId: z.uuid() }))
    .output(z.array(z.object({ openedAt: instant }))),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    emergency: typeof emergencyContract;
  }
}
