import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';

/** Client spec, section 3. */
const resourceTypes = ['book', 'video', 'audio', 'devotional'] as const;
/** Client spec, section 2; "All" isn't a category. */
const resourceCategories = [
  'individual-healing',
  'family-relationships',
  'youth-teen-support',
  'grief-support',
  'spiritual-struggles',
] as const;
/** Text here, stored file or external link. */
const resourceForms = ['article', 'file', 'link'] as const;
const statuses = ['draft', 'submitted', 'published', 'rejected'] as const;
/** Computed by the server for the author. */
const authorActions = ['edit', 'submit', 'publish', 'withdraw', 'remove'] as const;

export type ResourceType = (typeof resourceTypes)[number];
export type ResourceCategory = (typeof resourceCategories)[number];
export type ResourceForm = (typeof resourceForms)[number];
export type ResourceStatus = (typeof statuses)[number];
export type AuthorAction = (typeof authorActions)[number];

/** In characters. */
const longestSearch = 200;
const longestDescription = 1_000;
const longestBody = 20_000;
/** Rejects URLs with embedded credentials (`user@host`). */
const withoutAccount = /^https:\/\/[^/?#@]+(?:[/?#]|$)/;
/** In characters. */
const longestAddress = 2_000;

const reason = lines.min(1).max(500);
/** Page cursor: sort value and ID. */
const cursor = z
  .string()
  .max(80)
  .regex(/^[0-9]+(\.[0-9]+)?(e-[0-9]+)?~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const limit = z.coerce.number().int().min(1).max(50).default(12);
const instant = z.iso.datetime({ offset: false });

const attachedFile = z.object({ name: z.string(), contentType: z.string(), size: z.number().int() });

/** Public view; content requires "Get". */
const resourceCard = z.object({
  id: z.uuid(),
  title: z.string(),
  author: z.string(),
  type: z.enum(resourceTypes),
  form: z.enum(resourceForms),
  category: z.enum(resourceCategories),
  description: z.string(),
  durationMinutes: z.number().int().nullable(),
  /** Mean rating to one decimal, null without ratings. */
  rating: z.number().nullable(),
  ratingCount: z.number().int(),
  downloadCount: z.number().int(),
  featured: z.boolean(),
  /** Path of an uploaded cover; null: generated cover. */
  cover: z.string().nullable(),
  /** For the signed-in person; false for guests. */
  favourite: z.boolean(),
  got: z.boolean(),
});

const resourceDetail = resourceCard.extend({
  publishedAt: instant,
  file: attachedFile.nullable(),
  ownRating: z.number().int().nullable(),
  /** Authors can't rate their own. */
  own: z.boolean(),
});

/** Version of this content, so moderators approve exactly the version they read. */
const held = z.object({ version: z.number().int() });

/** Content: text, a file path valid for `seconds`, or an external URL. */
const resourceContent = z.discriminatedUnion('form', [
  held.extend({ form: z.literal('article'), body: z.string() }),
  held.extend({ form: z.literal('file'), url: z.string(), seconds: z.number().int(), file: attachedFile }),
  held.extend({ form: z.literal('link'), url: z.string() }),
]);

const page = z.object({ items: z.array(resourceCard), next: cursor.nullable() });

const authoredEntry = z.object({
  id: z.uuid(),
  title: z.string(),
  author: z.string(),
  type: z.enum(resourceTypes),
  category: z.enum(resourceCategories),
  description: z.string(),
  durationMinutes: z.number().int().nullable(),
  form: z.enum(resourceForms),
  file: attachedFile.nullable(),
  cover: z.string().nullable(),
  status: z.enum(statuses),
  rejectReason: z.string().nullable(),
  version: z.number().int(),
  rating: z.number().nullable(),
  ratingCount: z.number().int(),
  downloadCount: z.number().int(),
  updatedAt: instant,
  actions: z.array(z.enum(authorActions)),
});

const authoredPage = z.object({ items: z.array(authoredEntry), next: cursor.nullable() });

const authoredResource = authoredEntry.extend({ body: z.string(), url: z.string().nullable() });

const waitingResource = authoredEntry.extend({ sentBy: z.string(), submittedAt: instant });

export type ResourceCard = z.infer<typeof resourceCard>;
export type ResourceDetail = z.infer<typeof resourceDetail>;
export type ResourceContent = z.infer<typeof resourceContent>;
export type AttachedFile = z.infer<typeof attachedFile>;
export type AuthoredEntry = z.infer<typeof authoredEntry>;
export type AuthoredResource = z.infer<typeof authoredResource>;
export type WaitingResource = z.infer<typeof waitingResource>;

/** Author's input; without `resourceId`, creates a resource. */
const draftInput = z.object({
  resourceId: z.uuid().optional(),
  /** Version being edited. Saving throws conflict `changed_meanwhile` if it's outdated. */
  version: z.number().int().min(1).max(2_147_483_647).optional(),
  title: line.min(1).max(200),
  author: line.min(1).max(200),
  type: z.enum(resourceTypes),
  category: z.enum(resourceCategories),
  description: lines.max(longestDescription).default(''),
  durationMinutes: z.number().int().min(1).max(1_440).optional(),
  form: z.enum(resourceForms),
  body: lines.max(longestBody).default(''),
  /** Normalized like browsers do (WHATWG URL), so the displayed URL is its real destination. */
  url: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain, normalize: true })
    .regex(withoutAccount)
    .max(longestAddress)
    .optional(),
});

export type DraftInput = z.infer<typeof draftInput>;

export const uploadQuery = z.object({
  resourceId: z.uuid(),
  part: z.enum(['file', 'cover']),
  name: line.min(1).max(200),
});

const resourceId = z.object({ resourceId: z.uuid() });
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
    .output(z.array(z.object({ id: z.uuid(), title: z.string() }))),
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
  /** Publishes the reviewed version. Throws conflict `changed` for any other. */
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

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    resources: typeof resourcesContract;
  }
}
