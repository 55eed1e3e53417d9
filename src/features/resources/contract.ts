import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';

/** Types of the client spec, section 3. */
const resourceTypes = ['book', 'video', 'audio', 'devotional'] as const;
/** The five categories of the client spec, section 2; 'All' is none of them. */
const resourceCategories = [
  'individual-healing',
  'family-relationships',
  'youth-teen-support',
  'grief-support',
  'spiritual-struggles',
] as const;
/** What makes a resource real: words to read here, a stored file, or a place elsewhere. */
const resourceForms = ['article', 'file', 'link'] as const;
const statuses = ['draft', 'submitted', 'published', 'rejected'] as const;
/** What its author may do with a resource now; sent with it, so that screen and server agree. */
const authorActions = ['edit', 'submit', 'publish', 'withdraw', 'remove'] as const;

export type ResourceType = (typeof resourceTypes)[number];
export type ResourceCategory = (typeof resourceCategories)[number];
export type ResourceForm = (typeof resourceForms)[number];
export type ResourceStatus = (typeof statuses)[number];
export type AuthorAction = (typeof authorActions)[number];

/** Characters of what is searched for, of a description, and of a text that is read here. */
const longestSearch = 200;
const longestDescription = 1_000;
const longestBody = 20_000;
/** An address that names nobody's account at its site. */
const withoutAccount = /^https:\/\/[^/?#@]+(?:[/?#]|$)/;
/** Characters of an address elsewhere. */
const longestAddress = 2_000;

const reason = lines.min(1).max(500);
/** Where a page ended: what it is ordered by, and the id. */
const cursor = z
  .string()
  .max(80)
  .regex(/^[0-9]+(\.[0-9]+)?(e-[0-9]+)?~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const limit = z.coerce.number().int().min(1).max(50).default(12);
const instant = z.iso.datetime({ offset: false });

const attachedFile = z.object({ name: z.string(), contentType: z.string(), size: z.number().int() });

/** A published resource as everybody may see it; what it holds comes with 'Get'. */
const resourceCard = z.object({
  id: z.uuid(),
  title: z.string(),
  author: z.string(),
  type: z.enum(resourceTypes),
  form: z.enum(resourceForms),
  category: z.enum(resourceCategories),
  description: z.string(),
  durationMinutes: z.number().int().nullable(),
  /** The mean of its ratings to one decimal, null without any. */
  rating: z.number().nullable(),
  ratingCount: z.number().int(),
  downloadCount: z.number().int(),
  featured: z.boolean(),
  /** A path to an uploaded picture; null: the cover is drawn. */
  cover: z.string().nullable(),
  /** Of the person who asks; false for guests. */
  favourite: z.boolean(),
  got: z.boolean(),
});

/** A resource on its own page. */
const resourceDetail = resourceCard.extend({
  publishedAt: instant,
  file: attachedFile.nullable(),
  /** What the person who asks has rated it. */
  ownRating: z.number().int().nullable(),
  /** Whether the person who asks wrote it: nobody rates their own. */
  own: z.boolean(),
});

/** Which version of a resource this is what it holds of: what was read is what is approved. */
const held = z.object({ version: z.number().int() });

/** What a resource holds: words, a path that opens its file for so many seconds, or an address elsewhere. */
const resourceContent = z.discriminatedUnion('form', [
  held.extend({ form: z.literal('article'), body: z.string() }),
  held.extend({ form: z.literal('file'), url: z.string(), seconds: z.number().int(), file: attachedFile }),
  held.extend({ form: z.literal('link'), url: z.string() }),
]);

const page = z.object({ items: z.array(resourceCard), next: cursor.nullable() });

/** A resource as it stands in the list of its author, or of who decides on it: without its words. */
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

/** A resource as its author edits it. */
const authoredResource = authoredEntry.extend({ body: z.string(), url: z.string().nullable() });

/** A resource that waits for a decision, with whoever sent it in. */
const waitingResource = authoredEntry.extend({ sentBy: z.string(), submittedAt: instant });

export type ResourceCard = z.infer<typeof resourceCard>;
export type ResourceDetail = z.infer<typeof resourceDetail>;
export type ResourceContent = z.infer<typeof resourceContent>;
export type AttachedFile = z.infer<typeof attachedFile>;
export type AuthoredEntry = z.infer<typeof authoredEntry>;
export type AuthoredResource = z.infer<typeof authoredResource>;
export type WaitingResource = z.infer<typeof waitingResource>;

/** What an author writes; without `resourceId` it is a new one. */
const draftInput = z.object({
  resourceId: z.uuid().optional(),
  /** The version that was seen, of one that is there; another one answers conflict `changed_meanwhile`. */
  version: z.number().int().min(1).max(2_147_483_647).optional(),
  title: line.min(1).max(200),
  author: line.min(1).max(200),
  type: z.enum(resourceTypes),
  category: z.enum(resourceCategories),
  description: lines.max(longestDescription).default(''),
  durationMinutes: z.number().int().min(1).max(1_440).optional(),
  form: z.enum(resourceForms),
  body: lines.max(longestBody).default(''),
  /** Kept as a browser writes it (WHATWG URL): what is shown is where it leads. */
  url: z
    .url({ protocol: /^https$/, hostname: z.regexes.domain, normalize: true })
    .regex(withoutAccount)
    .max(longestAddress)
    .optional(),
});

export type DraftInput = z.infer<typeof draftInput>;

/** What goes with the bytes of an upload. */
export const uploadQuery = z.object({
  resourceId: z.uuid(),
  part: z.enum(['file', 'cover']),
  name: line.min(1).max(200),
});

const resourceId = z.object({ resourceId: z.uuid() });
const reader = procedure.meta({ access: ['view_content'] });
// What somebody reads says how they are.
const unlogged = procedure.meta({ access: ['view_content'], unlogged: 'own_matter' });
const author = procedure.meta({ access: ['create_content'] });
const moderator = procedure.meta({ access: ['moderate_content'] });

export const resourcesContract = {
  /**
   * Published resources, newest first; searched for, the best first. `total` counts up to 1,001, which stands for more.
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
  /** Those that a service names and that are published. */
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
  /** 'Get': counts it, and puts it under My Resources. */
  take: unlogged
    .meta({ example: ({ id }) => ({ resourceId: id }) })
    .route({ method: 'POST', path: '/resources/{resourceId}/take' })
    .input(resourceId)
    .output(resourceContent),
  /** What a resource holds, for who got it, wrote it, or decides on it. */
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
  /** What the person got or keeps as a favourite, latest first. */
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
  /** Makes one's own public at once, for who decides on what becomes public. */
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
  /** Deletes one's own; what is public only when it is `confirmed`. */
  remove: author
    .meta({
      writes: ['resource.removed service_management resource'],
      example: ({ id }) => ({ resourceId: id, confirmed: true }),
    })
    .route({ method: 'POST', path: '/me/authored-resources/{resourceId}/remove' })
    .input(resourceId.extend({ confirmed: z.boolean().default(false) }))
    .output(z.object({ removed: z.literal(true) })),
  /** How many resources wait for a decision. */
  waitingCount: moderator
    .route({ method: 'GET', path: '/waiting-resources/count' })
    .output(z.object({ waiting: z.number().int() })),
  /** What waits for a decision, longest first. */
  waiting: moderator
    .meta({ example: ({ id }) => ({ cursor: `1~${id}`, limit: 10 }) })
    .route({ method: 'GET', path: '/waiting-resources' })
    .input(z.object({ cursor: cursor.optional(), limit }))
    .output(z.object({ items: z.array(waitingResource), next: cursor.nullable() })),
  /** Publishes the version that was read; another one is refused with conflict `changed`. */
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
