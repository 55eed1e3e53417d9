import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { serviceId } from '#/features/catalogue/contract.ts';

/** Session types of the client spec, section 9. */
export const sessionTypes = ['online', 'phone', 'in-person'] as const;
/** How much faith is part of a session, from least to most. */
export const faithParts = ['as_you_wish', 'woven_in', 'central'] as const;

export type SessionType = (typeof sessionTypes)[number];
export type FaithPart = (typeof faithParts)[number];

/** A doctor or pastor as the directory shows them. `rating` is the mean of their reviews, null without any. */
const specialist = z.object({
  id: z.uuid(),
  /** Their page is `/therapists/{slug}`. */
  slug: z.string(),
  name: z.string(),
  /** Of our own origin; another with every photo. */
  photoUrl: z.string().nullable(),
  kind: z.enum(['doctor', 'pastor']),
  title: z.string(),
  specialties: z.array(z.string()),
  experience: z.string(),
  location: z.string(),
  rating: z.number().nullable(),
  reviewCount: z.number().int(),
  bio: z.string(),
  education: z.array(z.string()),
  approach: z.string(),
  languages: z.array(z.string()),
  traditions: z.array(z.string()),
  faithPart: z.enum(faithParts),
  sessionTypes: z.array(z.enum(sessionTypes)),
  timeZone: z.string(),
  approvesFirst: z.boolean(),
  serviceIds: z.array(serviceId),
});

export type Specialist = z.infer<typeof specialist>;

export const providersContract = {
  /** The listed specialists in their order; at most `limit`, of one service if it is named. */
  list: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/specialists' })
    .input(
      z.object({
        serviceId: serviceId.optional(),
        limit: z.coerce.number().int().min(1).max(100).default(50),
      }),
    )
    .output(z.array(specialist)),
  get: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/specialists/{id}' })
    .input(z.object({ id: z.uuid() }))
    .output(specialist),
};
