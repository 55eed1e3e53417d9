import type { Capability } from '#/features/access/contract.ts';
import { can } from '#/features/access/rules.ts';
import { countSuspendedSessions } from '#/features/appointments/administration/queries.ts';
import { lastCheck } from '#/features/audit/chain/queries.ts';
import { backupsStanding } from '#/features/backups/queries.ts';
import { openMessages } from '#/features/contact/queries.ts';
import { countUndelivered } from '#/features/notifications/undelivered/queries.ts';
import { pendingApplicationCount } from '#/features/providers/applications/queries.ts';
import { waitingCredentialCount } from '#/features/providers/credentials/queries.ts';
import { countEndingLicences } from '#/features/providers/expiry/queries.ts';
import { waitingCount as waitingResources } from '#/features/resources/moderation/queries.ts';
import { waitingCount as waitingReviews } from '#/features/reviews/queries.ts';
import { repliesWaiting } from '#/features/reviews/reply/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { AttentionView, Concern } from './contract.ts';

interface Count {
  capability: Capability;
  count: (ctx: Ctx) => Promise<number>;
}

/** In order of urgency. The capability is that of the page where it is decided. */
const counts: Readonly<Record<Concern, Count>> = {
  audit: { capability: 'view_analytics', count: async (ctx) => ((await lastCheck(ctx))?.broken ? 1 : 0) },
  backups: { capability: 'manage_settings', count: missedBackups },
  applications: { capability: 'manage_providers', count: pendingApplicationCount },
  credentials: {
    capability: 'manage_providers',
    count: async (ctx) => (await waitingCredentialCount(ctx)).waiting,
  },
  licencesEnded: {
    capability: 'manage_providers',
    count: async (ctx) => (await countEndingLicences(ctx)).ended,
  },
  sessions: { capability: 'manage_appointments', count: countSuspendedSessions },
  messages: { capability: 'access_admin_panel', count: openMessages },
  reviews: { capability: 'moderate_content', count: async (ctx) => (await waitingReviews(ctx)).waiting },
  replies: { capability: 'moderate_content', count: async (ctx) => (await repliesWaiting(ctx)).waiting },
  resources: { capability: 'moderate_content', count: async (ctx) => (await waitingResources(ctx)).waiting },
  licencesEnding: {
    capability: 'manage_providers',
    count: async (ctx) => (await countEndingLicences(ctx)).ending,
  },
  undelivered: { capability: 'manage_settings', count: countUndelivered },
};

/** Counts what waits for an administrator, leaving out what is empty or not for this person. */
export async function attentionOf(ctx: Ctx): Promise<AttentionView> {
  const role = ctx.actor.kind === 'person' ? ctx.actor.role : null;
  const allowed = Object.entries(counts).filter(([, { capability }]) => can(role, capability));
  const found = await Promise.all(
    allowed.map(async ([concern, { count }]) => ({ concern: concern as Concern, count: await count(ctx) })),
  );
  return found.filter(({ count }) => count > 0);
}

/** Failed backups since the last complete one; an overdue one counts as one. */
async function missedBackups(ctx: Ctx): Promise<number> {
  const { failures, overdue } = await backupsStanding(ctx);
  return Math.max(failures, overdue ? 1 : 0);
}
