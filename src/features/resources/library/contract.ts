import { z } from 'zod';
import { line, lines, uuid } from '#/features/access/contract.ts';

/** Client spec, section 3. */
const resourceTypes = ['book', 'video', 'audio', 'devotional'] as const;
/** Client spec, section 2; "All" isn't a category. */
export const resourceCategories = [
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
const longestDescription = 1_000;
const longestBody = 20_000;
/** Rejects URLs with embedded credentials (`user@host`). */
const withoutAccount = /^https:\/\/[^/?#@]+(?:[/?#]|$)/;
/** In characters. */
const longestAddress = 2_000;

/** Page cursor: sort value and ID. */
export const cursor = z
  .string()
  .max(80)
  .regex(/^[0-9]+(\.[0-9]+)?(e-[0-9]+)?~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const instant = z.iso.datetime({ offset: false });

const attachedFile = z.object({ name: z.string(), contentType: z.string(), size: z.number().int() });

/** Public view; content requires "Get". */
export const resourceCard = z.object({
  id: uuid,
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

export const resourceDetail = resourceCard.extend({
  publishedAt: instant,
  file: attachedFile.nullable(),
  ownRating: z.number().int().nullable(),
  /** Authors can't rate their own. */
  own: z.boolean(),
});

/** Version of this content, so moderators approve exactly the version they read. */
const held = z.object({ version: z.number().int() });

/** Content: text, a file path valid for `seconds`, or an external URL. */
export const resourceContent = z.discriminatedUnion('form', [
  held.extend({ form: z.literal('article'), body: z.string() }),
  held.extend({ form: z.literal('file'), url: z.string(), seconds: z.number().int(), file: attachedFile }),
  held.extend({ form: z.literal('link'), url: z.string() }),
]);

export const page = z.object({ items: z.array(resourceCard), next: cursor.nullable() });

const authoredEntry = z.object({
  id: uuid,
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

export const authoredPage = z.object({ items: z.array(authoredEntry), next: cursor.nullable() });

export const authoredResource = authoredEntry.extend({ body: z.string(), url: z.string().nullable() });

export const waitingResource = authoredEntry.extend({ sentBy: z.string(), submittedAt: instant });

export type ResourceCard = z.infer<typeof resourceCard>;
export type ResourceDetail = z.infer<typeof resourceDetail>;
export type ResourceContent = z.infer<typeof resourceContent>;
export type AttachedFile = z.infer<typeof attachedFile>;
export type AuthoredEntry = z.infer<typeof authoredEntry>;
export type AuthoredResource = z.infer<typeof authoredResource>;
export type WaitingResource = z.infer<typeof waitingResource>;

/** Author's input; without `version`, creates a resource. Repeating a creation with its new id changes the first. */
export const draftInput = z.object({
  resourceId: uuid.optional(),
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
  resourceId: uuid,
  part: z.enum(['file', 'cover']),
  name: line.min(1).max(200),
});
