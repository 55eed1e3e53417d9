import { AppError } from '#/kernel/errors.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Download } from '#/platform/http/downloads.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { archiveOf } from '../archive/commands.ts';
import { requireFresh, signedIn } from '../commands.ts';
import { personOf, requireUnlocked } from '../queries.ts';
import type { ExportView } from './contract.ts';
import { requireArchiveFile, requireOwnArchive, requireOwnExport, requireReadyExport } from './policies.ts';
import { exportsOf, exportViewOf } from './queries.ts';
import { archivePath, exportTerms } from '../rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.export_requested': { exportId: string };
    'accounts.export_ready': { exportId: string; userId: string };
  }
}

const bucket = 'exports';

/** Hours before an unfinished export counts as lost. */
const lostAfterHours = 6;

export async function ownExports(ctx: Ctx): Promise<ExportView[]> {
  return exportsOf(ctx, signedIn(ctx).id);
}

/** Returns one of the signed-in person's exports. Throws `not_found` (`export`). */
export async function ownExport(ctx: Ctx, exportId: string): Promise<ExportView> {
  return requireOwnExport(ctx, signedIn(ctx).id, exportId);
}

/**
 * Serves the signed-in person's archive; others' are `not_found` (`export`). Throws like `requireFresh`, since it
 * contains all private data.
 */
export const exportDownload: Download = {
  path: archivePath,
  make: async (ctx, query) => {
    const { id: personId } = signedIn(ctx);
    const fileId = await requireArchiveFile(ctx, personId, query.get('id') ?? '');
    await requireFresh(ctx);
    const { name, contentType } = await ctx.files.info(ctx, fileId);
    return { filename: name, contentType, bytes: await ctx.files.read(ctx, fileId) };
  },
};

/**
 * Requests an archive of all account data, or returns the one in progress. Throws `rate_limited` (`too_many_exports`),
 * or like `requireUnlocked` and `requireFresh`, since it includes the journal.
 */
export async function requestExport(ctx: Ctx): Promise<ExportView> {
  const { id } = signedIn(ctx);
  await requireUnlocked(ctx, id);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    const underWay = await exportUnderWay(tx, id);
    if (underWay) return underWay;
    const dayAgo = new Date(tx.now().subtract({ hours: 24 }).epochMilliseconds);
    const { count } = await tx.db
      .selectFrom('exports')
      .where('person_id', '=', id)
      .where('requested_at', '>', dayAgo)
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= exportTerms.aDay) throw new AppError('rate_limited', 'too_many_exports');
    const row = await tx.db
      .insertInto('exports')
      .values({
        id: tx.newId(),
        person_id: id,
        state: 'waiting',
        file_id: null,
        requested_at: new Date(tx.now().epochMilliseconds),
        finished_at: null,
        expires_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    // Another device requested an export concurrently.
    if (!row) return (await exportUnderWay(tx, id))!;
    await record(tx, 'export_requested', id);
    await tx.emit(tx, 'accounts.export_requested', { exportId: row.id });
    await notifyScreens(tx, id, row.id);
    return exportViewOf(row, tx.now());
  });
}

/** Checks that an archive can be downloaded now. Throws like `requireFresh`, or `not_found` (`export`). */
export async function openExport(ctx: Ctx, exportId: string): Promise<ExportView> {
  const view = await requireReadyExport(ctx, signedIn(ctx).id, exportId);
  await requireFresh(ctx);
  return view;
}

/** Deletes the signed-in person's archive early. Throws `not_found` (`export`). */
export async function removeExport(ctx: Ctx, exportId: string): Promise<ExportView> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    const archive = await requireOwnArchive(tx, id, exportId);
    await tx.db
      .updateTable('exports')
      .set({ state: 'expired', file_id: null })
      .where('id', '=', archive.id)
      .execute();
    if (archive.file_id) await tx.files.remove(tx, [archive.file_id]);
    await record(tx, 'export_removed', id);
    await notifyScreens(tx, id, exportId);
    return requireOwnExport(tx, id, exportId);
  });
}

async function exportUnderWay(tx: TxCtx, personId: string): Promise<ExportView | null> {
  const row = await tx.db
    .selectFrom('exports')
    .selectAll()
    .where('person_id', '=', personId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return row ? exportViewOf(row, tx.now()) : null;
}

/**
 * Job that builds an archive from every part. Restarts from scratch after a crash; on failure, notifies the person to
 * try again.
 */
export async function runExport(ctx: Ctx, exportId: string, parts: readonly PersonalPart[]): Promise<void> {
  const personId = await saveProgress(ctx, exportId, 0);
  if (personId === null) return;
  try {
    const file = {
      bucket,
      ownerId: personId,
      name: `italk-export-${ctx.now().toString().slice(0, 10)}.zip`,
      body: archiveOf(ctx, {
        person: await personOf(ctx, personId),
        parts,
        advance: async (percent) => {
          await saveProgress(ctx, exportId, percent);
        },
      }),
    };
    await ctx.files.upload(ctx, file, (tx, { id }) => finishExport(tx, exportId, id));
  } catch (error) {
    await fail(ctx, exportId);
    throw error;
  }
}

/** Saves progress in percent and notifies the person; null if the export was canceled. */
async function saveProgress(ctx: Ctx, exportId: string, progress: number): Promise<string | null> {
  return transact(ctx, async (tx) => {
    const row = await tx.db
      .updateTable('exports')
      .set({ state: 'running', progress })
      .where('id', '=', exportId)
      .where('state', 'in', ['waiting', 'running'])
      .returning('person_id')
      .executeTakeFirst();
    if (!row) return null;
    await notifyScreens(tx, row.person_id, exportId);
    return row.person_id;
  });
}

/** Records the archive in the transaction storing it. Throws if the export was canceled. */
async function finishExport(tx: TxCtx, exportId: string, fileId: string): Promise<void> {
  const now = tx.now();
  const { person_id } = await tx.db
    .updateTable('exports')
    .set({
      state: 'ready',
      progress: 100,
      file_id: fileId,
      finished_at: new Date(now.epochMilliseconds),
      expires_at: new Date(now.add({ hours: exportTerms.hours }).epochMilliseconds),
    })
    .where('id', '=', exportId)
    .where('state', '=', 'running')
    .returning('person_id')
    .executeTakeFirstOrThrow();
  await record(tx, 'export_ready', person_id);
  await tx.emit(tx, 'accounts.export_ready', { exportId, userId: person_id });
  await notifyScreens(tx, person_id, exportId);
}

async function fail(ctx: Ctx, exportId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const failed = await tx.db
      .updateTable('exports')
      .set({ state: 'failed', finished_at: new Date(tx.now().epochMilliseconds) })
      .where('id', '=', exportId)
      .where('state', '=', 'running')
      .returning('person_id')
      .executeTakeFirst();
    if (!failed) return;
    await record(tx, 'export_failed', failed.person_id);
    await notifyScreens(tx, failed.person_id, exportId);
  });
}

/** Hourly: deletes expired archives, fails lost exports. */
export async function tidyExports(ctx: Ctx): Promise<void> {
  const now = new Date(ctx.now().epochMilliseconds);
  const lost = new Date(ctx.now().subtract({ hours: lostAfterHours }).epochMilliseconds);
  await transact(ctx, async (tx) => {
    const over = await tx.db
      .selectFrom('exports')
      .select(['id', 'person_id', 'file_id'])
      .where('state', '=', 'ready')
      .where('expires_at', '<=', now)
      .forUpdate()
      .execute();
    for (const { id, person_id } of over) {
      await tx.db
        .updateTable('exports')
        .set({ state: 'expired', file_id: null })
        .where('id', '=', id)
        .execute();
      await record(tx, 'export_expired', person_id);
      await notifyScreens(tx, person_id, id);
    }
    const files = over.flatMap(({ file_id }) => file_id ?? []);
    if (files.length > 0) await tx.files.remove(tx, files);
    const given = await tx.db
      .updateTable('exports')
      .set({ state: 'failed', finished_at: now })
      .where('state', 'in', ['waiting', 'running'])
      .where('requested_at', '<', lost)
      .returning(['id', 'person_id'])
      .execute();
    for (const { id, person_id } of given) {
      await record(tx, 'export_failed', person_id);
      await notifyScreens(tx, person_id, id);
    }
  });
}

/** Deletes finished and running exports before someone else gains access to the account. */
export async function discardExports(tx: TxCtx, personId: string): Promise<void> {
  const discarded = await tx.db
    .selectFrom('exports')
    .select(['id', 'file_id'])
    .where('person_id', '=', personId)
    .where('state', 'in', ['waiting', 'running', 'ready'])
    .forUpdate()
    .execute();
  for (const { id } of discarded) {
    await tx.db
      .updateTable('exports')
      .set({ state: 'expired', file_id: null })
      .where('id', '=', id)
      .execute();
    await record(tx, 'export_expired', personId);
  }
  const files = discarded.flatMap(({ file_id }) => file_id ?? []);
  if (files.length > 0) await tx.files.remove(tx, files);
}

async function record(tx: TxCtx, action: Action, personId: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: personId } });
}

async function notifyScreens(tx: TxCtx, personId: string, exportId: string): Promise<void> {
  await publish(tx, [`person:${personId}`], { type: 'export.changed', id: exportId });
}
