import type { Capability } from '#/features/access/contract.ts';
import { can } from '#/features/access/rules.ts';
import { countSuspendedSessions } from '#/features/appointments/administration/queries.ts';
import { lastCheck } from '#/features/audit/chain/queries.ts';
import { backupsStatus } from '#/features/backups/queries.ts';
import { openMessages } from '#/features/contact/queries.ts';
import { countUndelivered } from '#/features/notifications/undelivered/queries.ts';
import { pendingApplicationCount } from '#/features/providers/applications/queries.ts';
import { waitingCredentialCount } from '#/features/providers/credentials/queries.ts';
import { countEndingLicenses } from '#/features/providers/expiry/queries.ts';
import { waitingCount as waitingResources } from '#/features/resources/authoring/queries.ts';
import { waitingCount as waitingReviews } from '#/features/reviews/queries.ts';
import { repliesWaiting } from '#/features/reviews/reply/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { concerns, type AttentionView, type Concern } from '../contract.ts';

type Counts = Partial<Record<Concern, number>>;

/** Each count requires the capability of the page where it's handled. */
const counted: readonly { capability: Capability; count: (ctx: Ctx) => Promise<Counts> }[] = [
  {
    capability: 'view_analytics',
    count: async (ctx) => ({ audit: (await lastCheck(ctx))?.broken ? 1 : 0 }),
  },
  { capability: 'manage_settings', count: async (ctx) => ({ backups: await missedBackups(ctx) }) },
  {
    capability: 'manage_providers',
    count: async (ctx) => ({ applications: await pendingApplicationCount(ctx) }),
  },
  {
    capability: 'manage_providers',
    count: async (ctx) => ({ credentials: (await waitingCredentialCount(ctx)).waiting }),
  },
  {
    capability: 'manage_providers',
    count: async (ctx) => {
      const { ended, ending } = await countEndingLicenses(ctx);
      return { licensesEnded: ended, licensesEnding: ending };
    },
  },
  {
    capability: 'manage_appointments',
    count: async (ctx) => ({ sessions: await countSuspendedSessions(ctx) }),
  },
  { capability: 'access_admin_panel', count: async (ctx) => ({ messages: await openMessages(ctx) }) },
  {
    capability: 'moderate_content',
    count: async (ctx) => ({ reviews: (await waitingReviews(ctx)).waiting }),
  },
  {
    capability: 'moderate_content',
    count: async (ctx) => ({ replies: (await repliesWaiting(ctx)).waiting }),
  },
  {
    capability: 'moderate_content',
    count: async (ctx) => ({ resources: (await waitingResources(ctx)).waiting }),
  },
  { capability: 'manage_settings', count: async (ctx) => ({ undelivered: await countUndelivered(ctx) }) },
];

/** Counts what needs an administrator, most urgent first. Omits zeros and what this person can't access. */
export async function attentionOf(ctx: Ctx): Promise<AttentionView> {
  const role = ctx.actor.kind === 'person' ? ctx.actor.role : null;
  const allowed = counted.filter(({ capability }) => can(role, capability));
  const parts = await Promise.all(allowed.map(({ count }) => count(ctx)));
  const found = parts.reduce((all, part) => ({ ...all, ...part }), {});
  return concerns.flatMap((concern) => {
    const count = found[concern] ?? 0;
    return count > 0 ? [{ concern, count }] : [];
  });
}

/** Failed backups since the last complete one; an overdue one counts as one. */
async function missedBackups(ctx: Ctx): Promise<number> {
  const { failures, overdue } = await backupsStatus(ctx);
  return Math.max(failures, overdue ? 1 : 0);
}
