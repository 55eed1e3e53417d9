import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ManagedService, ServiceDetail, ServiceSummary } from './contract.ts';
import { requireService } from './policies.ts';

const summaryColumns = [
  'id',
  'title',
  'category',
  'description',
  'based_on as basedOn',
  'duration_minutes as durationMinutes',
  'price_cents as priceCents',
  'length_prices as lengthPrices',
] as const;

/** Lists active services in display order. */
export async function services(ctx: Ctx): Promise<ServiceSummary[]> {
  return ctx.db
    .selectFrom('services')
    .select(summaryColumns)
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Returns an active service; throws `not_found` otherwise. */
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
  return requireService(found);
}

function managedRows(ctx: Ctx) {
  return ctx.db.selectFrom('services').select(summaryColumns).select(['active', 'created_at', 'version']);
}

type ManagedRow = Awaited<ReturnType<ReturnType<typeof managedRows>['executeTakeFirstOrThrow']>>;

function managedOf({ basedOn: _books, created_at, ...row }: ManagedRow): ManagedService {
  return { ...row, createdAt: isoOf(created_at) };
}

/** All services in order, even inactive ones. */
export async function managedServices(ctx: Ctx): Promise<ManagedService[]> {
  const rows = await managedRows(ctx).orderBy('position').orderBy('id').execute();
  return rows.map(managedOf);
}

export async function managedService(ctx: Ctx, id: string): Promise<ManagedService> {
  const row = await managedRows(ctx).where('id', '=', id).executeTakeFirst();
  return managedOf(requireService(row));
}
