import Bowser from 'bowser';
import type { Ctx } from '#/platform/context.ts';
import type { TrustedDevice } from './contract.ts';

export async function trustedDevicesOf(
  { db, now }: Ctx,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<TrustedDevice[]> {
  const rows = await db
    .selectFrom('known_devices')
    .where('user_id', '=', id)
    .where('trusted_until', '>', new Date(now().epochMilliseconds))
    .select(({ selectFrom }) => [
      'known_devices.id',
      'user_agent',
      'trusted_until',
      selectFrom('sessions').where('sessions.id', '=', sessionId).select('device_id').as('here'),
    ])
    .orderBy('used_at', 'desc')
    .orderBy('known_devices.id')
    .execute();
  return rows.map((row) => {
    const { browser, system } = namesIn(row.user_agent);
    return {
      id: row.id,
      browser,
      system,
      trustedUntil: row.trusted_until!.toISOString(),
      current: row.here === row.id,
    };
  });
}

interface DeviceNames {
  browser: string | null;
  system: string | null;
  kind: 'computer' | 'phone' | 'tablet';
}

export function namesIn(userAgent: string | null): DeviceNames {
  if (!userAgent) return { browser: null, system: null, kind: 'computer' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: browser.name || null,
    system: os.name || null,
    kind: platform.type === 'mobile' ? 'phone' : platform.type === 'tablet' ? 'tablet' : 'computer',
  };
}
