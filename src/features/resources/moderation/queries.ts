import { sql, type SqlBool } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { entryOf } from '../authoring/queries.ts';
import type { WaitingResource } from '../library/contract.ts';
import type { Page } from '../library/queries.ts';
import { cursorOf, cursorParts } from '../library/rules.ts';
import { entryColumns } from '../library/tables.ts';

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
