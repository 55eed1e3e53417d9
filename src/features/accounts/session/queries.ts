import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Device, OwnSession } from '../contract.ts';
import { namesIn } from '../known-devices/queries.ts';
import { longestSessionHours, sessionEnd, warningSeconds } from '../rules.ts';

/** Returns a person's sessions, last used first. */
export async function devicesOf(
  ctx: Ctx,
  { personId, currentSession }: { personId: string; currentSession: string | null },
): Promise<Device[]> {
  const { session_timeout: idleMinutes } = await siteSettings(ctx);
  const rows = await ctx.db
    .selectFrom('sessions')
    .where('user_id', '=', personId)
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'updated_at'])
    .execute();
  return rows
    .filter((row) => {
      const end = sessionEnd(instant(row.created_at), instant(row.updated_at), idleMinutes);
      return Temporal.Instant.compare(ctx.now(), end) < 0;
    })
    .map((row) => ({
      id: row.id,
      ...namesIn(row.user_agent),
      signedInAt: row.created_at.toISOString(),
      lastUsedAt: row.updated_at.toISOString(),
      address: row.ip_address,
      current: row.id === currentSession,
    }));
}

export async function ownSession(ctx: Ctx): Promise<OwnSession | null> {
  const { actor } = ctx;
  if (actor.kind !== 'person') return null;
  const { session_timeout: idleMinutes } = await siteSettings(ctx);
  const row = await ctx.db
    .selectFrom('sessions')
    .where('id', '=', actor.sessionId)
    .select(['created_at', 'updated_at'])
    .executeTakeFirst();
  if (!row) return null;
  const started = instant(row.created_at);
  const end = sessionEnd(started, instant(row.updated_at), idleMinutes);
  return {
    secondsLeft: Math.round(end.since(ctx.now()).total('seconds')),
    warningSeconds: warningSeconds(idleMinutes),
    extendable: Temporal.Instant.compare(end, started.add({ hours: longestSessionHours })) < 0,
  };
}

function instant(date: Date): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(date.getTime());
}
