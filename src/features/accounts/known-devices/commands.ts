import { createHmac, randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { digest } from '#/platform/tokens.ts';
import { signedIn } from '../commands.ts';
import type { KnownDevicesTable } from '../tables.ts';
import type { TrustedDevice } from './contract.ts';
import { requireTrustedDevice } from './policies.ts';
import { trustedDevicesOf } from './queries.ts';
import { trustDays } from './rules.ts';

/** Days a device remains known without sign-in: the browsers' maximum cookie lifetime. */
const lastsDays = 400;

/** `token` exists only in the browser's cookie; the database stores its hash. */
export interface RememberedDevice {
  id: string;
  userId: string;
  token: string;
  isNew: boolean;
}

/** Returns the account's cookie name, an HMAC that hides the account. */
export function deviceCookieName(userId: string, { secret, secure }: CookieConfig): string {
  const mark = createHmac('sha256', secret).update(`device ${userId}`).digest('base64url').slice(0, 12);
  return `${secure ? '__Secure-' : ''}italk.device.${mark}`;
}

interface CookieConfig {
  secret: string;
  secure: boolean;
}

/** Sent only to `/api/auth`. */
export function deviceCookie({ userId, token }: RememberedDevice, config: CookieConfig): string {
  const name = deviceCookieName(userId, config);
  return `${name}=${token}; Max-Age=${lastsDays * 86_400}; Path=/api/auth; HttpOnly; SameSite=Lax${config.secure ? '; Secure' : ''}`;
}

/** Returns the known device for a token; null for revoked tokens and other accounts'. */
export async function knownDevice(ctx: Ctx, userId: string, token: string | null): Promise<string | null> {
  if (!token) return null;
  const [found] = await deviceRow(ctx.db, { token: digest(token), userId, since: oldest(ctx) });
  return found?.id ?? null;
}

const deviceRow = compiledOnce(
  (db, { token, userId, since }: { token: string; userId: string; since: Date }) =>
    db
      .selectFrom('known_devices')
      .where('token', '=', token)
      .where('user_id', '=', userId)
      .where('used_at', '>', since)
      .select('id'),
);

/** `held` is the browser's current token, if any. */
export async function rememberDevice(
  tx: TxCtx,
  userId: string,
  held: string | null,
): Promise<RememberedDevice> {
  const known = await knownDevice(tx, userId, held);
  const id = known ?? tx.newId();
  const token = known && held ? held : randomBytes(24).toString('base64url');
  const at = new Date(tx.now().epochMilliseconds);
  await storeDevice(tx.db, { id, user_id: userId, token: digest(token), created_at: at, used_at: at });
  return { id, userId, token, isNew: known === null };
}

const storeDevice = compiledOnce((db, device: Insertable<KnownDevicesTable>) =>
  db
    .insertInto('known_devices')
    .values(device)
    .onConflict((on) => on.column('id').doUpdateSet({ used_at: (eb) => eb.ref('excluded.used_at') })),
);

export async function trustDevice(tx: TxCtx, deviceId: string, userAgent: string | null): Promise<void> {
  const until = tx.now().add({ hours: trustDays * 24 });
  await tx.db
    .updateTable('known_devices')
    .set({ trusted_until: new Date(until.epochMilliseconds), user_agent: userAgent })
    .where('id', '=', deviceId)
    .execute();
}

export async function isTrusted(tx: TxCtx, userId: string, token: string | null): Promise<boolean> {
  if (!token) return false;
  const trusted = await tx.db
    .selectFrom('known_devices')
    .where('token', '=', digest(token))
    .where('user_id', '=', userId)
    .where('trusted_until', '>', new Date(tx.now().epochMilliseconds))
    .select('id')
    .executeTakeFirst();
  return trusted !== undefined;
}

export async function ownTrustedDevices(ctx: Ctx): Promise<TrustedDevice[]> {
  return trustedDevicesOf(ctx, signedIn(ctx));
}

/** Throws not_found `device`. */
export async function distrustDevice(ctx: Ctx, { id: deviceId }: { id: string }): Promise<TrustedDevice[]> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await requireTrustedDevice(tx, id, deviceId);
    await tx.db
      .updateTable('known_devices')
      .set({ trusted_until: null, user_agent: null })
      .where('id', '=', deviceId)
      .execute();
    await recordDone(tx, { action: 'device_distrusted', subject: { kind: 'person', id } });
    return ownTrustedDevices(tx);
  });
}

export async function deleteOldDevices(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('known_devices').where('used_at', '<=', oldest(ctx)).execute();
}

/**
 * Forgets all or selected devices; their attempts then count as a stranger's. `unused` keeps those with a session, which
 * something else opened.
 */
export async function forgetDevices(
  tx: TxCtx,
  userId: string,
  {
    only,
    except,
    unused = false,
  }: { only?: string | null; except?: string | null | undefined; unused?: boolean } = {},
): Promise<void> {
  if (only === null) return;
  await tx.db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .$if(only !== undefined, (devices) => devices.where('id', '=', only!))
    .$if(Boolean(except), (devices) => devices.where('id', '!=', except!))
    .$if(unused, (devices) =>
      devices.where('id', 'not in', (eb) =>
        eb
          .selectFrom('sessions')
          .where('user_id', '=', userId)
          .where('device_id', 'is not', null)
          .select('device_id'),
      ),
    )
    .execute();
}

function oldest({ now }: Ctx): Date {
  return new Date(now().subtract({ hours: lastsDays * 24 }).epochMilliseconds);
}
