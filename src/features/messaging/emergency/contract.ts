import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { longestReason, shortestReason } from '../rules.ts';

const party = z.object({ name: z.string(), erased: z.boolean() });

const opened = z.object({
  id: uuid,
  openedAt: instant,
  endsAt: instant,
  client: party,
  provider: party,
  subject: z.string(),
  /** Latest messages, ascending. */
  messages: z.array(
    z.object({
      seq: z.number().int(),
      from: z.enum(['client', 'provider']),
      text: z.string(),
      /** File names only: administrators can't open attachments. */
      files: z.array(z.string()),
      sentAt: instant,
    }),
  ),
  more: z.boolean(),
});

export type OpenedConversation = z.infer<typeof opened>;

const address = z.string().trim().toLowerCase().max(320).regex(z.regexes.email);

const openInput = z.object({
  /** Either order. */
  firstEmail: address,
  secondEmail: address,
  reason: lines.min(shortestReason).max(longestReason),
  confirmation: line.max(100),
  password: z.string().min(1).max(200),
});

export type OpenInput = z.infer<typeof openInput>;

const administrator = procedure.meta({ access: ['manage_users'] });

export const emergencyContract = {
  /**
   * Opens a conversation for 30 minutes after a password check, and notifies both members. Throws `not_found` if the
   * two have no conversation.
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
  current: administrator
    .route({ method: 'GET', path: '/emergency-access' })
    .output(z.object({ opened: opened.nullable() })),
  close: administrator
    .meta({
      writes: ['messages.emergency_closed security conversation'],
      example: ({ id }) => ({ accessId: id }),
    })
    .route({ method: 'POST', path: '/emergency-access/{accessId}/close' })
    .input(z.object({ accessId: uuid })),
  openings: procedure
    .meta({ access: ['send_messages'], example: ({ id }) => ({ conversationId: id }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}/emergency-accesses' })
    .input(z.object({ conversationId: uuid }))
    .output(z.array(z.object({ openedAt: instant }))),
};
