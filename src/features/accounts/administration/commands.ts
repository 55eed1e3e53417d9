import { recordRefused } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { viewerOf } from '../queries.ts';
import type { PortalState } from '../contract.ts';
import { portalStateFor, maskedAddress } from './rules.ts';

/** Refused portal visits logged per person per hour: enough to spot abuse without flooding the log. */
const noted = 20;

/** Returns the viewer's portal access, and logs refusals of signed-in people. */
export async function portalState(ctx: Ctx, adminEmails: readonly string[]): Promise<PortalState> {
  const viewer = await viewerOf(ctx);
  const state = portalStateFor(viewer, adminEmails);
  if (!viewer) return { state, address: null, role: null };
  if (state !== 'open' && (await countAttempt(ctx.db, `portal:${viewer.id}`, noted, 3_600, ctx.now())))
    await recordRefused(ctx, { action: 'portal_opened', details: { reason: state } });
  return { state, address: maskedAddress(viewer.email), role: viewer.role };
}
