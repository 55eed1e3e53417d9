import type { Updateable } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { endAllAccess } from '#/features/accounts/commands.ts';
import { endAllFeeds } from '#/features/appointments/feed/commands.ts';
import { headOf } from '#/features/audit/chain/queries.ts';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { auditHead, type Backups, type Progress } from '#/platform/backup/backups.ts';
import type { Restored } from '#/platform/backup/restore.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Keyrings } from '#/platform/sealed-column.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { UnreadableBytes } from '#/platform/files/files.ts';
import { isBackupRunning } from '#/platform/files/backup-lock.ts';
import { addBackup, dateOf, notifyScreens } from '../commands.ts';
import type { BackupReason, BackupView } from '../contract.ts';
import { deletePending, makeRoom } from '../deletion/commands.ts';
import { backupView, lastBackups } from '../queries.ts';
import { dueAt } from '../rules.ts';
import type { BackupsTable } from '../tables.ts';

/**
 * Takes the queued or due backup unless another process is running one, and deletes expired backups. Failures are
 * stored and rethrown for the log.
 */
export async function runBackups(ctx: Ctx, backups: Backups, signal?: AbortSignal): Promise<void> {
  if (!(await isNeeded(ctx)) || (await isBackupRunning(ctx))) return;
  await backups.alone(async (client) => {
    await endInterrupted(ctx, backups);
    await deletePending(ctx, backups);
    const id =
      (await beginBackup(ctx)) ?? ((await isDue(ctx)) ? await addBackup(ctx, 'schedule', 'running') : null);
    if (id) await takeBackup(ctx, backups, client, id, signal);
  });
}

/** Takes a backup now, for `npm run backup`. Throws `conflict` (`backup_under_way`) if one is running. */
export async function backUpNow(ctx: Ctx, backups: Backups, signal?: AbortSignal): Promise<BackupView> {
  const id = await backups.alone(async (client) => {
    await endInterrupted(ctx, backups);
    const begun = await addBackup(ctx, 'command', 'running');
    if (begun) await takeBackup(ctx, backups, client, begun, signal);
    return begun;
  });
  if (!id) throw new AppError('conflict', 'backup_under_way');
  return backupView(ctx, id);
}

/**
 * Marks the restored database's own backup as finished: its row was still `running` in the dump. Ends all access, since
 * some had ended after the backup.
 */
export async function noteRestored(
  ctx: Ctx,
  { tables, files, missingFiles, fileName, bytes, checksum }: Restored,
): Promise<void> {
  const rows = [...tables.values()].reduce((sum, table) => sum + table.rows, 0);
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('backups')
      .set({
        ...(missingFiles > 0 ? { state: 'failed', reason: 'incomplete' } : { state: 'done' }),
        finished_at: dateOf(tx),
        rows,
        files,
        missing_files: missingFiles,
        bytes,
        checksum,
        file_name: fileName,
      })
      .where('state', '=', 'running')
      .execute();
    await endAllAccess(tx);
    await endAllFeeds(tx);
    await recordDone(tx, { action: 'backup.restored', details: { rows, files } });
  });
}

/** Seals a known text with each keyring. A restore uses these to detect missing keys. */
function probesOf(rings: Keyrings): Record<string, string> {
  return Object.fromEntries(probed.map(({ name, ring }) => [name, rings[ring].seal('italk', probeAt)]));
}

export function missingKeys(rings: Keyrings, probes: Readonly<Record<string, string>>): string[] {
  return probed
    .filter(({ name, ring }) => {
      try {
        return rings[ring].open(probes[name] ?? '', probeAt) !== 'italk';
      } catch {
        return true;
      }
    })
    .map(({ name }) => name);
}

const probeAt = 'backups.probe';
const probed = [
  { name: 'ENCRYPTION_KEYS', ring: 'keyring' },
  { name: 'PRIVATE_NOTES_KEYS', ring: 'privateNotes' },
] as const;

/** Returns true if a backup is waiting, interrupted or due, or a deletion is pending. */
async function isNeeded(ctx: Ctx): Promise<boolean> {
  const open = await ctx.db
    .selectFrom('backups')
    .select('id')
    .where(({ or, eb }) =>
      or([eb('state', 'in', ['waiting', 'running']), eb('deletion_requested', '=', true)]),
    )
    .executeTakeFirst();
  return open !== undefined || isDue(ctx);
}

async function isDue(ctx: Ctx): Promise<boolean> {
  const { backup_frequency: frequency } = await siteSettings(ctx);
  const due = dueAt(frequency, await lastBackups(ctx), ctx.now());
  return Temporal.Instant.compare(due, ctx.now()) <= 0;
}

async function beginBackup(ctx: Ctx): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const begun = await tx.db
      .updateTable('backups')
      .set({ state: 'running', started_at: dateOf(tx) })
      .where('state', '=', 'waiting')
      .returning('id')
      .executeTakeFirst();
    if (begun) await notifyScreens(tx, begun.id);
    return begun?.id ?? null;
  });
}

/** Holding the lock means any `running` row belongs to a crashed process. */
async function endInterrupted(ctx: Ctx, backups: Backups): Promise<void> {
  const left = await ctx.db.selectFrom('backups').select('id').where('state', '=', 'running').execute();
  for (const { id } of left) await fail(ctx, id, 'interrupted');
  await backups.clear();
}

async function takeBackup(
  ctx: Ctx,
  backups: Backups,
  client: Parameters<Backups['take']>[0],
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reporter = progressReporter(ctx, id);
  try {
    const { fileName, checksum, ...figures } = await backups.take(client, {
      at: ctx.now(),
      probes: { ...probesOf(ctx), [auditHead]: (await headOf(ctx.db))?.hash ?? '' },
      signal,
      onProgress: (progress) => reporter.report(progress),
    });
    await reporter.settled();
    const incomplete = figures.missingFiles > 0;
    const file = { file_name: fileName, checksum, ...columnsOf(figures) };
    if (incomplete) await fail(ctx, id, 'incomplete', file);
    else
      await transact(ctx, async (tx) => {
        await tx.db
          .updateTable('backups')
          .set({ state: 'done', finished_at: dateOf(tx), ...file })
          .where('id', '=', id)
          .execute();
        await recordDone(tx, {
          action: 'backup.done',
          subject: { kind: 'backup', id },
          details: { ...figures },
        });
        await notifyScreens(tx, id);
      });
  } catch (error) {
    await reporter.settled();
    await fail(ctx, id, reasonOf(error, signal));
    throw error;
  }
  await makeRoom(ctx, backups);
}

async function fail(
  ctx: Ctx,
  id: string,
  reason: BackupReason,
  file: Updateable<BackupsTable> = {},
): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('backups')
      .set({ ...file, state: 'failed', finished_at: dateOf(tx), reason })
      .where('id', '=', id)
      .execute();
    await recordRefused(tx, {
      action: 'backup.failed',
      subject: { kind: 'backup', id },
      details: { reason },
    });
    await notifyScreens(tx, id);
  });
}

const reasons: Readonly<Record<string, BackupReason>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EACCES: 'folder',
  EPERM: 'folder',
  EROFS: 'folder',
  ENOENT: 'folder',
  ENOTDIR: 'folder',
  EEXIST: 'folder',
};

function reasonOf(error: unknown, signal: AbortSignal | undefined): BackupReason {
  if (signal?.aborted) return 'stopped';
  if (error instanceof UnreadableBytes) return 'files';
  const code = sqlState(error) ?? '';
  if (reasons[code]) return reasons[code];
  const broken = error instanceof Error && error.message.startsWith('Connection terminated');
  return broken || /^[0-9A-Z]{5}$/.test(code) || code.startsWith('ECONN') ? 'database' : 'unknown';
}

/** Progress interval in milliseconds. */
const reportEvery = 1_000;

/** Throttles progress to one update per interval; a failed update is retried with the next. */
function progressReporter(
  ctx: Ctx,
  id: string,
): { report(progress: Progress): void; settled(): Promise<void> } {
  let running: Promise<void> | null = null;
  let next = 0;
  return {
    report(progress) {
      if (running || performance.now() < next) return;
      running = transact(ctx, async (tx) => {
        await tx.db.updateTable('backups').set(columnsOf(progress)).where('id', '=', id).execute();
        await notifyScreens(tx, id);
      })
        .catch(() => undefined)
        .finally(() => {
          running = null;
          next = performance.now() + reportEvery;
        });
    },
    settled: async () => {
      await running;
    },
  };
}

function columnsOf({ rows, files, missingFiles, bytes }: Progress) {
  return { rows, files, missing_files: missingFiles, bytes };
}
