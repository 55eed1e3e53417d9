import Bowser from 'bowser';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Device } from '../contract.ts';
import { sessionEnd } from '../rules.ts';

/** Where a person is signed in, last used first; `currentSession` is the one that asks. */
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
  const instant = (date: Date) => Temporal.Instant.fromEpochMilliseconds(date.getTime());
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

/** What a browser says of itself, in words that people know. */
function namesIn(userAgent: string | null): Pick<Device, 'browser' | 'system' | 'kind'> {
  if (!userAgent) return { browser: null, system: null, kind: 'computer' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: browser.name || null,
    system: os.name || null,
    kind: platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'computer',
  };
}
