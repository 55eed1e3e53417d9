import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { ownReply, repliesContract } from './reply/contract.ts';

const namings = ['initial', 'full', 'anonymous'] as const;
const states = ['waiting', 'approved', 'rejected'] as const;

export type Naming = (typeof namings)[number];
export type ReviewState = (typeof states)[number];

/** Maximum lengths in characters. */
const longest = { text: 2_000, place: 100, reason: 500 } as const;

const rating = z.number().int().min(1).max(5);
const place = line.max(longest.place);

const testimonial = z.object({
  id: uuid,
  name: z.string().nullable(),
  place: z.string(),
  service: z.object({ id: serviceIdShape, title: z.string() }),
  rating,
  text: z.string(),
  /** UTC month, such as `2026-03`. A full date could identify an anonymous client's session. */
  writtenIn: z.string().regex(/^\d{4}-\d{2}$/),
  reply: z.string().nullable(),
});

/** `text` is null for a rating without words. */
const receivedReview = testimonial.extend({ text: z.string().nullable(), reply: ownReply.nullable() });

const ownReview = z.object({
  appointmentId: uuid,
  rating,
  text: z.string().nullable(),
  named: z.enum(namings),
  /** As shown, from the time of writing; null if anonymous. */
  name: z.string().nullable(),
  place: z.string(),
  state: z.enum(states),
  reason: z.string().nullable(),
});

const moderatedReview = receivedReview.omit({ writtenIn: true, reply: true }).extend({
  writtenAt: instant,
  provider: z.object({ id: uuid, name: z.string() }),
  state: z.enum(states),
  reason: z.string().nullable(),
  featured: z.boolean(),
  /** Decisions on outdated revisions are refused. */
  revision: z.number().int(),
});

export type Testimonial = z.infer<typeof testimonial>;
export type ReceivedReview = z.infer<typeof receivedReview>;
export type OwnReview = z.infer<typeof ownReview>;
export type ModeratedReview = z.infer<typeof moderatedReview>;

const page = z.object({
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});
const writeInput = z.object({
  appointmentId: uuid,
  rating,
  text: lines.max(longest.text).optional(),
  named: z.enum(namings).default('initial'),
  place: place.optional(),
});
const decision = z.object({
  reviewId: uuid,
  revision: z.number().int().min(1).max(2_147_483_647),
  /** The state the administrator saw. If given, a decision someone else made meanwhile is not overwritten. */
  from: z.enum(states).optional(),
});
const decided = z.object({ id: uuid, state: z.enum(states), featured: z.boolean() });

export type WriteInput = z.infer<typeof writeInput>;

const client = procedure.meta({ access: ['view_own_appointments'] });
const moderator = procedure.meta({ access: ['moderate_content'] });
const anyone = procedure.meta({ access: 'public' });

export const reviewsContract = {
  featured: anyone.route({ method: 'GET', path: '/reviews/featured' }).output(z.array(testimonial)),
  ofService: anyone
    .meta({ example: ({ serviceId }) => ({ serviceId }) })
    .route({ method: 'GET', path: '/services/{serviceId}/reviews' })
    .input(z.object({ serviceId: serviceIdShape }))
    .output(z.array(testimonial)),
  ofProvider: anyone
    .meta({ example: ({ providerId }) => ({ providerId, offset: 0, limit: 10 }) })
    .route({ method: 'GET', path: '/specialists/{providerId}/reviews' })
    .input(page.extend({ providerId: uuid }))
    .output(z.array(testimonial)),
  /** Returns at most 200 of the client's reviews, of sessions starting in [`from`, `to`). */
  mine: client
    .meta({ example: ({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }) })
    .route({ method: 'GET', path: '/reviews/mine' })
    .input(z.object({ from: instant, to: instant }))
    .output(z.array(ownReview)),
  /** Editable until approved. */
  write: client
    .meta({
      writes: ['review.written service_management review'],
      example: ({ appointmentId }) => ({
        appointmentId,
        rating: 5,
        text: 'I was heard.',
        named: 'initial',
        place: 'Chicago, IL',
      }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/review' })
    .input(writeInput)
    .output(ownReview),
  withdraw: client
    .meta({
      writes: ['review.withdrawn service_management review'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/review/withdraw' })
    .input(z.object({ appointmentId: uuid }))
    .output(z.object({ appointmentId: uuid })),
  received: procedure
    .meta({ access: ['manage_own_appointments'], example: () => ({ offset: 0, limit: 10 }) })
    .route({ method: 'GET', path: '/reviews/received' })
    .input(page)
    .output(z.array(receivedReview)),
  /** How many of the provider's approved reviews gave one to five stars. */
  ratings: procedure
    .meta({ access: ['manage_own_appointments'] })
    .route({ method: 'GET', path: '/reviews/ratings' })
    .output(z.object({ counts: z.array(z.number().int()).length(5) })),
  waitingCount: moderator
    .route({ method: 'GET', path: '/reviews/waiting-count' })
    .output(z.object({ waiting: z.number().int() })),
  /** Waiting ones oldest first, others by latest decision. */
  moderation: moderator
    .meta({ example: () => ({ state: 'waiting', offset: 0, limit: 10 }) })
    .route({ method: 'GET', path: '/reviews' })
    .input(page.extend({ state: z.enum(states) }))
    .output(z.array(moderatedReview)),
  approve: moderator
    .meta({
      writes: ['review.approved service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1, featured: true }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/approve' })
    .input(decision.extend({ featured: z.boolean().default(false) }))
    .output(decided),
  /** Rejects or unpublishes; the client sees the reason. */
  reject: moderator
    .meta({
      writes: ['review.rejected service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1, reason: 'It names somebody.' }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/reject' })
    .input(decision.extend({ reason: lines.min(1).max(longest.reason) }))
    .output(decided),
  reopen: moderator
    .meta({
      writes: ['review.reopened service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1 }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/reopen' })
    .input(decision)
    .output(decided),
  feature: moderator
    .meta({
      writes: ['review.featured service_management review'],
      example: ({ id }) => ({ reviewId: id, revision: 1, featured: true }),
    })
    .route({ method: 'POST', path: '/reviews/{reviewId}/feature' })
    .input(decision.extend({ featured: z.boolean() }))
    .output(decided),
  replies: repliesContract,
};
