import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Actor } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { digest, signedIn } from '../commands.ts';
import type { Device } from '../contract.ts';
import { devicesOf } from './queries.ts';
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

/** Where the signed-in person is signed in. */
export async function ownDevices(ctx: Ctx): Promise<Device[]> {
  const { id, sessionId } = signedIn(ctx);
  return devicesOf(ctx, { personId: id, currentSession: sessionId });
}

/** Ends one of the person's own sessions at once. Throws not_found `device`, also for somebody else's. */
export async function signOutDevice(ctx: Ctx, { id: device }: { id: string }): Promise<Device[]> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('id', '=', device)
      .where('user_id', '=', id)
      .returning('id')
      .execute();
    if (ended.length === 0) throw new AppError('not_found', 'device');
    await noteEnded(tx, id, ended, 'device_signed_out');
    return ownDevices(tx);
  });
}

/** Ends every session of the person but the one that asks. */
export async function signOutOtherDevices(ctx: Ctx): Promise<Device[]> {
  const { id, sessionId } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('user_id', '=', id)
      .where('id', '!=', sessionId)
      .returning('id')
      .execute();
    if (ended.length > 0) await noteEnded(tx, id, ended, 'other_devices_signed_out');
    return ownDevices(tx);
  });
}

async function noteEnded(
  tx: TxCtx,
  personId: string,
  sessions: readonly { id: string }[],
  action: string,
): Promise<void> {
  for (const { id } of sessions) await closeSockets(tx, `session:${id}`);
  await recordDone(tx, {
    action,
    category: 'security',
    subject: { kind: 'person', id: personId },
    details: { sessions: sessions.length },
  });
}
