import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Actor } from '#/kernel/actor.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone, type AuditedAction } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import { endLinks, requireFresh, signedIn } from '../commands.ts';
import type { Device } from '../contract.ts';
import { forgetDevices } from '../known-devices/commands.ts';
import { demandsFactor } from '../second-factor/queries.ts';
import { requireOwnSession } from '../policies.ts';
import { devicesOf } from './queries.ts';
import { actingRole, sessionEnd } from '../rules.ts';

/** The shortest idle timeout is five minutes. */
const noteEverySeconds = 60;

/** Precision of `last_active_at`. */
const lastActiveMinutes = 15;

interface SessionUse {
  adminEmails: readonly string[];
  /** False for background requests. */
  noted: boolean;
}

/** Resolves a session cookie to an actor. Returns a guest for forged cookies and like `actorOfSession`. */
export async function actorOfToken(
  ctx: Ctx,
  cookie: string | null,
  { secret, ...use }: SessionUse & { secret: string },
): Promise<Actor> {
  const token = cookie && signedValue(cookie, secret);
  return token ? actorOfSession(ctx, { token: digest(token) }, use) : { kind: 'guest' };
}

function sessionRows(db: Ctx['db']) {
  return db
    .selectFrom('sessions')
    .innerJoin('profiles', 'profiles.id', 'sessions.user_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('site_settings', (join) => join.onTrue())
    .leftJoin('second_factors', (join) =>
      join.onRef('second_factors.user_id', '=', 'sessions.user_id').on('confirmed_at', 'is not', null),
    )
    .where('suspended_at', 'is', null)
    .select([
      'sessions.id',
      'sessions.user_id',
      'role',
      'email',
      'sessions.created_at',
      'sessions.updated_at',
      'session_timeout as idleMinutes',
      'require_two_factor',
      'second_factors.id as factorId',
      'passkey_id',
    ]);
}

const rowOfToken = compiledOnce((db, { token }: { token: string }) =>
  sessionRows(db).where('token', '=', token),
);

const rowOfId = compiledOnce((db, { id }: { id: string }) => sessionRows(db).where('sessions.id', '=', id));

/**
 * Resolves a session to an actor and records its use if `noted`. Returns a guest for ended sessions, suspended accounts
 * and missing required second factors.
 */
export async function actorOfSession(
  ctx: Ctx,
  which: { token: string } | { id: string },
  { adminEmails, noted }: SessionUse,
): Promise<Actor> {
  const guest: Actor = { kind: 'guest' };
  const [session] = await ('token' in which ? rowOfToken(ctx.db, which) : rowOfId(ctx.db, which));
  if (!session) return guest;
  const { idleMinutes } = session;
  const now = ctx.now();
  const started = Temporal.Instant.fromEpochMilliseconds(session.created_at.getTime());
  const used = Temporal.Instant.fromEpochMilliseconds(session.updated_at.getTime());
  if (Temporal.Instant.compare(now, sessionEnd(started, used, idleMinutes)) >= 0) return guest;
  const person = { id: session.user_id, role: session.role };
  // Required since sign-in: setup happens at the next sign-in.
  const hasSecond = session.factorId !== null || session.passkey_id !== null;
  if (session.require_two_factor && !hasSecond && (await demandsFactor(ctx, person))) return guest;
  if (noted && now.since(used).total('seconds') >= noteEverySeconds) {
    await ctx.db
      .updateTable('sessions')
      .set({
        updated_at: new Date(now.epochMilliseconds),
        expires_at: new Date(sessionEnd(started, now, idleMinutes).epochMilliseconds),
      })
      .where('id', '=', session.id)
      .execute();
    await noteActive(ctx, session.user_id);
  }
  const role = actingRole(session, adminEmails);
  return { kind: 'person', id: session.user_id, role, sessionId: session.id };
}

export async function noteActive({ db, now }: Ctx, userId: string): Promise<void> {
  const at = now();
  const lately = new Date(at.subtract({ minutes: lastActiveMinutes }).epochMilliseconds);
  await setLastActive(db, { userId, at: new Date(at.epochMilliseconds), lately });
}

const setLastActive = compiledOnce((db, { userId, at, lately }: { userId: string; at: Date; lately: Date }) =>
  db
    .updateTable('profiles')
    .set({ last_active_at: at })
    .where('id', '=', userId)
    .where(({ or, eb }) => or([eb('last_active_at', 'is', null), eb('last_active_at', '<=', lately)])),
);

/** Decodes a cookie; null if missing or malformed. */
export function cookieValue(header: string | null, name: string): string | null {
  const pair = header?.split(/; */).find((one) => one.startsWith(`${name}=`));
  try {
    return pair ? decodeURIComponent(pair.slice(name.length + 1)) : null;
  } catch {
    return null;
  }
}

/** Appends an HMAC-SHA-256 signature in base64, the Better Auth format. */
export function signed(value: string, secret: string): string {
  return `${value}.${signatureOf(value, secret).toString('base64')}`;
}

/** Returns the value if its signature is right. */
export function signedValue(cookie: string, secret: string): string | null {
  const dot = cookie.lastIndexOf('.');
  if (dot < 1) return null;
  const value = cookie.slice(0, dot);
  const given = Buffer.from(cookie.slice(dot + 1), 'base64');
  const ours = signatureOf(value, secret);
  return given.length === ours.length && timingSafeEqual(given, ours) ? value : null;
}

function signatureOf(value: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(value).digest();
}

/**
 * Deletes expired sessions, since IP addresses and browsers are kept no longer than needed. Closes their sockets,
 * because idle sockets never recheck their session.
 */
export async function deleteEndedSessions(ctx: Ctx, personId?: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('expires_at', '<=', new Date(tx.now().epochMilliseconds))
      .$if(personId !== undefined, (sessions) => sessions.where('user_id', '=', personId!))
      .returning('id')
      .execute();
    for (const { id } of ended) await closeSockets(tx, `session:${id}`);
  });
}

export async function ownDevices(ctx: Ctx): Promise<Device[]> {
  const { id, sessionId } = signedIn(ctx);
  return devicesOf(ctx, { personId: id, currentSession: sessionId });
}

/**
 * Ends a session and forgets its device. Throws precondition `reauthentication_required`, not_found `device`, even for
 * another person's session.
 */
export async function signOutDevice(ctx: Ctx, { id: device }: { id: string }): Promise<Device[]> {
  const { id } = signedIn(ctx);
  await requireFresh(ctx);
  return transact(ctx, async (tx) => {
    const session = await requireOwnSession(tx, id, device);
    await tx.db.deleteFrom('sessions').where('id', '=', session.id).execute();
    await forgetDevices(tx, id, { only: session.device_id });
    await noteEnded(tx, id, [session], 'device_signed_out');
    return ownDevices(tx);
  });
}

/** Ends all other sessions and emailed links, and forgets other devices. Throws precondition `reauthentication_required`. */
export async function signOutOtherDevices(ctx: Ctx): Promise<Device[]> {
  await requireFresh(ctx);
  return endOtherSessions(ctx);
}

/** Like `signOutOtherDevices`, without confirming: programs sign out everywhere at once. */
export async function endOtherSessions(ctx: Ctx): Promise<Device[]> {
  const { id, sessionId } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    const { apiTokens } = await endLinks(tx, id);
    const ended = await tx.db
      .deleteFrom('sessions')
      .where('user_id', '=', id)
      .where('id', '!=', sessionId)
      .returning('id')
      .execute();
    const here = await tx.db
      .selectFrom('sessions')
      .where('id', '=', sessionId)
      .select('device_id')
      .executeTakeFirst();
    await forgetDevices(tx, id, { except: here?.device_id });
    if (ended.length + apiTokens > 0)
      await noteEnded(tx, id, ended, 'other_devices_signed_out', apiTokens > 0 ? { apiTokens } : {});
    return ownDevices(tx);
  });
}

/** Ways in whose removal ends their sessions. */
type Opener = { passkey_id: string } | { identity_id: string } | { by_phone: true };

/** Ends a removed way's other sessions; forgets devices. */
export async function endOpenedSessions(tx: TxCtx, opener: Opener): Promise<void> {
  const { id, sessionId } = signedIn(tx);
  const ended = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', id)
    .where('id', '!=', sessionId)
    .where(({ and }) => and(opener))
    .returning(['id', 'device_id'])
    .execute();
  for (const session of ended) {
    await closeSockets(tx, `session:${session.id}`);
    await forgetDevices(tx, id, { only: session.device_id, unused: true });
  }
}

async function noteEnded(
  tx: TxCtx,
  personId: string,
  sessions: readonly { id: string }[],
  action: Action,
  details: AuditedAction['details'] = {},
): Promise<void> {
  for (const { id } of sessions) await closeSockets(tx, `session:${id}`);
  await recordDone(tx, {
    action,
    subject: { kind: 'person', id: personId },
    details: { sessions: sessions.length, ...details },
  });
}
