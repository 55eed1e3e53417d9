import { forgetAddressChanges } from '#/features/accounts/address-change/commands.ts';
import { askForDueDeletions } from '#/features/accounts/deletion/commands.ts';
import { tidyExports } from '#/features/accounts/export/commands.ts';
import { forgetEnded } from '#/features/accounts/session/commands.ts';
import { forgetSignUps } from '#/features/accounts/sign-up/commands.ts';
import { forgetInvitations } from '#/features/attendees/invitations/commands.ts';
import { forgetRequests } from '#/features/guest-booking/commands.ts';
import { forgetSeriesChanges } from '#/features/appointments/series-changes/commands.ts';
import { forgetEndedWaits, takeAllTurns } from '#/features/waitlist/offers/commands.ts';
import { forgetClaims } from '#/features/care/claims/commands.ts';
import { forgetRemovedGoals } from '#/features/growth/goals/commands.ts';
import { forgetUnsent } from '#/features/messaging/attachments/commands.ts';
import { forgetDailyMails } from '#/features/notifications/mornings/commands.ts';
import { extendHolidays } from '#/features/availability/holidays/commands.ts';
import { forgetUnsentDocuments } from '#/features/providers/documents/commands.ts';
import { followLicences } from '#/features/providers/expiry/commands.ts';
import { forgetEndedRooms } from '#/features/video/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { forgetFailures } from '#/platform/http/failures.ts';
import { forgetOld } from '#/platform/http/limits.ts';
import { retryUnsent } from '#/platform/mail/mail.ts';
import { sealClear } from './seal-clear.ts';

const steps: readonly ((ctx: Ctx) => Promise<unknown>)[] = [
  (ctx) => sealClear(ctx),
  forgetRemovedGoals,
  (ctx) => forgetOld(ctx.db, ctx.now()),
  (ctx) => forgetFailures(ctx.db, ctx.now()),
  (ctx) => forgetEnded(ctx),
  forgetSignUps,
  forgetUnsent,
  forgetDailyMails,
  takeAllTurns,
  forgetUnsentDocuments,
  followLicences,
  forgetEndedWaits,
  forgetInvitations,
  forgetRequests,
  forgetClaims,
  forgetSeriesChanges,
  forgetEndedRooms,
  forgetAddressChanges,
  tidyExports,
  extendHolidays,
  askForDueDeletions,
  retryUnsent,
  (ctx) => ctx.files.sweep(ctx),
];

/** Runs every hourly step in order. Failures don't stop later steps; they're thrown together at the end. */
export async function tidy(ctx: Ctx): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step(ctx).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw new AggregateError(failed, 'not everything could be tidied');
}
