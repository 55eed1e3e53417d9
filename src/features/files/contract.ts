import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';

/** Excludes path separators and bidirectional control characters. */
const fileName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}/\\\u202a-\u202e\u2066-\u2069]*$/u);

export const bucketId = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);

const mediaType = z
  .string()
  .max(100)
  .regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/);

export const bucketRules = {
  /** Read access without a signed link. */
  readableBy: z.enum(['everyone', 'owner']),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(5 * 1024 ** 3),
  /** Allowed media types, detected from content. */
  contentTypes: z.array(mediaType).min(1).max(50),
};

const bucket = z.object({ id: bucketId, ...bucketRules });

export type BucketInput = z.infer<typeof bucket>;

const bucketView = z.object({ ...bucketRules, id: z.string(), contentTypes: z.array(z.string()) });

export type BucketView = z.infer<typeof bucketView>;

const oneBucket = z.object({ bucketId });

const bucketChange = oneBucket.extend({
  readableBy: bucketRules.readableBy.optional(),
  maxBytes: bucketRules.maxBytes.optional(),
  contentTypes: bucketRules.contentTypes.optional(),
});

export type BucketChange = z.infer<typeof bucketChange>;

const fileView = z.object({
  id: uuid,
  bucket: z.string(),
  name: z.string(),
  contentType: z.string(),
  /** In bytes. */
  size: z.number().int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Same origin; opens only for the owner. */
  path: z.string(),
});

export type FileView = z.infer<typeof fileView>;

const oneFile = z.object({ fileId: uuid });

/** Up to 100 files, sorted by name. */
export const filePage = {
  search: z
    .string()
    .max(200)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100),
  offset: z.coerce.number().int().min(0).max(10_000).default(0),
};

/** How long a link works. */
export const linkSeconds = z.number().int().min(60).max(604_800);

const manage = procedure.meta({ access: ['manage_settings'] });
const own = procedure.meta({ access: 'signed_in' });

export const filesContract = {
  buckets: {
    list: manage.route({ method: 'GET', path: '/buckets' }).output(z.array(bucketView)),
    get: manage
      .meta({ example: () => ({ bucketId: 'documents' }) })
      .route({ method: 'GET', path: '/buckets/{bucketId}' })
      .input(oneBucket)
      .output(bucketView),
    create: manage
      .meta({
        writes: ['buckets.created system_settings'],
        example: () => ({
          id: 'letters',
          readableBy: 'owner',
          maxBytes: 1_000,
          contentTypes: ['image/png'],
        }),
      })
      .route({ method: 'POST', path: '/buckets', successStatus: 201 })
      .input(bucket)
      .output(bucketView),
    update: manage
      .meta({
        writes: ['buckets.changed system_settings'],
        example: () => ({
          bucketId: 'photos',
          readableBy: 'everyone',
          maxBytes: 5_000_000,
          contentTypes: ['image/png'],
        }),
      })
      .route({ method: 'POST', path: '/buckets/{bucketId}' })
      .input(bucketChange)
      .output(bucketView),
    empty: manage
      .meta({ writes: ['buckets.emptied system_settings'], example: () => ({ bucketId: 'documents' }) })
      .route({ method: 'POST', path: '/buckets/{bucketId}/empty' })
      .input(oneBucket),
    remove: manage
      .meta({ writes: ['buckets.removed system_settings'], example: () => ({ bucketId: 'documents' }) })
      .route({ method: 'POST', path: '/buckets/{bucketId}/remove' })
      .input(oneBucket),
  },
  list: own
    .meta({ example: () => ({ bucket: 'documents', search: 'letter', limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/files' })
    .input(z.object({ bucket: bucketId.default('documents'), ...filePage }))
    .output(z.array(fileView)),
  get: own
    .meta({ example: ({ id }) => ({ fileId: id }) })
    .route({ method: 'GET', path: '/files/{fileId}' })
    .input(oneFile)
    .output(fileView),
  /** Creates a public link: one hour by default. */
  link: own
    .meta({
      writes: ['files.linked user_management file'],
      example: ({ id }) => ({ fileId: id, seconds: 60 }),
    })
    .route({ method: 'POST', path: '/files/{fileId}/link' })
    .input(oneFile.extend({ seconds: linkSeconds.default(3_600) }))
    .output(z.object({ path: z.string() })),
  move: own
    .meta({
      writes: ['files.renamed user_management file'],
      example: ({ id }) => ({ fileId: id, name: 'letter.pdf' }),
    })
    .route({ method: 'POST', path: '/files/{fileId}/move' })
    .input(oneFile.extend({ name: fileName }))
    .output(fileView),
  copy: own
    .meta({
      writes: ['files.copied user_management file'],
      example: ({ id }) => ({ fileId: id, name: 'letter.pdf' }),
    })
    .route({ method: 'POST', path: '/files/{fileId}/copy', successStatus: 201 })
    .input(oneFile.extend({ name: fileName.optional() }))
    .output(fileView),
  remove: own
    .meta({ writes: ['files.removed user_management file'], example: ({ id }) => ({ fileId: id }) })
    .route({ method: 'POST', path: '/files/{fileId}/remove' })
    .input(oneFile),
};
