import { recordRefused } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { hit } from '#/platform/http/limits.ts';
import { viewerOf } from '../queries.ts';
import type { Door } from './contract.ts';
import { doorFor, maskedAddress } from './rules.ts';

/** How many times in an hour it is written down that a person was turned away: enough to see it, too few to fill the log. */
const noted = 20;

/** Says whether the portal opens for who asks, and writes down who is signed in and turned away. */
export async function askDoor(ctx: Ctx, adminEmails: readonly string[]): Promise<Door> {
  const viewer = await viewerOf(ctx);
  const state = doorFor(viewer, adminEmails);
  if (!viewer) return { state, address: null, role: null };
  if (state !== 'open' && (await hit(ctx.db, `door:${viewer.id}`, noted, 3_600, ctx.now())))
    await recordRefused(ctx, { action: 'portal_opened', category: 'security', details: { reason: state } });
  return { state, address: maskedAddress(viewer.email), role: viewer.role };
}
