import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import {
  authoredPage,
  authoredResource,
  cursor,
  draftInput,
  page,
  resourceCard,
  resourceCategories,
  resourceContent,
  resourceDetail,
  waitingResource,
} from './library/contract.ts';

/** In characters. */
const longestSearch = 200;

const reason = lines.min(1).max(500);
const limit = z.coerce.number().int().min(1).max(50).default(12);

const resourceId = z.object({ resourceId: uuid });
const reader = procedure.meta({ access: ['view_content'] });
// Reading habits can reveal someone's state of mind, so these calls aren't audited.
const unlogged = procedure.meta({ access: ['view_content'], unlogged: 'own_matter' });
const author = procedure.meta({ access: ['create_content'] });
const moderator = procedure.meta({ access: ['moderate_content'] });

export const resourcesContract = {
  /**
   * Published resources, newest first; search results by relevance. `total` stops at 1,001, meaning more than 1,000.
   */
  list: procedure
    .meta({
      access: 'public',
      example: ({ id }) => ({ q: 'grief', category: 'grief-support', cursor: `1~${id}`, limit: 10 }),
    })
    .route({ method: 'GET', path: '/resources' })
    .input(
      z.object({
        q: line.max(longestSearch).optional(),
        category: z.enum(resourceCategories).optional(),
        cursor: cursor.optional(),
        limit,
      }),
    )
    .output(page.extend({ total: z.number().int() })),
  featured: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/featured-resources' })
    .output(z.array(resourceCard)),
  related: procedure
    .meta({ access: 'public', example: ({ serviceId }) => ({ serviceId }) })
    .route({ method: 'GET', path: '/services/{serviceId}/resources' })
    .input(z.object({ serviceId: serviceIdShape }))
    .output(z.array(z.object({ id: uuid, title: z.string() }))),
  get: procedure
    .meta({ access: 'public', example: ({ id }) => ({ resourceId: id }) })
    .route({ method: 'GET', path: '/resources/{resourceId}' })
    .input(resourceId)
    .output(resourceDetail),
  /** Counts a "Get" and adds to My Resources. */
  take: unlogged
    .meta({ example: ({ id }) => ({ resourceId: id }) })
    .route({ method: 'POST', path: '/resources/{resourceId}/take' })
    .input(resourceId)
    .output(resourceContent),
  content: reader
    .meta({ example: ({ id }) => ({ resourceId: id }) })
    .route({ method: 'GET', path: '/resources/{resourceId}/content' })
    .input(resourceId)
    .output(resourceContent),
  favourite: unlogged
    .meta({ example: ({ id }) => ({ resourceId: id, favourite: true }) })
    .route({ method: 'POST', path: '/resources/{resourceId}/favourite' })
    .input(resourceId.extend({ favourite: z.boolean() }))
    .output(z.object({ favourite: z.boolean() })),
  rate: unlogged
    .meta({ example: ({ id }) => ({ resourceId: id, rating: 4 }) })
    .route({ method: 'POST', path: '/resources/{resourceId}/rate' })
    .input(resourceId.extend({ rating: z.number().int().min(1).max(5) }))
    .output(resourceDetail),
  /** Gotten or favorite resources, latest first. */
  mine: reader
    .meta({ example: ({ id }) => ({ kept: 'got', cursor: `1~${id}`, limit: 10 }) })
    .route({ method: 'GET', path: '/me/resources' })
    .input(z.object({ kept: z.enum(['got', 'favourites']), cursor: cursor.optional(), limit }))
    .output(page),
  authored: author
    .meta({ example: ({ id }) => ({ cursor: `1~${id}`, limit: 10 }) })
    .route({ method: 'GET', path: '/me/authored-resources' })
    .input(z.object({ cursor: cursor.optional(), limit }))
    .output(authoredPage),
  authoredOne: author
    .meta({ example: ({ id }) => ({ resourceId: id }) })
    .route({ method: 'GET', path: '/me/authored-resources/{resourceId}' })
    .input(resourceId)
    .output(authoredResource),
  saveDraft: author
    .meta({
      writes: ['resource.created service_management resource'],
      example: ({ id }) => ({
        resourceId: id,
        version: 1,
        title: 'A quiet hour',
        author: 'Ruth Amsel',
        type: 'devotional',
        category: 'grief-support',
        description: 'For an evening that is too long.',
        durationMinutes: 5,
        form: 'link',
        body: '',
        url: 'https://example.org/quiet',
      }),
    })
    .route({ method: 'POST', path: '/me/authored-resources' })
    .input(draftInput)
    .output(authoredResource),
  submit: author
    .meta({
      writes: ['resource.submitted service_management resource'],
      example: ({ id }) => ({ resourceId: id }),
    })
    .route({ method: 'POST', path: '/me/authored-resources/{resourceId}/submit' })
    .input(resourceId)
    .output(authoredResource),
  /** Publishes a moderator's own resource without review. */
  publish: moderator
    .meta({
      writes: ['resource.published service_management resource'],
      example: ({ id }) => ({ resourceId: id }),
    })
    .route({ method: 'POST', path: '/me/authored-resources/{resourceId}/publish' })
    .input(resourceId)
    .output(authoredResource),
  withdraw: author
    .meta({
      writes: ['resource.withdrawn service_management resource'],
      example: ({ id }) => ({ resourceId: id }),
    })
    .route({ method: 'POST', path: '/me/authored-resources/{resourceId}/withdraw' })
    .input(resourceId)
    .output(authoredResource),
  /** Deletes your resource. Published ones require `confirmed`. */
  remove: author
    .meta({
      writes: ['resource.removed service_management resource'],
      example: ({ id }) => ({ resourceId: id, confirmed: true }),
    })
    .route({ method: 'POST', path: '/me/authored-resources/{resourceId}/remove' })
    .input(resourceId.extend({ confirmed: z.boolean().default(false) }))
    .output(z.object({ removed: z.literal(true) })),
  waitingCount: moderator
    .route({ method: 'GET', path: '/waiting-resources/count' })
    .output(z.object({ waiting: z.number().int() })),
  /** Pending resources, oldest first. */
  waiting: moderator
    .meta({ example: ({ id }) => ({ cursor: `1~${id}`, limit: 10 }) })
    .route({ method: 'GET', path: '/waiting-resources' })
    .input(z.object({ cursor: cursor.optional(), limit }))
    .output(z.object({ items: z.array(waitingResource), next: cursor.nullable() })),
  /** Throws conflict `changed` for another version. */
  approve: moderator
    .meta({
      writes: ['resource.published service_management resource'],
      example: ({ id }) => ({ resourceId: id, version: 1 }),
    })
    .route({ method: 'POST', path: '/waiting-resources/{resourceId}/approve' })
    .input(resourceId.extend({ version: z.number().int().min(1).max(2_147_483_647) }))
    .output(z.object({ published: z.literal(true) })),
  reject: moderator
    .meta({
      writes: ['resource.rejected service_management resource'],
      example: ({ id }) => ({ resourceId: id, reason: 'Please name your sources.' }),
    })
    .route({ method: 'POST', path: '/waiting-resources/{resourceId}/reject' })
    .input(resourceId.extend({ reason }))
    .output(z.object({ rejected: z.literal(true) })),
  feature: moderator
    .meta({
      writes: ['resource.featured service_management resource'],
      example: ({ id }) => ({ resourceId: id, featured: true }),
    })
    .route({ method: 'POST', path: '/resources/{resourceId}/feature' })
    .input(resourceId.extend({ featured: z.boolean() }))
    .output(resourceDetail),
  unpublish: moderator
    .meta({
      writes: ['resource.unpublished service_management resource'],
      example: ({ id }) => ({ resourceId: id, reason: 'A link in it is broken.' }),
    })
    .route({ method: 'POST', path: '/resources/{resourceId}/unpublish' })
    .input(resourceId.extend({ reason }))
    .output(z.object({ unpublished: z.literal(true) })),
};
