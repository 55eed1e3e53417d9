import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { ExportView } from './contract.ts';
import { archivePath } from '../rules.ts';
import type { ExportsTable } from './tables.ts';

const shown = 5;

/** Returns the five most recent exports, newest first. */
export async function exportsOf(ctx: Ctx, personId: string): Promise<ExportView[]> {
  const rows = await ctx.db
    .selectFrom('exports')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(shown)
    .execute();
  return rows.map((row) => exportViewOf(row, ctx.now()));
}

/** Returns one of a person's exports, or null if it's missing or another person's. */
export async function exportOf(ctx: Ctx, personId: string, id: string): Promise<ExportView | null> {
  const row = await ctx.db
    .selectFrom('exports')
    .selectAll()
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row ? exportViewOf(row, ctx.now()) : null;
}

/** Expiry depends on `now`. */
export function exportViewOf(row: Selectable<ExportsTable>, now: Temporal.Instant): ExportView {
  const over = row.expires_at !== null && row.expires_at.getTime() <= now.epochMilliseconds;
  const state = row.state === 'ready' && over ? 'expired' : row.state;
  return {
    id: row.id,
    state,
    progress: row.progress,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: state === 'ready' ? row.expires_at!.toISOString() : null,
    download: state === 'ready' ? `/api${archivePath}?id=${row.id}` : null,
  };
}
