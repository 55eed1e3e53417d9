import { AppError } from '#/kernel/errors.ts';
import { authorise } from '#/features/access/rules.ts';
import { requireFresh } from '#/features/accounts/commands.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Backups } from '#/platform/backup/backups.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { BackupView } from '../contract.ts';
import { dateOf, tell } from '../news/commands.ts';
import { backupView, isKept } from '../queries.ts';
import { keptOf } from '../rules.ts';

/** For how long it is told of a backup that failed or made room for others, in days. */
const toldDays = 400;

/**
 * Deletes a backup that somebody asked for; throws not_found for any other, and what `requireFresh` throws. Its file goes
 * with the next look.
 */
export async function removeBackup(ctx: Ctx, id: string): Promise<BackupView> {
  authorise(ctx.actor, ['manage_settings']);
  await requireFresh(ctx);
  await transact(ctx, async (tx) => {
    const removed = await tx.db
      .updateTable('backups')
      .set({ removed_at: dateOf(tx), deletion_requested: true })
      .where('id', '=', id)
      .where(isKept)
      .returning('file_name')
      .executeTakeFirst();
    if (!removed) throw new AppError('not_found', 'backup');
    await recordDone(tx, {
      action: 'backup.removed',
      category: 'system_settings',
      subject: { kind: 'backup', id },
      details: { backups: 1 },
    });
    await tell(tx, id);
  });
  return backupView(ctx, id);
}

/** Deletes the backups that no hour, day, week or month needs any more, and nobody asked for. */
export async function makeRoom(ctx: Ctx, backups: Backups): Promise<void> {
  const all = await standing(ctx);
  const scheduled = (whole: boolean) =>
    all.filter(({ origin, state }) => origin === 'schedule' && (state === 'done') === whole);
  // One that lacks something never takes the place of a whole one.
  const kept = new Set([
    ...keptOf(scheduled(true), ctx.now()),
    ...keptOf(scheduled(false), ctx.now()),
    ...all.filter(({ origin }) => origin !== 'schedule'),
  ]);
  const gone = all.filter((backup) => !kept.has(backup));
  await drop(backups, gone, [...kept]);
  if (gone.length > 0)
    await transact(ctx, async (tx) => {
      await tx.db
        .updateTable('backups')
        .set({ removed_at: dateOf(tx) })
        .where(
          'id',
          'in',
          gone.map(({ id }) => id),
        )
        .execute();
      await recordDone(tx, {
        action: 'backup.removed',
        category: 'system_settings',
        details: { backups: gone.length },
      });
    });
  await ctx.db
    .deleteFrom('backups')
    .where(({ or, and, eb }) =>
      or([and([eb('state', '=', 'failed'), eb('file_name', 'is', null)]), eb('removed_at', 'is not', null)]),
    )
    .where('requested_at', '<', new Date(ctx.now().subtract({ hours: toldDays * 24 }).epochMilliseconds))
    .execute();
}

/** Deletes the files of backups that somebody deleted. */
export async function dropDeleted(ctx: Ctx, backups: Backups): Promise<void> {
  const rows = await ctx.db
    .selectFrom('backups')
    .select(['id', 'file_name'])
    .where('deletion_requested', '=', true)
    .execute();
  if (rows.length === 0) return;
  const deleted = rows.map(({ id, file_name }) => ({ id, fileName: file_name! }));
  await drop(backups, deleted, await standing(ctx));
  await ctx.db
    .updateTable('backups')
    .set({ deletion_requested: false })
    .where(
      'id',
      'in',
      deleted.map(({ id }) => id),
    )
    .execute();
}

/** The backups whose files are there, the newest first. */
async function standing({ db }: Ctx) {
  const rows = await db
    .selectFrom('backups')
    .select(['id', 'state', 'origin', 'file_name', 'started_at'])
    .where('file_name', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ file_name, started_at, ...row }) => ({
    ...row,
    fileName: file_name!,
    at: started_at!.toTemporalInstant(),
  }));
}

/** Deletes the files of backups, and the bytes that none of the others needs. */
async function drop(
  backups: Backups,
  gone: readonly { fileName: string }[],
  others: readonly { at: Temporal.Instant }[],
): Promise<void> {
  const [oldest] = others.map(({ at }) => at).toSorted(Temporal.Instant.compare);
  await backups.drop(
    gone.map(({ fileName }) => fileName),
    oldest ?? null,
  );
}
