import { topicsOf } from '#/features/access/rules.ts';
import type { Progress } from '#/platform/backup/backups.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';

/** How often it is told how far a backup is, in milliseconds. */
const toldMs = 1_000;

/** The time of a context, as the driver takes it. */
export function dateOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}

/** Tells administrators' screens that a backup has changed. */
export async function tell(tx: TxCtx, id: string): Promise<void> {
  await publish(tx, topicsOf('manage_settings'), { type: 'backups.changed', id });
}

/** Notes and tells how far a backup is, once in a while; what fails of it is told the next time. */
export function progressNews(
  ctx: Ctx,
  id: string,
): { tell(progress: Progress): void; told(): Promise<void> } {
  let telling: Promise<void> | null = null;
  let next = 0;
  return {
    tell(progress) {
      if (telling || performance.now() < next) return;
      telling = transact(ctx, async (tx) => {
        await tx.db.updateTable('backups').set(columnsOf(progress)).where('id', '=', id).execute();
        await tell(tx, id);
      })
        .catch(() => undefined)
        .finally(() => {
          telling = null;
          next = performance.now() + toldMs;
        });
    },
    told: async () => {
      await telling;
    },
  };
}

/** How far a backup is, as its row has it. */
export function columnsOf({ rows, files, missingFiles, bytes }: Progress) {
  return { rows, files, missing_files: missingFiles, bytes };
}
