import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Actor } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '../commands.ts';
import { sessionEnd } from '../rules.ts';

/** A use is noted once a minute at most: the shortest idle time is five minutes. */
const noteEverySeconds = 60;

/**
 * Who holds the session that a cookie names, and notes its use; a guest for a cookie that isn't signed by us, and
 * for a session that has ended. The idle time is the site setting of this moment.
 */
export async function actorOfToken(ctx: Ctx, cookie: string | null, secret: string): Promise<Actor> {
  const guest: Actor = { kind: 'guest' };
  const token = cookie && signedValue(cookie, secret);
  if (!token) return guest;
  const session = await ctx.db
    .selectFrom('sessions')
    .innerJoin('profiles', 'profiles.id', 'sessions.user_id')
    .innerJoin('site_settings', (join) => join.onTrue())
    .where('token', '=', digest(token))
    .select([
      'sessions.id',
      'user_id',
      'role',
      'sessions.created_at',
      'sessions.updated_at',
      'session_timeout as idleMinutes',
    ])
    .executeTakeFirst();
  if (!session) return guest;
  const { idleMinutes } = session;
  const now = ctx.now();
  const started = Temporal.Instant.fromEpochMilliseconds(session.created_at.getTime());
  const used = Temporal.Instant.fromEpochMilliseconds(session.updated_at.getTime());
  if (Temporal.Instant.compare(now, sessionEnd(started, used, idleMinutes)) >= 0) return guest;
  if (now.since(used).total('seconds') >= noteEverySeconds) {
    await ctx.db
      .updateTable('sessions')
      .set({
        updated_at: new Date(now.epochMilliseconds),
        expires_at: new Date(sessionEnd(started, now, idleMinutes).epochMilliseconds),
      })
      .where('id', '=', session.id)
      .execute();
  }
  return { kind: 'person', id: session.user_id, role: session.role, sessionId: session.id };
}

/** A cookie's value by name from a Cookie header, decoded; null if it isn't there or can't be decoded. */
export function cookieValue(header: string | null, name: string): string | null {
  const pair = header?.split(/; */).find((one) => one.startsWith(`${name}=`));
  try {
    return pair ? decodeURIComponent(pair.slice(name.length + 1)) : null;
  } catch {
    return null;
  }
}

/** What was signed, if the signature after the last dot is ours (HMAC-SHA-256 in base64, as the identity library writes it). */
function signedValue(cookie: string, secret: string): string | null {
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const value = cookie.slice(0, dot);
  const given = Buffer.from(cookie.slice(dot + 1), 'base64');
  const ours = createHmac('sha256', secret).update(value).digest();
  return given.length === ours.length && timingSafeEqual(given, ours) ? value : null;
}

/** Deletes the sessions that have ended: where and with what somebody was here is kept no longer than needed. */
export async function forgetEnded(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('sessions')
    .where('expires_at', '<', new Date(ctx.now().epochMilliseconds))
    .execute();
}
