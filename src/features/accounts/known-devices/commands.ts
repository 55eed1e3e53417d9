import { createHmac, randomBytes } from 'node:crypto';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';

/** How long a browser stays known without a sign-in: as long as browsers keep a cookie at most. */
const lastsDays = 400;

/** A known browser: what its cookie holds, which is stored nowhere else. */
export interface RememberedDevice {
  id: string;
  userId: string;
  token: string;
  /** Whether it wasn't known before. */
  isNew: boolean;
}

/** The name of an account's cookie in a browser; it doesn't say whose account it is. */
export function deviceCookieName(userId: string, { secret, secure }: CookieConfig): string {
  const mark = createHmac('sha256', secret).update(`device ${userId}`).digest('base64url').slice(0, 12);
  return `${secure ? '__Secure-' : ''}italk.device.${mark}`;
}

interface CookieConfig {
  secret: string;
  secure: boolean;
}

/** The cookie by which a browser stays known; only the ways in under `/api/auth` are sent it. */
export function deviceCookie({ userId, token }: RememberedDevice, config: CookieConfig): string {
  const name = deviceCookieName(userId, config);
  return `${name}=${token}; Max-Age=${lastsDays * 86_400}; Path=/api/auth; HttpOnly; SameSite=Lax${config.secure ? '; Secure' : ''}`;
}

/** The known device of an account that holds a token; null for a token of another account, or a revoked one. */
export async function knownDevice(ctx: Ctx, userId: string, token: string | null): Promise<string | null> {
  if (!token) return null;
  const found = await ctx.db
    .selectFrom('known_devices')
    .where('token', '=', digest(token))
    .where('user_id', '=', userId)
    .where('used_at', '>', oldest(ctx))
    .select('id')
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Makes a browser known to an account; `held` is the token that it has, if any. */
export async function rememberDevice(
  tx: TxCtx,
  userId: string,
  held: string | null,
): Promise<RememberedDevice> {
  const known = await knownDevice(tx, userId, held);
  const id = known ?? tx.newId();
  const token = known && held ? held : randomBytes(24).toString('base64url');
  const at = new Date(tx.now().epochMilliseconds);
  await tx.db
    .insertInto('known_devices')
    .values({ id, user_id: userId, token: digest(token), created_at: at, used_at: at })
    .onConflict((on) => on.column('id').doUpdateSet({ used_at: at }))
    .execute();
  await tx.db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('used_at', '<=', oldest(tx))
    .execute();
  return { id, userId, token, isNew: known === null };
}

/** Forgets devices of an account, all unless it is said which: tries from them count as a stranger's again. */
export async function forgetDevices(
  tx: TxCtx,
  userId: string,
  { only, except }: { only?: string | null; except?: string | null | undefined } = {},
): Promise<void> {
  if (only === null) return;
  await tx.db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .$if(only !== undefined, (devices) => devices.where('id', '=', only!))
    .$if(Boolean(except), (devices) => devices.where('id', '!=', except!))
    .execute();
}

function oldest({ now }: Ctx): Date {
  return new Date(now().subtract({ hours: lastsDays * 24 }).epochMilliseconds);
}
