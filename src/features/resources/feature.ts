import { authorise, selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
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
import { authoredResources, ownResource } from './authoring/queries.ts';
import { resourceContent } from './reading/queries.ts';
import { rateResource, setFavourite, takeResource } from './reading/commands.ts';
import { resourcesContract } from './contract.ts';
import { uploadQuery } from './library/contract.ts';
import {
  approveResource,
  featureResource,
  rejectResource,
  unpublishResource,
} from './moderation/commands.ts';
import { waitingCount, waitingResources } from './moderation/queries.ts';
import { resourcesPersonal } from './personal.ts';
import { requirePublished, requireRelatedTitles } from './library/policies.ts';
import { featuredResources, ownResources, publishedPages, resourcesTitled } from './library/queries.ts';
import { listResources } from './search/queries.ts';
import { maxMegabytes } from './library/rules.ts';

const os = bind(resourcesContract);

export const resources = defineFeature({
  handlers: () => ({
    resources: os.router({
      list: os.list.handler(({ context, input }) => listResources(context, input)),
      featured: os.featured.handler(({ context }) => featuredResources(context)),
      related: os.related.handler(async ({ context, input }) =>
        resourcesTitled(context, await requireRelatedTitles(context, input.serviceId)),
      ),
      get: os.get.handler(({ context, input }) => requirePublished(context, input.resourceId)),
      take: os.take.handler(({ context, input }) => takeResource(context, input.resourceId)),
      content: os.content.handler(({ context, input }) =>
        resourceContent(context, selfOf(context), input.resourceId),
      ),
      favourite: os.favourite.handler(({ context, input }) =>
        setFavourite(context, input.resourceId, input.favourite),
      ),
      rate: os.rate.handler(({ context, input }) => rateResource(context, input.resourceId, input.rating)),
      mine: os.mine.handler(({ context, input }) => ownResources(context, selfOf(context), input)),
      authored: os.authored.handler(({ context, input }) =>
        authoredResources(context, selfOf(context), input),
      ),
      authoredOne: os.authoredOne.handler(({ context, input }) =>
        ownResource(context, selfOf(context), input.resourceId),
      ),
      saveDraft: os.saveDraft.handler(({ context, input }) => saveDraft(context, input)),
      submit: os.submit.handler(({ context, input }) => submitResource(context, input.resourceId)),
      publish: os.publish.handler(({ context, input }) => publishOwn(context, input.resourceId)),
      withdraw: os.withdraw.handler(({ context, input }) => withdrawResource(context, input.resourceId)),
      remove: os.remove.handler(({ context, input }) =>
        removeResource(context, input.resourceId, input.confirmed),
      ),
      waitingCount: os.waitingCount.handler(({ context }) => waitingCount(context)),
      waiting: os.waiting.handler(({ context, input }) => waitingResources(context, input)),
      approve: os.approve.handler(({ context, input }) =>
        approveResource(context, input.resourceId, input.version),
      ),
      reject: os.reject.handler(({ context, input }) =>
        rejectResource(context, input.resourceId, input.reason),
      ),
      feature: os.feature.handler(({ context, input }) =>
        featureResource(context, input.resourceId, input.featured),
      ),
      unpublish: os.unpublish.handler(({ context, input }) =>
        unpublishResource(context, input.resourceId, input.reason),
      ),
    }),
  }),
  uploads: [
    {
      path: '/resource-files',
      maxBytes: maxMegabytes.file * 1024 * 1024,
      async receive(ctx, { query, body }) {
        authorise(ctx.actor, ['create_content']);
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
