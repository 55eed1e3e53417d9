import { askForDueDeletions } from '#/features/accounts/deletion/commands.ts';
import { tidyExports } from '#/features/accounts/export/commands.ts';
import { forgetEnded } from '#/features/accounts/session/commands.ts';
import { forgetRemovedGoals } from '#/features/growth/goals/commands.ts';
import { forgetDailyMails } from '#/features/notifications/mornings/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { forgetOld } from '#/platform/http/limits.ts';
import { retryUnsent } from '#/platform/mail/mail.ts';

/** What is done every hour: deletes what has become useless, and asks again for mails that couldn't be sent. */
export async function tidy(ctx: Ctx): Promise<void> {
  await forgetRemovedGoals(ctx);
  await forgetOld(ctx.db, ctx.now());
  await forgetEnded(ctx);
  await forgetDailyMails(ctx);
  await tidyExports(ctx);
  await askForDueDeletions(ctx);
  await retryUnsent(ctx);
  await ctx.files.sweep(ctx);
}
