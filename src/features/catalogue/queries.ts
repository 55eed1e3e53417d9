import type { Ctx } from '#/platform/context.ts';
import { AppError } from '#/kernel/errors.ts';
import type { ServiceDetail, ServiceSummary } from './contract.ts';

const summaryColumns = [
  'id',
  'title',
  'category',
  'description',
  'based_on as basedOn',
  'duration_minutes as durationMinutes',
  'price_cents as priceCents',
] as const;

/** The active services in their order. */
export async function services(ctx: Ctx): Promise<ServiceSummary[]> {
  return ctx.db
    .selectFrom('services')
    .select(summaryColumns)
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** An active service with everything that its own page shows; `not_found` for any other. */
export async function service(ctx: Ctx, id: string): Promise<ServiceDetail> {
  const found = await ctx.db
    .selectFrom('services')
    .select(summaryColumns)
    .select([
      'support_offered as supportOffered',
      'issues_addressed as issuesAddressed',
      'spiritual_themes as spiritualThemes',
      'related_resources as relatedResources',
    ])
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', 'service');
  return found;
}
