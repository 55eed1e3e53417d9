import { topicsOf } from '#/features/access/rules.ts';
import type { Progress } from '#/platform/backup/backups.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';

/** Progress interval in milliseconds. */
const toldMs = 1_000;

export function dateOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}

export async function tell(tx: TxCtx, id: string): Promise<void> {
  await publish(tx, topicsOf('manage_settings'), { type: 'backups.changed', id });
}

/** Throttles progress to one update per interval; a failed update is retried with the next. */
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

export function columnsOf({ rows, files, missingFiles, bytes }: Progress) {
  return { rows, files, missing_files: missingFiles, bytes };
}
