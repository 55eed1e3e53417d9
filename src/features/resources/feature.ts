import { authorize, selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import {
  attachCover,
  attachFile,
  publishOwn,
  removeResource,
  saveDraft,
  submitResource,
  withdrawResource,
} from './authoring/commands.ts';
import { authoredResources, ownResource, waitingCount, waitingResources } from './authoring/queries.ts';
import { resourceContent } from './reading/queries.ts';
import { rateResource, setFavourite, getResource } from './reading/commands.ts';
import { resourcesContract } from './contract.ts';
import { uploadQuery } from './library/contract.ts';
import {
  approveResource,
  featureResource,
  rejectResource,
  unpublishResource,
} from './moderation/commands.ts';
import { resourcesPersonal } from './personal.ts';
import { requirePublished, requireRelatedTitles } from './library/policies.ts';
import { featuredResources, ownResources, publishedPages, resourcesTitled } from './library/queries.ts';
import { listResources } from './search/queries.ts';
import { maxMegabytes } from './library/rules.ts';

export const resources = defineFeature({
  handlers: () => ({
    resources: handle(resourcesContract, {
      list: listResources,
      featured: featuredResources,
      related: async (ctx, input) => resourcesTitled(ctx, await requireRelatedTitles(ctx, input.serviceId)),
      get: (ctx, input) => requirePublished(ctx, input.resourceId),
      take: (ctx, input) => getResource(ctx, input.resourceId),
      content: (ctx, input) => resourceContent(ctx, selfOf(ctx), input.resourceId),
      favourite: (ctx, input) => setFavourite(ctx, input.resourceId, input.favourite),
      rate: (ctx, input) => rateResource(ctx, input.resourceId, input.rating),
      mine: (ctx, input) => ownResources(ctx, selfOf(ctx), input),
      authored: (ctx, input) => authoredResources(ctx, selfOf(ctx), input),
      authoredOne: (ctx, input) => ownResource(ctx, selfOf(ctx), input.resourceId),
      saveDraft,
      submit: (ctx, input) => submitResource(ctx, input.resourceId),
      publish: (ctx, input) => publishOwn(ctx, input.resourceId),
      withdraw: (ctx, input) => withdrawResource(ctx, input.resourceId),
      remove: (ctx, input) => removeResource(ctx, input.resourceId, input.confirmed),
      waitingCount,
      waiting: waitingResources,
      approve: (ctx, input) => approveResource(ctx, input.resourceId, input.version),
      reject: (ctx, input) => rejectResource(ctx, input.resourceId, input.reason),
      feature: (ctx, input) => featureResource(ctx, input.resourceId, input.featured),
      unpublish: (ctx, input) => unpublishResource(ctx, input.resourceId, input.reason),
    }),
  }),
  uploads: [
    {
      path: '/resource-files',
      maxBytes: maxMegabytes.file * 1024 * 1024,
      async receive(ctx, { query, body }) {
        authorize(ctx.actor, ['create_content']);
        const asked = Object.fromEntries(query);
        const parsed = uploadQuery.safeParse(asked);
        if (!parsed.success) throw refusalOfIssues(parsed.error.issues, asked);
        const { resourceId, part, name } = parsed.data;
        return part === 'file'
          ? attachFile(ctx, { resourceId, name, body })
          : attachCover(ctx, { resourceId, body });
      },
    },
  ],
  personal: [resourcesPersonal],
  sitemap: async (ctx) =>
    (await publishedPages(ctx)).map(({ id, changed }) => ({ path: `/resources/${id}`, changed })),
});
