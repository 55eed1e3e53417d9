import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';

const words = line.max(200);

/** `open` waits for an answer. */
const states = ['open', 'answered', 'closed'] as const;
export type ContactState = (typeof states)[number];

const listedMessage = z.object({
  id: uuid,
  name: z.string(),
  subject: z.string(),
  excerpt: z.string(),
  sentAt: instant,
  state: z.enum(states),
});

const answer = z.object({
  id: uuid,
  text: z.string(),
  writtenAt: instant,
  author: z.object({ id: uuid, name: z.string() }).nullable(),
  /** Null while it can still be taken back. */
  mailedAt: instant.nullable(),
});

const openedMessage = listedMessage.omit({ excerpt: true }).extend({
  email: z.string(),
  message: z.string(),
  /** Null if the sender wasn't signed in. */
  personId: uuid.nullable(),
  /** Oldest first. */
  answers: z.array(answer),
  note: z.string(),
  closed: z.object({ at: instant, by: z.string().nullable() }).nullable(),
});

export type ListedMessage = z.infer<typeof listedMessage>;
export type ContactAnswer = z.infer<typeof answer>;
export type OpenedMessage = z.infer<typeof openedMessage>;

const sendInput = z.object({
  name: words.min(1),
  email: z.email().max(254),
  subject: words.min(1),
  message: lines.min(1).max(5_000),
  /** Token from `form`. */
  token: z.string().min(1).max(500),
  /** Solution of the token's challenge. */
  solution: z
    .number()
    .int()
    .min(1)
    .max(2 ** 40),
  /** Honeypot: must stay empty. */
  website: words.default(''),
});

export type SendInput = z.infer<typeof sendInput>;

const messageId = z.object({ messageId: uuid });
const answerInput = messageId.extend({
  /** Repeating an answer by id sends it once. */
  answerId: uuid.optional(),
  text: lines.min(1).max(5_000),
  /** How many answers the writer saw. */
  seen: z.number().int().min(0).max(10_000),
});

export type AnswerInput = z.infer<typeof answerInput>;

const inbox = procedure.meta({ access: ['access_admin_panel'] });

export const contactContract = {
  /** A timestamped token with a challenge. */
  form: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/contact/form' })
    .output(z.object({ token: z.string(), challenge: z.string(), waitSeconds: z.number().int() })),
  send: procedure
    .meta({
      access: 'public',
      writes: ['contact.received service_management contact_message'],
      example: () => ({
        name: 'Naomi Weiss',
        email: 'naomi@weiss.example',
        subject: 'A question',
        message: 'How do I begin?',
        token: 'not one of ours',
        solution: 7,
        website: '',
      }),
    })
    .route({ method: 'POST', path: '/contact/messages', successStatus: 201 })
    .input(sendInput)
    .output(z.object({ sentAt: instant })),
  /**
   * Lists messages newest first; `next` is the cursor. Searches scan a limited batch per call, so `next` may come
   * without matches. POST keeps personal data out of URLs.
   */
  inbox: inbox
    .meta({
      writes: ['contact.inbox_viewed security'],
      example: ({ id, startsAt }) => ({
        state: 'open',
        search: 'begin',
        lastSentAt: startsAt,
        lastId: id,
        limit: 10,
      }),
    })
    .route({ method: 'POST', path: '/contact/messages/search' })
    .input(
      z.object({
        state: z.enum(states).default('open'),
        /** Ignored below three characters. */
        search: words.default(''),
        lastSentAt: instant.optional(),
        lastId: uuid.optional(),
        limit: z.number().int().min(1).max(100).default(25),
      }),
    )
    .output(
      z.object({
        messages: z.array(listedMessage),
        next: z.object({ lastSentAt: instant, lastId: uuid }).nullable(),
        open: z.number().int(),
      }),
    ),
  get: inbox
    .meta({ writes: ['contact.viewed security contact_message'], example: ({ id }) => ({ messageId: id }) })
    .route({ method: 'GET', path: '/contact/messages/{messageId}' })
    .input(messageId)
    .output(openedMessage),
  /** Emails the answer after a moment in which it can be taken back. Throws `conflict` (`answered_meanwhile`). */
  answer: inbox
    .meta({
      writes: ['contact.answered service_management contact_message'],
      example: ({ id }) => ({
        messageId: id,
        answerId: id,
        text: 'Start with the list of specialists.',
        seen: 0,
      }),
    })
    .route({ method: 'POST', path: '/contact/messages/{messageId}/answers' })
    .input(answerInput)
    .output(openedMessage),
  /** Undoes an answer that isn't emailed yet. Throws `conflict` (`already_mailed`). */
  undoAnswer: inbox
    .meta({
      writes: ['contact.answer_taken_back service_management contact_message'],
      example: ({ id }) => ({ answerId: id }),
    })
    .route({ method: 'POST', path: '/contact/answers/{answerId}/take-back' })
    .input(z.object({ answerId: uuid }))
    .output(openedMessage),
  close: inbox
    .meta({
      writes: ['contact.closed service_management contact_message'],
      example: ({ id }) => ({ messageId: id }),
    })
    .route({ method: 'POST', path: '/contact/messages/{messageId}/close' })
    .input(messageId)
    .output(openedMessage),
  reopen: inbox
    .meta({
      writes: ['contact.reopened service_management contact_message'],
      example: ({ id }) => ({ messageId: id }),
    })
    .route({ method: 'POST', path: '/contact/messages/{messageId}/reopen' })
    .input(messageId)
    .output(openedMessage),
  /** Internal note. Throws `conflict` (`annotated_meanwhile`). */
  annotate: inbox
    .meta({
      writes: ['contact.annotated service_management contact_message'],
      example: ({ id }) => ({ messageId: id, note: 'Called back.', seen: '' }),
    })
    .route({ method: 'POST', path: '/contact/messages/{messageId}/note' })
    .input(
      messageId.extend({
        note: lines.max(2_000),
        /** The note that the writer saw. */
        seen: lines.max(2_000),
      }),
    )
    .output(openedMessage),
};
