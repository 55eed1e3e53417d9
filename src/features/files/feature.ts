import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import {
  createBucket,
  emptyBucket,
  removeBucket,
  updateBucket,
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
import { maxDocumentBytes } from './rules.ts';

export const files = defineFeature({
  handlers: () => ({
    files: handle(filesContract, {
      buckets: {
        list: async (ctx) => (await ctx.files.buckets.list(ctx)).map(bucketView),
        get: async (ctx, input) => bucketView(await ctx.files.buckets.get(ctx, input.bucketId)),
        create: createBucket,
        update: updateBucket,
        empty: (ctx, input) => emptyBucket(ctx, input.bucketId),
        remove: (ctx, input) => removeBucket(ctx, input.bucketId),
      },
      list: (ctx, input) => filesOf(ctx, requireOwner(ctx), input),
      get: async (ctx, input) => fileView(await requireOwnFile(ctx, input.fileId)),
      link: (ctx, input) => linkFile(ctx, input.fileId, input.seconds),
      move: (ctx, input) => renameDocument(ctx, input.fileId, input.name),
      copy: (ctx, input) => copyDocument(ctx, input.fileId, input.name),
      remove: (ctx, input) => removeDocument(ctx, input.fileId),
    }),
  }),
  uploads: [
    {
      path: '/files',
      maxBytes: maxDocumentBytes,
      receive: (ctx, { query, body }) => storeDocument(ctx, { name: query.get('name') ?? '', body }),
    },
    {
      path: '/files/bytes',
      maxBytes: maxDocumentBytes,
      receive: (ctx, { query, body }) => replaceDocument(ctx, query.get('id') ?? '', body),
    },
  ],
  personal: [filesPersonal],
});
