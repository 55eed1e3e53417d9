import type { Updateable } from 'kysely';
import { authorise } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { forgetPages } from '#/platform/realtime/publish.ts';
import type { SiteSettingsTable } from './tables.ts';

/** Settings that are to be changed; the table's checks bound their values. */
export type SettingsChange = Omit<Updateable<SiteSettingsTable>, 'id' | 'version'>;

/** Changes site settings; they hold from the commit on, in every process. */
export async function changeSettings(ctx: Ctx, change: SettingsChange): Promise<void> {
  authorise(ctx.actor, ['manage_settings']);
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('site_settings')
      .set(change)
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .execute();
    await recordDone(tx, {
      action: 'settings.changed',
      category: 'system_settings',
      details: { settings: Object.keys(change).toSorted().join(' ') },
    });
    await forgetPages(tx);
  });
}
