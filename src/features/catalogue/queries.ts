import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ManagedService, ServiceDetail, ServiceSummary } from './contract.ts';

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

function managedRows(ctx: Ctx) {
  return ctx.db.selectFrom('services').select(summaryColumns).select(['active', 'created_at', 'version']);
}

type ManagedRow = Awaited<ReturnType<ReturnType<typeof managedRows>['executeTakeFirstOrThrow']>>;

function managedOf({ basedOn: _books, created_at, ...row }: ManagedRow): ManagedService {
  return { ...row, createdAt: isoOf(created_at) };
}

/** Every service in its order, as administrators see it. */
export async function managedServices(ctx: Ctx): Promise<ManagedService[]> {
  const rows = await managedRows(ctx).orderBy('position').orderBy('id').execute();
  return rows.map(managedOf);
}

/** One service as administrators see it; `not_found` for one that isn't there. */
export async function managedService(ctx: Ctx, id: string): Promise<ManagedService> {
  const row = await managedRows(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('not_found', 'service');
  return managedOf(row);
}
