import { z } from 'zod';
import { lines, procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';

/** What has become of a reply. */
const states = ['waiting', 'approved', 'rejected'] as const;

export type ReplyState = (typeof states)[number];

/** The longest that a reply and the reason of its refusal can be, in characters. */
export const longestReply = { text: 1_000, reason: 500 } as const;

/** A provider's answer to a review, as they see it themselves. */
export const ownReply = z.object({
  text: z.string(),
  state: z.enum(states),
  /** Why it wasn't published. */
  reason: z.string().nullable(),
  /** The words that everybody reads now, which are others while a change waits; null: none. */
  shownText: z.string().nullable(),
});

export type OwnReply = z.infer<typeof ownReply>;

/** A reply as administrators decide on it, with what it answers. */
const moderatedReply = z.object({
  /** That of the review. */
  id: z.uuid(),
  text: z.string(),
  state: z.enum(states),
  reason: z.string().nullable(),
  shownText: z.string().nullable(),
  /** To be sent with the decision: it is refused once the provider has changed what was read. */
  revision: z.number().int(),
  changedAt: instant,
  provider: z.object({ id: z.uuid(), name: z.string() }),
  review: z.object({
    name: z.string().nullable(),
    rating: z.number().int(),
    text: z.string().nullable(),
    service: z.object({ id: serviceIdShape, title: z.string() }),
  }),
});

export type ModeratedReply = z.infer<typeof moderatedReply>;

const one = z.object({ reviewId: z.uuid() });
const decision = one.extend({ revision: z.number().int().min(1).max(2_147_483_647) });
const decided = z.object({ id: z.uuid(), state: z.enum(states) });
const provider = procedure.meta({ access: ['view_own_analytics'] });
const moderator = procedure.meta({ access: ['moderate_content'] });

export const repliesContract = {
  /** Answers a published review of one's own, or changes the answer; an administrator reads it before it is public. */
  write: provider
    .meta({
      writes: ['review_reply.written service_management review'],
      example: ({ id }) => ({ reviewId: id, text: 'Thank you for your words.' }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/reply' })
    .input(one.extend({ text: lines.min(1).max(longestReply.text) }))
    .output(ownReply),
  /** Takes one's answer back, wherever it stands. */
  withdraw: provider
    .meta({
      writes: ['review_reply.withdrawn service_management review'],
      example: ({ id }) => ({ reviewId: id }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/reply/withdraw' })
    .input(one)
    .output(one),
  /** How many replies wait for a decision. */
  waitingCount: moderator
    .route({ method: 'GET', path: '/review-replies/waiting-count' })
    .output(z.object({ waiting: z.number().int() })),
  /** Replies in one state: those that wait longest first, the others by their decision, latest first. */
  moderation: moderator
    .meta({ example: () => ({ state: 'waiting', offset: 0, limit: 10 }) })
    .route({ method: 'GET', path: '/review-replies' })
    .input(
      z.object({
        state: z.enum(states),
        offset: z.coerce.number().int().min(0).max(100_000).default(0),
        limit: z.coerce.number().int().min(1).max(50).default(10),
      }),
    )
    .output(z.array(moderatedReply)),
  approve: moderator
    .meta({
      writes: ['review_reply.approved service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1 }),
    })
    .route({ method: 'POST', path: '/review-replies/{reviewId}/approve' })
    .input(decision)
    .output(decided),
  /** Refuses a reply that waits, or takes a published one back; the provider reads the reason. */
  reject: moderator
    .meta({
      writes: ['review_reply.rejected service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1, reason: 'It tells of a session.' }),
    })
    .route({ method: 'POST', path: '/review-replies/{reviewId}/reject' })
    .input(decision.extend({ reason: lines.min(1).max(longestReply.reason) }))
    .output(decided),
};
