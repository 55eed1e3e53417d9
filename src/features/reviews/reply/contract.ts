import { z } from 'zod';
import { lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';

const states = ['waiting', 'approved', 'rejected'] as const;

export type ReplyState = (typeof states)[number];

/** Maximum lengths in characters. */
const longestReply = { text: 1_000, reason: 500 } as const;

export const ownReply = z.object({
  text: z.string(),
  state: z.enum(states),
  reason: z.string().nullable(),
  /** The public text, which differs while an edit is waiting; null if nothing is public. */
  shownText: z.string().nullable(),
});

export type OwnReply = z.infer<typeof ownReply>;

const moderatedReply = z.object({
  /** The review's id. */
  id: uuid,
  text: z.string(),
  state: z.enum(states),
  reason: z.string().nullable(),
  shownText: z.string().nullable(),
  /** Decisions on outdated revisions are refused. */
  revision: z.number().int(),
  changedAt: instant,
  provider: z.object({ id: uuid, name: z.string() }),
  review: z.object({
    name: z.string().nullable(),
    rating: z.number().int(),
    text: z.string().nullable(),
    service: z.object({ id: serviceIdShape, title: z.string() }),
  }),
});

export type ModeratedReply = z.infer<typeof moderatedReply>;

const one = z.object({ reviewId: uuid });
const decision = one.extend({
  revision: z.number().int().min(1).max(2_147_483_647),
  /** The state the administrator saw. */
  from: z.enum(states).optional(),
});
const decided = z.object({ id: uuid, state: z.enum(states) });
const provider = procedure.meta({ access: ['view_own_analytics'] });
const moderator = procedure.meta({ access: ['moderate_content'] });

export const repliesContract = {
  /** Creates or edits a reply to a published review; an administrator approves it before publication. */
  write: provider
    .meta({
      writes: ['review_reply.written service_management review'],
      example: ({ id }) => ({ reviewId: id, text: 'Thank you for your words.' }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/reply' })
    .input(one.extend({ text: lines.min(1).max(longestReply.text) }))
    .output(ownReply),
  withdraw: provider
    .meta({
      writes: ['review_reply.withdrawn service_management review'],
      example: ({ id }) => ({ reviewId: id }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/reply/withdraw' })
    .input(one)
    .output(one),
  waitingCount: moderator
    .route({ method: 'GET', path: '/review-replies/waiting-count' })
    .output(z.object({ waiting: z.number().int() })),
  /** Waiting ones oldest first, others by latest decision. */
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
  reject: moderator
    .meta({
      writes: ['review_reply.rejected service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1, reason: 'It tells of a session.' }),
    })
    .route({ method: 'POST', path: '/review-replies/{reviewId}/reject' })
    .input(decision.extend({ reason: lines.min(1).max(longestReply.reason) }))
    .output(decided),
};
