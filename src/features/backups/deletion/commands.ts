import { recordDone } from '#/features/audit/commands.ts';
import type { Backups } from '#/platform/backup/backups.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { dateOf } from '../commands.ts';
import { backupsToKeep } from '../rules.ts';

/** Retention of failed and deleted rows, in days. */
const keptRowDays = 400;

/** Deletes scheduled backups outside the retention tiers. */
export async function makeRoom(ctx: Ctx, backups: Backups): Promise<void> {
  const all = await existingBackups(ctx);
  const scheduled = (whole: boolean) =>
    all.filter(({ origin, state }) => origin === 'schedule' && (state === 'done') === whole);
  // Separate tiers, so an incomplete backup never displaces a complete one.
  const keep = new Set([
    ...backupsToKeep(scheduled(true), ctx.now()),
    ...backupsToKeep(scheduled(false), ctx.now()),
    ...all.filter(({ origin }) => origin !== 'schedule'),
  ]);
  const surplus = all.filter((backup) => !keep.has(backup));
  await deleteBackups(backups, surplus, [...keep]);
  if (surplus.length > 0)
    await transact(ctx, async (tx) => {
      await tx.db
        .updateTable('backups')
        .set({ removed_at: dateOf(tx) })
        .where(
          'id',
          'in',
          surplus.map(({ id }) => id),
        )
        .execute();
      await recordDone(tx, { action: 'backup.removed', details: { backups: surplus.length } });
    });
  await ctx.db
    .deleteFrom('backups')
    .where(({ or, and, eb }) =>
      or([and([eb('state', '=', 'failed'), eb('file_name', 'is', null)]), eb('removed_at', 'is not', null)]),
    )
    .where('requested_at', '<', new Date(ctx.now().subtract({ hours: keptRowDays * 24 }).epochMilliseconds))
    .execute();
}

export async function deletePending(ctx: Ctx, backups: Backups): Promise<void> {
  const rows = await ctx.db
    .selectFrom('backups')
    .select(['id', 'file_name'])
    .where('deletion_requested', '=', true)
    .execute();
  if (rows.length === 0) return;
  const deleted = rows.map(({ id, file_name }) => ({ id, fileName: file_name! }));
  await deleteBackups(backups, deleted, await existingBackups(ctx));
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

async function existingBackups({ db }: Ctx) {
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

/** Deletes backups, and bytes that no other needs. */
async function deleteBackups(
  backups: Backups,
  surplus: readonly { fileName: string }[],
  others: readonly { at: Temporal.Instant }[],
): Promise<void> {
  const [oldest] = others.map(({ at }) => at).toSorted(Temporal.Instant.compare);
  await backups.drop(
    surplus.map(({ fileName }) => fileName),
    oldest ?? null,
  );
}
