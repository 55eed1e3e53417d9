import { AppError } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { ExportView } from './contract.ts';
import { exportOf } from './queries.ts';

/** Returns one of a person's own exports. Throws `not_found` (`export`) for any other. */
export async function requireOwnExport(ctx: Ctx, personId: string, exportId: string): Promise<ExportView> {
  const view = await exportOf(ctx, personId, exportId);
  if (!view) throw new AppError('not_found', 'export');
  return view;
}

/** Like `requireOwnExport`, and throws `not_found` (`export`) unless it can be downloaded now. */
export async function requireReadyExport(ctx: Ctx, personId: string, exportId: string): Promise<ExportView> {
  const view = await requireOwnExport(ctx, personId, exportId);
  if (view.state !== 'ready') throw new AppError('not_found', 'export');
  return view;
}

/** Returns the file of a person's own archive. Throws `not_found` (`export`) unless it can be downloaded now. */
export async function requireArchiveFile(ctx: Ctx, personId: string, exportId: string): Promise<string> {
  const archive = isUuid(exportId)
    ? await ctx.db
        .selectFrom('exports')
        .where('id', '=', exportId)
        .where('person_id', '=', personId)
        .where('state', '=', 'ready')
        .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
        .select('file_id')
        .executeTakeFirst()
    : undefined;
  if (!archive?.file_id) throw new AppError('not_found', 'export');
  return archive.file_id;
}

/** Locks a person's own archive. Throws `not_found` (`export`) for any other, and before it's ready. */
export async function requireOwnArchive(
  tx: TxCtx,
  personId: string,
  exportId: string,
): Promise<{ id: string; file_id: string | null }> {
  return tx.db
    .selectFrom('exports')
    .select(['id', 'file_id'])
    .where('id', '=', exportId)
    .where('person_id', '=', personId)
    .where('state', '=', 'ready')
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'export'));
}
