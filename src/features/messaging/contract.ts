import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { noDirectionControls } from '#/kernel/text.ts';
import { attachment } from './attachments/contract.ts';

const counterpart = z.object({
  id: uuid,
  name: z.string(),
  title: z.string().nullable(),
  kind: z.enum(['doctor', 'pastor']).nullable(),
  photoUrl: z.string().nullable(),
  /** Account deleted: messages stay, identifying details don't. */
  erased: z.boolean(),
});

/** A message from one member's view. `seq` numbers a conversation's messages from 1, without gaps. */
const message = z.object({
  /** Client-generated: resending stores the message once. */
  id: uuid,
  seq: z.number().int(),
  mine: z.boolean(),
  text: z.string(),
  attachments: z.array(attachment),
  sentAt: instant,
});

const conversation = z.object({
  id: uuid,
  subject: z.string(),
  with: counterpart,
  /** Last message. `text` is its first 140 characters, empty if it only has attachments. */
  last: z.object({ mine: z.boolean(), text: z.string(), attachments: z.number().int(), sentAt: instant }),
  lastSeq: z.number().int(),
  unread: z.number().int(),
  /** Read positions as a `seq`; 0 means nothing read. */
  readSeq: z.number().int(),
  readByOther: z.number().int(),
  closed: z.enum(['erased', 'not_served']).nullable(),
});

export type Counterpart = z.infer<typeof counterpart>;
export type Message = z.infer<typeof message>;
export type Conversation = z.infer<typeof conversation>;

/** In characters. */
const longestMessage = 5_000;
const maxAttachments = 5;

/** Upper bound for `seq`, far beyond real conversations. */
const maxMessages = 999_999_999;

const member = procedure.meta({ access: ['send_messages'] });
// Read positions and drafts aren't audited: they're private.
const unlogged = procedure.meta({ access: ['send_messages'], unlogged: 'own_matter' });
const one = z.object({ conversationId: uuid });
const text = lines
  .overwrite((words) => words.replaceAll(/\r\n?/g, '\n'))
  .normalize('NFC')
  .max(longestMessage)
  .regex(noDirectionControls);
const written = z.object({
  messageId: uuid,
  text,
  attachmentIds: z.array(uuid).max(maxAttachments).default([]),
});

export type MessageText = z.infer<typeof written>;

const openInput = written.extend({
  /** Client-generated: resubmitting opens one conversation. */
  conversationId: uuid,
  withId: uuid,
  subject: line.normalize('NFC').min(1).max(120),
});

export type OpenInput = z.infer<typeof openInput>;

const conversationsContract = {
  /** Your conversations, latest message first. `beforeAt` and `beforeId` form the cursor: pass both or neither. */
  list: member
    .meta({ example: ({ id, startsAt }) => ({ beforeAt: startsAt, beforeId: id, limit: 10 }) })
    .route({ method: 'GET', path: '/conversations' })
    .input(
      z.object({
        beforeAt: instant.optional(),
        beforeId: uuid.optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
    )
    .output(z.object({ conversations: z.array(conversation), more: z.boolean() })),
  get: member
    .meta({ example: ({ id }) => ({ conversationId: id }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}' })
    .input(one)
    .output(conversation),
  unread: member
    .route({ method: 'GET', path: '/conversations/unread' })
    .output(z.object({ messages: z.number().int(), conversations: z.number().int() })),
  /** Returns a person you may write to and any existing conversation. Throws `not_found` if you can't. */
  withPerson: member
    .meta({ example: ({ clientId }) => ({ personId: clientId }) })
    .route({ method: 'GET', path: '/conversations/with/{personId}' })
    .input(z.object({ personId: uuid }))
    .output(z.object({ person: counterpart, conversation: conversation.nullable() })),
  /** Opens a conversation with its first message, or adds the message to an existing one. */
  open: member
    .meta({
      writes: ['messages.opened service_management conversation', 'messages.sent service_management message'],
      example: ({ id, clientId }) => ({
        conversationId: id,
        withId: clientId,
        subject: 'Thursday',
        messageId: id,
        text: 'May I come earlier?',
        attachmentIds: [],
      }),
    })
    .route({ method: 'POST', path: '/conversations', successStatus: 201 })
    .input(openInput)
    .output(conversation),
  /** Never moves the read position back. */
  read: unlogged
    .meta({ example: ({ id }) => ({ conversationId: id, seq: 1 }) })
    .route({ method: 'POST', path: '/conversations/{conversationId}/read' })
    .input(one.extend({ seq: z.number().int().min(0).max(maxMessages) }))
    .output(conversation),
  draft: member
    .meta({ example: ({ id }) => ({ conversationId: id }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}/draft' })
    .input(one)
    .output(z.object({ text: z.string() })),
  saveDraft: unlogged
    .meta({ example: ({ id }) => ({ conversationId: id, text: 'May I' }) })
    .route({ method: 'POST', path: '/conversations/{conversationId}/draft' })
    .input(one.extend({ text }))
    .output(z.object({ text: z.string() })),
};

const messagesContract = {
  /** Ascending: after `after`, before `before`, or the latest. */
  list: member
    .meta({ example: ({ id }) => ({ conversationId: id, after: 1, before: 9, limit: 10 }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}/messages' })
    .input(
      one.extend({
        after: z.coerce.number().int().min(0).max(maxMessages).optional(),
        before: z.coerce.number().int().min(1).max(maxMessages).optional(),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
    )
    .output(z.object({ messages: z.array(message), more: z.boolean() })),
  send: member
    .meta({
      writes: ['messages.sent service_management message'],
      example: ({ id }) => ({
        conversationId: id,
        messageId: id,
        text: 'May I come earlier?',
        attachmentIds: [],
      }),
    })
    .route({ method: 'POST', path: '/conversations/{conversationId}/messages', successStatus: 201 })
    .input(one.extend(written.shape))
    .output(message),
  /**
   * Searches your messages in batches, latest first; `next` is the cursor, null at the end. Texts are encrypted without
   * a search index, so each batch is decrypted and scanned. POST keeps confidential words out of URLs.
   */
  search: member
    .meta({
      access: ['send_messages'],
      unlogged: 'asks',
      example: ({ id }) => ({ words: 'earlier', next: `1~${id}` }),
    })
    .route({ method: 'POST', path: '/messages/search' })
    .input(z.object({ words: line.min(2).max(100), next: z.string().max(200).optional() }))
    .output(
      z.object({
        found: z.array(z.object({ conversation, message })),
        looked: z.number().int(),
        next: z.string().nullable(),
      }),
    ),
};

export const messagingContract = {
  conversations: conversationsContract,
  messages: messagesContract,
};
