import { AppError } from '#/kernel/errors.ts';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import type { BackupOrigin, BackupView } from './contract.ts';
import { requireKeptBackup } from './policies.ts';
import { backupView } from './queries.ts';

/** Queues a backup for the next worker run. Throws `conflict` (`backup_under_way`) if one is already open. */
export async function requestBackup(ctx: Ctx): Promise<BackupView> {
  authorize(ctx.actor, ['manage_settings']);
  const id = await transact(ctx, async (tx) => {
    const asked = await addBackup(tx, 'person', 'waiting');
    if (!asked) throw new AppError('conflict', 'backup_under_way');
    await recordDone(tx, { action: 'backup.requested', subject: { kind: 'backup', id: asked } });
    return asked;
  });
  return backupView(ctx, id);
}

/**
 * Marks a manual backup for deletion; the next worker run deletes its file. Throws `not_found` for scheduled backups,
 * and whatever `requireFresh` throws.
 */
export async function removeBackup(ctx: Ctx, id: string): Promise<BackupView> {
  authorize(ctx.actor, ['manage_settings']);
  await requireFresh(ctx);
  await transact(ctx, async (tx) => {
    const backup = await requireKeptBackup(tx, id);
    await tx.db
      .updateTable('backups')
      .set({ removed_at: dateOf(tx), deletion_requested: true })
      .where('id', '=', backup.id)
      .execute();
    await recordDone(tx, {
      action: 'backup.removed',
      subject: { kind: 'backup', id },
      details: { backups: 1 },
    });
    await notifyScreens(tx, id);
  });
  return backupView(ctx, id);
}

/** Adds a backup and returns its id; null if one is already waiting or running. */
export async function addBackup(
  ctx: Ctx,
  origin: BackupOrigin,
  state: 'waiting' | 'running',
): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const at = dateOf(tx);
    const added = await tx.db
      .insertInto('backups')
      .values({
        id: tx.newId(),
        requested_at: at,
        origin,
        requested_by: tx.actor.kind === 'person' ? tx.actor.id : null,
        state,
        started_at: state === 'running' ? at : null,
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (added) await notifyScreens(tx, added.id);
    return added?.id ?? null;
  });
}

/** Notifies administrators' open pages that a backup changed. */
export async function notifyScreens(tx: TxCtx, id: string): Promise<void> {
  await publish(tx, topicsOf('manage_settings'), { type: 'backups.changed', id });
}

export function dateOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}
