import { sql, type SqlBool } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import { can, type Self } from '#/features/access/rules.ts';
import { meanRating } from '#/features/providers/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { AuthoredEntry, AuthoredResource, WaitingResource } from '../library/contract.ts';
import { requireOwnResource } from '../library/policies.ts';
import { attachedFile, coverPath, type Page } from '../library/queries.ts';
import { authorActionsOf, cursorOf, cursorParts } from '../library/rules.ts';
import { entryColumns, type Resource } from '../library/tables.ts';

export async function authoredResources(
  ctx: Ctx,
  self: Self,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<AuthoredEntry>> {
  let rows = ctx.db.selectFrom('resources').select(entryColumns).where('created_by', '=', self);
  if (cursor !== undefined) {
    const { key, id } = cursorParts(cursor);
    rows = rows.where(sql<SqlBool>`(updated_at, id) < (to_timestamp(${key} / 1000.0), ${id}::uuid)`);
  }
  const found = await rows
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => entryOf(ctx, row)),
    next: found.length > limit && last ? cursorOf(last.updated_at.getTime(), last.id) : null,
  };
}

export async function ownResource(ctx: Ctx, self: Self, id: string): Promise<AuthoredResource> {
  return authoredOf(ctx, await requireOwnResource(ctx, self, id));
}

export function authoredOf(ctx: Ctx, row: Resource): AuthoredResource {
  return { ...entryOf(ctx, row), body: row.body, url: row.url };
}

function entryOf(ctx: Ctx, row: Omit<Resource, 'body' | 'url'>): AuthoredEntry {
  const decides = ctx.actor.kind === 'person' && can(ctx.actor.role, 'moderate_content');
  return {
    id: row.id,
    title: row.title,
    author: row.author,
    type: row.type,
    category: row.category,
    description: row.description,
    durationMinutes: row.duration_minutes,
    form: row.form,
    file: attachedFile(row),
    cover: coverPath(row.cover_id),
    status: row.status,
    rejectReason: row.reject_reason,
    version: row.version,
    rating: meanRating(row.rating_sum, row.rating_count),
    ratingCount: row.rating_count,
    downloadCount: row.download_count,
    updatedAt: isoOf(row.updated_at),
    actions: authorActionsOf(row.status, decides),
  };
}

/** The author, or null if external or deleted. */
export async function authorOf(ctx: Ctx, id: string): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('resources')
    .select('created_by')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.created_by ?? null;
}

const waitingColumns = entryColumns.map((column) => `resources.${column}` as const);

/** Lists submitted resources, longest waiting first. */
export async function waitingResources(
  ctx: Ctx,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<WaitingResource>> {
  let rows = ctx.db
    .selectFrom('resources')
    .leftJoin('profiles', 'profiles.id', 'resources.created_by')
    .select(waitingColumns)
    .select('profiles.full_name')
    .where('status', '=', 'submitted');
  if (cursor !== undefined) {
    const { key, id } = cursorParts(cursor);
    rows = rows.where(
      sql<SqlBool>`(submitted_at, resources.id) > (to_timestamp(${key} / 1000.0), ${id}::uuid)`,
    );
  }
  const found = await rows
    .orderBy('submitted_at')
    .orderBy('resources.id')
    .limit(limit + 1)
    .execute();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => ({
      ...entryOf(ctx, row),
      sentBy: row.full_name ?? '',
      submittedAt: isoOf(row.submitted_at!),
    })),
    next: found.length > limit && last ? cursorOf(last.submitted_at!.getTime(), last.id) : null,
  };
}

export async function waitingCount(ctx: Ctx): Promise<{ waiting: number }> {
  return ctx.db
    .selectFrom('resources')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('status', '=', 'submitted')
    .executeTakeFirstOrThrow();
}
