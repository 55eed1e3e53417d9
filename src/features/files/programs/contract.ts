import { z } from 'zod';
import { bucketId, bucketRules, filePage, linkSeconds } from '../contract.ts';

const isPublic = z.boolean().transform((all) => (all ? ('everyone' as const) : ('owner' as const)));

const { search, limit, offset } = filePage;
/** Files of one call, each with its own audit entry. */
const paths = z.array(z.string()).min(1).max(100);

/** Bodies of the published client. Strict, to refuse unsupported options rather than ignore them. */
export const storageInputs = {
  createBucket: z
    .strictObject({
      id: bucketId,
      name: z.string(),
      type: z.literal('STANDARD').optional(),
      public: isPublic,
      file_size_limit: bucketRules.maxBytes,
      allowed_mime_types: bucketRules.contentTypes,
    })
    .transform(({ id, public: readableBy, file_size_limit: maxBytes, allowed_mime_types: contentTypes }) => ({
      id,
      readableBy,
      maxBytes,
      contentTypes,
    })),
  changeBucket: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      public: isPublic,
      file_size_limit: bucketRules.maxBytes.optional(),
      allowed_mime_types: bucketRules.contentTypes.optional(),
    })
    .transform(({ public: readableBy, file_size_limit: maxBytes, allowed_mime_types: contentTypes }) => ({
      readableBy,
      maxBytes,
      contentTypes,
    })),
  list: z.strictObject({
    /** Folders, which there are none of. */
    prefix: z.literal('').optional(),
    search,
    limit,
    offset,
    sortBy: z.strictObject({ column: z.literal('name'), order: z.literal('asc') }).optional(),
  }),
  sign: z.strictObject({ expiresIn: linkSeconds }),
  signMany: z.strictObject({ expiresIn: linkSeconds, paths }),
  moveOrCopy: z.strictObject({
    bucketId,
    sourceKey: z.string(),
    destinationKey: z.string(),
    copyMetadata: z.literal(true).optional(),
  }),
  remove: z.strictObject({ prefixes: paths }),
};
