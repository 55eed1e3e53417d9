import type { ExpressionBuilder } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, Database } from '#/platform/context.ts';
import type { BackupsOverview, BackupsStatus, BackupView } from './contract.ts';
import { dueAt, isOverdue, type LastBackups } from './rules.ts';

/** Page size, excluding manual backups. */
const shown = 20;
const keptShown = 200;

export async function backupsOverview(ctx: Ctx, folder: string): Promise<BackupsOverview> {
  const [backups, last, { backup_frequency: frequency }] = await Promise.all([
    viewsOf(ctx)
      .where(({ or, eb, selectFrom }) =>
        or([
          isKept(eb),
          eb(
            'backups.id',
            'in',
            selectFrom('backups as newest')
              .select('newest.id')
              .orderBy('newest.requested_at', 'desc')
              .orderBy('newest.id', 'desc')
              .limit(shown),
          ),
        ]),
      )
      .orderBy('requested_at', 'desc')
      .orderBy('backups.id', 'desc')
      .limit(shown + keptShown)
      .execute(),
    lastBackups(ctx),
    siteSettings(ctx),
  ]);
  const due = dueAt(frequency, last, ctx.now());
  return {
    backups: backups.map(viewOf),
    frequency,
    dueAt: Temporal.Instant.compare(due, ctx.now()) > 0 ? isoOf(new Date(due.epochMilliseconds)) : null,
    lastDoneAt: last.doneAt && isoOf(new Date(last.doneAt.epochMilliseconds)),
    failures: last.failures,
    folder,
  };
}

export async function backupsStatus(ctx: Ctx): Promise<BackupsStatus> {
  const [{ doneAt, failures }, { backup_frequency: frequency }] = await Promise.all([
    lastBackups(ctx),
    siteSettings(ctx),
  ]);
  const failed =
    failures > 0
      ? await ctx.db
          .selectFrom('backups')
          .select('reason')
          .where('state', '=', 'failed')
          .orderBy('requested_at', 'desc')
          .limit(1)
          .executeTakeFirst()
      : undefined;
  return {
    frequency,
    lastDoneAt: doneAt && isoOf(new Date(doneAt.epochMilliseconds)),
    overdue: isOverdue(frequency, doneAt, ctx.now()),
    failures,
    reason: failed?.reason ?? null,
  };
}

export async function backupView(ctx: Ctx, id: string): Promise<BackupView> {
  return viewOf(await viewsOf(ctx).where('backups.id', '=', id).executeTakeFirstOrThrow());
}

export async function lastBackups({ db }: Ctx): Promise<LastBackups> {
  const done = await db
    .selectFrom('backups')
    .select('started_at')
    .where('state', '=', 'done')
    .where('removed_at', 'is', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const failed = await db
    .selectFrom('backups')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('finished_at').as('last')])
    .where('state', '=', 'failed')
    .$if(Boolean(done), (query) => query.where('requested_at', '>', done!.started_at!))
    .executeTakeFirstOrThrow();
  const instantOf = (date: Date | null | undefined) => date?.toTemporalInstant() ?? null;
  return { doneAt: instantOf(done?.started_at), failures: failed.count, failedAt: instantOf(failed.last) };
}

/** Manual backups stay until an administrator deletes them. */
export function isKept(eb: ExpressionBuilder<Database, 'backups'>) {
  return eb.and([
    eb('backups.file_name', 'is not', null),
    eb('backups.origin', '!=', 'schedule'),
    eb('backups.removed_at', 'is', null),
  ]);
}

function viewsOf({ db }: Ctx) {
  return db
    .selectFrom('backups')
    .leftJoin('profiles', 'profiles.id', 'backups.requested_by')
    .selectAll('backups')
    .select('profiles.full_name as by')
    .select((eb) => isKept(eb).as('kept'));
}

type Row = Awaited<ReturnType<ReturnType<typeof viewsOf>['execute']>>[number];

function viewOf(row: Row): BackupView {
  const { id, state, origin, by, reason, rows, files, bytes } = row;
  return {
    id,
    state,
    origin,
    by,
    requestedAt: isoOf(row.requested_at),
    startedAt: row.started_at && isoOf(row.started_at),
    finishedAt: row.finished_at && isoOf(row.finished_at),
    reason,
    rows,
    files,
    missingFiles: row.missing_files,
    bytes,
    fileName: row.file_name,
    removed: row.removed_at !== null,
    kept: Boolean(row.kept),
  };
}
