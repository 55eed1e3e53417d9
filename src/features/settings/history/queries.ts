import { changesIn } from '#/features/audit/rules.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { SettingsEntry } from '../contract.ts';

const pageSize = 20;

/** Lists saves before a version, newest first. */
export async function settingsHistory(
  ctx: Ctx,
  { before }: { before?: number | undefined },
): Promise<{ entries: SettingsEntry[]; more: boolean }> {
  const entries = await entriesBefore(ctx, before, pageSize + 1);
  return { entries: entries.slice(0, pageSize), more: entries.length > pageSize };
}

/** Returns the latest save, or null for untouched settings. */
export async function lastSaving(ctx: Ctx): Promise<SettingsEntry | null> {
  const [last = null] = await entriesBefore(ctx, undefined, 1);
  return last;
}

export async function changesAt(
  ctx: Ctx,
  versions: readonly number[],
): Promise<Map<number, Record<string, string>>> {
  if (versions.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('site_settings_history')
    .select(['version', 'changes'])
    .where('version', 'in', versions)
    .execute();
  return new Map(
    rows.map(({ version, changes }) => [
      version,
      Object.fromEntries(
        changes.flatMap((one) =>
          Object.entries(changesIn({ [one.setting]: one.from }, { [one.setting]: one.to })),
        ),
      ),
    ]),
  );
}

async function entriesBefore(ctx: Ctx, before: number | undefined, limit: number): Promise<SettingsEntry[]> {
  const rows = await ctx.db
    .selectFrom('site_settings_history')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('version', '<', before!))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ version, changed_at, kind, actor_kind, changed_by, changes }) => ({
    version,
    at: isoOf(changed_at),
    kind,
    byPerson: actor_kind === 'person',
    byId: changed_by,
    changes,
  }));
}
