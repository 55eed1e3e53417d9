import type { Ctx } from '#/platform/context.ts';
import { deleteOldFailures } from '#/platform/http/failures.ts';
import { deleteOldAttempts } from '#/platform/http/limits.ts';
import { retryUnsent } from '#/platform/mail/mail.ts';
import { features } from './features.ts';
import { sealClear } from './seal-clear.ts';

const steps: readonly ((ctx: Ctx) => Promise<unknown>)[] = [
  (ctx) => sealClear(ctx),
  ...features.flatMap((feature) => feature.tidy),
  (ctx) => deleteOldAttempts(ctx.db, ctx.now()),
  (ctx) => deleteOldFailures(ctx.db, ctx.now()),
  retryUnsent,
  // Last, to include files that the earlier steps removed.
  (ctx) => ctx.files.sweep(ctx),
];

/** Runs every hourly step in order. Failures don't stop later steps; they're thrown together at the end. */
export async function tidy(ctx: Ctx): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step(ctx).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw new AggregateError(failed, 'some cleanup failed');
}
