import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';
import { attachment } from './attachments/contract.ts';

/** The other one of a conversation. */
const counterpart = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Of a provider. */
  title: z.string().nullable(),
  kind: z.enum(['doctor', 'pastor']).nullable(),
  photoUrl: z.string().nullable(),
  /** Their account is deleted: what was written stays, without what names them. */
  erased: z.boolean(),
});

/** A message as one of the two sees it. `seq` counts the messages of a conversation from 1, without a gap: their one order. */
const message = z.object({
  /** Made by its sender: sent twice, it is stored once. */
  id: z.uuid(),
  seq: z.number().int(),
  mine: z.boolean(),
  text: z.string(),
  attachments: z.array(attachment),
  sentAt: instant,
});

/** A conversation as one of the two sees it. */
const conversation = z.object({
  id: z.uuid(),
  subject: z.string(),
  with: counterpart,
  /** Of the last message; `text` is its beginning, at most 140 characters, empty where it only brings files. */
  last: z.object({ mine: z.boolean(), text: z.string(), attachments: z.number().int(), sentAt: instant }),
  lastSeq: z.number().int(),
  /** How many of the other's messages one hasn't read. */
  unread: z.number().int(),
  /** How far one has read, and how far the other has: a `seq`, 0 for nothing. */
  readSeq: z.number().int(),
  readByOther: z.number().int(),
  /** Why nothing can be written any more. */
  closed: z.enum(['erased', 'not_served']).nullable(),
});

export type Counterpart = z.infer<typeof counterpart>;
export type Message = z.infer<typeof message>;
export type Conversation = z.infer<typeof conversation>;

/** The longest message, in characters. */
const longestMessage = 5_000;
/** How many files one message brings at most. */
const mostAttachments = 5;

/** More messages than any conversation has. */
const mostMessages = 999_999_999;

const member = procedure.meta({ access: ['send_messages'] });
// How far somebody has read, and what they haven't sent.
const unlogged = procedure.meta({ access: ['send_messages'], unlogged: 'own_matter' });
const one = z.object({ conversationId: z.uuid() });
/** What turns the direction of the words around it: by it a text can be made to read as what it isn't (UAX #9). */
const noDirectionControls = /^[^\u202A-\u202E\u2066-\u2069]*$/u;
const text = lines
  .overwrite((words) => words.replaceAll(/\r\n?/g, '\n'))
  .normalize('NFC')
  .max(longestMessage)
  .regex(noDirectionControls);
/** Has words or files. */
const written = z.object({
  messageId: z.uuid(),
  text,
  attachmentIds: z.array(z.uuid()).max(mostAttachments).default([]),
});

export type Written = z.infer<typeof written>;

const openInput = written.extend({
  /** Made when the form opens: sent twice, it is opened once. */
  conversationId: z.uuid(),
  withId: z.uuid(),
  subject: line.normalize('NFC').min(1).max(120).regex(noDirectionControls),
});

export type OpenInput = z.infer<typeof openInput>;

const conversationsContract = {
  /** One's own, the one with the latest message first; after the one that `beforeAt` and `beforeId` name, both or neither. */
  list: member
    .meta({ example: ({ id, startsAt }) => ({ beforeAt: startsAt, beforeId: id, limit: 10 }) })
    .route({ method: 'GET', path: '/conversations' })
    .input(
      z.object({
        beforeAt: instant.optional(),
        beforeId: z.uuid().optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
    )
    .output(z.object({ conversations: z.array(conversation), more: z.boolean() })),
  get: member
    .meta({ example: ({ id }) => ({ conversationId: id }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}' })
    .input(one)
    .output(conversation),
  /** How many messages wait for oneself, in how many conversations. */
  unread: member
    .route({ method: 'GET', path: '/conversations/unread' })
    .output(z.object({ messages: z.number().int(), conversations: z.number().int() })),
  /** Whom one would write to, and the conversation with them where there is one; not_found for whom one may not write to. */
  withPerson: member
    .meta({ example: ({ clientId }) => ({ personId: clientId }) })
    .route({ method: 'GET', path: '/conversations/with/{personId}' })
    .input(z.object({ personId: z.uuid() }))
    .output(z.object({ person: counterpart, conversation: conversation.nullable() })),
  /** Opens one with its first message; where the two have one already, the message is added to it. */
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
  /** Says that one has read up to a message; never less than before. */
  read: unlogged
    .meta({ example: ({ id }) => ({ conversationId: id, seq: 1 }) })
    .route({ method: 'POST', path: '/conversations/{conversationId}/read' })
    .input(one.extend({ seq: z.number().int().min(0).max(mostMessages) }))
    .output(conversation),
  /** What one has begun to write; empty for nothing. */
  draft: member
    .meta({ example: ({ id }) => ({ conversationId: id }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}/draft' })
    .input(one)
    .output(z.object({ text: z.string() })),
  keepDraft: unlogged
    .meta({ example: ({ id }) => ({ conversationId: id, text: 'May I' }) })
    .route({ method: 'POST', path: '/conversations/{conversationId}/draft' })
    .input(one.extend({ text }))
    .output(z.object({ text: z.string() })),
};

const messagesContract = {
  /** Ascending: those after `after`, or else those before `before`, or else the latest. */
  list: member
    .meta({ example: ({ id }) => ({ conversationId: id, after: 1, before: 9, limit: 10 }) })
    .route({ method: 'GET', path: '/conversations/{conversationId}/messages' })
    .input(
      one.extend({
        after: z.coerce.number().int().min(0).max(mostMessages).optional(),
        before: z.coerce.number().int().min(1).max(mostMessages).optional(),
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
   * Looks through one's own messages for words, the latest first, some hundred at a time: `next` says from where to go
   * on, null at the end. Nothing is stored by which one could search without opening them. Posted, since what was written
   * in confidence doesn't belong into a URL.
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
        /** How many messages were looked through now. */
        looked: z.number().int(),
        next: z.string().nullable(),
      }),
    ),
};

/** Messaging: whom one writes with, and what. */
export const messagingContract = {
  conversations: conversationsContract,
  messages: messagesContract,
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    messaging: typeof messagingContract;
  }
}
