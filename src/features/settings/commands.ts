import { roles } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import type { AdminSettings, SettingChange } from './contract.ts';
import { notifySite } from './notice/commands.ts';
import { adminSettings, valuesIn } from './queries.ts';
import { settingDefaults, settings, type SettingId, type SiteSettings } from './rules.ts';

type Change = { [Id in SettingId]?: SiteSettings[Id] | undefined };

/**
 * Saves changed settings. Throws `conflict` with `settings_changed` for an outdated version, `invalid` with
 * `unknown_zone`, or `two_factor_off`.
 */
export async function saveSettings(
  ctx: Ctx,
  { version, change }: { version: number; change: Change },
): Promise<AdminSettings> {
  authorize(ctx.actor, ['manage_settings']);
  requireKnownZone(change.timezone, 'change.timezone');
  return transact(ctx, async (tx) => {
    if (change.requireTwoFactor) await requireFactorOffered(tx);
    await store(tx, { kind: 'saved', change, version });
    return adminSettings(tx);
  });
}

/** Resets every setting to its default. Throws `conflict` with `settings_changed` for an outdated version. */
export async function resetSettings(ctx: Ctx, { version }: { version: number }): Promise<AdminSettings> {
  authorize(ctx.actor, ['manage_settings']);
  return transact(ctx, async (tx) => {
    await store(tx, { kind: 'reset', change: settingDefaults, version });
    return adminSettings(tx);
  });
}

/** Skips the version check. */
export async function changeSettings(ctx: Ctx, change: Change): Promise<void> {
  authorize(ctx.actor, ['manage_settings']);
  await transact(ctx, (tx) => store(tx, { kind: 'saved', change, version: null }));
}

/** Throws `two_factor_off` if the feature flag is off: requiring a second factor would have no effect. */
async function requireFactorOffered({ db }: TxCtx): Promise<void> {
  await db
    .selectFrom('feature_flags')
    .select('id')
    .where('id', '=', 'two_factor_authentication')
    .where('enabled', '=', true)
    .forShare()
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'two_factor_off'));
}

/** Free text: logged only as changed. */
const written: readonly SettingId[] = ['siteName', 'siteDescription', 'supportEmail'];

function changeDetails({ setting, from, to }: SettingChange): Record<string, string> {
  return written.includes(setting)
    ? { [setting]: 'changed' }
    : changesIn({ [setting]: from }, { [setting]: to });
}

/** Stores the differences with a history entry. Every process reads settings fresh, so they apply on commit. */
async function store(
  tx: TxCtx,
  { kind, change, version }: { kind: 'saved' | 'reset'; change: Change; version: number | null },
): Promise<void> {
  const row = await tx.db.selectFrom('site_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
  const stored = valuesIn(row);
  const changes = (Object.entries(change) as [SettingId, SiteSettings[SettingId] | undefined][]).flatMap(
    ([setting, to]) =>
      to === undefined || to === stored[setting] ? [] : [{ setting, from: stored[setting], to }],
  );
  if (changes.length === 0) return;
  if (version !== null && row.version !== version)
    throw new AppError('conflict', 'settings_changed', { data: { version: row.version } });
  await tx.db
    .updateTable('site_settings')
    .set({
      ...Object.fromEntries(changes.map(({ setting, to }) => [settings[setting].column, to])),
      version: row.version + 1,
    })
    .execute();
  await tx.db
    .insertInto('site_settings_history')
    .values({
      version: row.version + 1,
      changed_at: new Date(tx.now().epochMilliseconds),
      kind,
      actor_kind: tx.actor.kind === 'person' ? 'person' : 'system',
      changed_by: tx.actor.kind === 'person' ? tx.actor.id : null,
      changes: JSON.stringify(changes),
    })
    .execute();
  await recordDone(tx, {
    action: kind === 'reset' ? 'settings.reset' : 'settings.changed',
    details: {
      ...Object.fromEntries(changes.flatMap((one) => Object.entries(changeDetails(one)))),
      version: row.version + 1,
    },
  });
  await notifySite(tx);
  if (changes.some(({ setting, to }) => setting === 'maintenanceMode' && to === true))
    for (const role of roles) if (role !== 'super_admin') await closeSockets(tx, `role:${role}`);
}
