import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { createBucket, emptyBucket, removeBucket, updateBucket } from './buckets/commands.ts';
import {
  copyDocument,
  linkFile,
  removeDocument,
  renameDocument,
  replaceDocument,
  storeDocument,
} from './commands.ts';
import { filesContract } from './contract.ts';
import { filesPersonal } from './personal.ts';
import { requireOwner, requireOwnFile } from './policies.ts';
import { bucketView, fileView, filesOf } from './queries.ts';

/** Upload limit in bytes, regardless of bucket settings. */
const maxBytes = 20 * 1024 * 1024;

const os = bind(filesContract);

export const files = defineFeature({
  handlers: () => ({
    files: os.router({
      buckets: {
        list: os.buckets.list.handler(async ({ context }) =>
          (await context.files.buckets.list(context)).map(bucketView),
        ),
        get: os.buckets.get.handler(async ({ context, input }) =>
          bucketView(await context.files.buckets.get(context, input.bucketId)),
        ),
        create: os.buckets.create.handler(({ context, input }) => createBucket(context, input)),
        update: os.buckets.update.handler(({ context, input }) => updateBucket(context, input)),
        empty: os.buckets.empty.handler(({ context, input }) => emptyBucket(context, input.bucketId)),
        remove: os.buckets.remove.handler(({ context, input }) => removeBucket(context, input.bucketId)),
      },
      list: os.list.handler(({ context, input }) => filesOf(context, requireOwner(context), input)),
      get: os.get.handler(async ({ context, input }) =>
        fileView(await requireOwnFile(context, input.fileId)),
      ),
      link: os.link.handler(({ context, input }) => linkFile(context, input.fileId, input.seconds)),
      move: os.move.handler(({ context, input }) => renameDocument(context, input.fileId, input.name)),
      copy: os.copy.handler(({ context, input }) => copyDocument(context, input.fileId, input.name)),
      remove: os.remove.handler(({ context, input }) => removeDocument(context, input.fileId)),
    }),
  }),
  uploads: [
    {
      path: '/files',
      maxBytes,
      receive: (ctx, { query, body }) => storeDocument(ctx, { name: query.get('name') ?? '', body }),
    },
    {
      path: '/files/bytes',
      maxBytes,
      receive: (ctx, { query, body }) => replaceDocument(ctx, query.get('id') ?? '', body),
    },
  ],
  personal: [filesPersonal],
});
