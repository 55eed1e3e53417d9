import { createHmac, randomBytes } from 'node:crypto';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Actor } from '#/kernel/actor.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import { guestContext, secureName, type EndpointCall, type IdentityServer } from '../identity/commands.ts';
import { forgetDevices } from '../known-devices/commands.ts';
import { signToken, type Claims } from '../program-keys/commands.ts';
import { accessMinutes, fullAudience, partiesOf, secondsOf } from '../program-keys/rules.ts';
import { mayUsePrograms } from '../queries.ts';
import { actorOfSession, cookieValue, signedValue } from '../session/commands.ts';
import { allowances } from '../tries/rules.ts';
import type { ProgramAnswer } from './contract.ts';
import { programSession, programUser } from './queries.ts';
import { isRace, recoveryMinutes } from './rules.ts';
import type { Method } from './tables.ts';

export type Person = Extract<Actor, { kind: 'person' }>;

/**
 * Hands the session that this call's sign-in opened to the program. Its cookie is never sent, so nothing else opens it,
 * and the author's words stay locked.
 */
export async function openProgramSession(
  call: EndpointCall,
  { method, withFactor }: { method: Method; withFactor: boolean },
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  const sessionId = await transact(ctx, async (tx) => {
    const session = await tx.db
      .updateTable('sessions')
      .set({ author_key: null, passkey_key: null })
      .where('token', '=', digest(cookieToken(call)))
      .returning(['id', 'user_id', 'device_id'])
      .executeTakeFirst();
    // Ended by another request meanwhile.
    if (!session) throw new AppError('unauthenticated', 'sign_in_required');
    // Programs have no device cookie.
    await forgetDevices(tx, session.user_id, { only: session.device_id });
    const at = new Date(tx.now().epochMilliseconds);
    await tx.db
      .insertInto('program_sessions')
      .values({
        session_id: session.id,
        method,
        factor_at: withFactor ? at : null,
        recovers_until:
          method === 'recovery'
            ? new Date(tx.now().add({ minutes: recoveryMinutes }).epochMilliseconds)
            : null,
      })
      .execute();
    return session.id;
  });
  const person = await personOfSession(ctx, server, sessionId);
  if (!person) throw new AppError('unauthenticated', 'sign_in_required');
  return answerWith(ctx, server, person, await transact(ctx, (tx) => newChain(tx, sessionId)));
}

function cookieToken({ server, cookies }: EndpointCall): string {
  const name = secureName(server, 'session_token');
  const cookie = cookies.map((one) => cookieValue(one.split(';')[0]!, name)).find((value) => value !== null);
  const token = cookie && signedValue(cookie, server.secret);
  if (!token) throw new Error('the sign-in created no session');
  return token;
}

/** Returns the person of an access token; null if its session ended or the person may not use programs. */
export async function personOfClaims(
  server: IdentityServer,
  { sub, session_id }: Pick<Claims, 'sub' | 'session_id'>,
  use: { noted: boolean },
): Promise<Person | null> {
  const ctx = guestContext(server.base, 'session', null);
  const session = await programSession(ctx, session_id);
  if (session?.user_id !== sub) return null;
  const person = await personOfSession(ctx, server, session.session_id, use);
  return person && (await mayUsePrograms(ctx, person)) ? person : null;
}

async function personOfSession(
  ctx: Ctx,
  { adminEmails }: IdentityServer,
  id: string,
  { noted = false } = {},
): Promise<Person | null> {
  const actor = await actorOfSession(ctx, { id }, { adminEmails, noted });
  return actor.kind === 'person' ? actor : null;
}

/**
 * Exchanges a refresh token for the next one. Refreshing isn't use: an app left open ends after the idle time. A token
 * used again ends its session, except within seconds: then it gets the token that the first use got, or a later one.
 * Throws unauthenticated `refresh_token_unknown` or `refresh_token_used`, rate_limited `too_many_tries`.
 */
export async function refresh({ ctx, server }: EndpointCall, given: string): Promise<ProgramAnswer> {
  // Read first: waiting for other uses mustn't turn a race into a replay.
  const askedAt = ctx.now();
  const sessionId = await sessionOfToken(ctx, given);
  await server.tries.limit(ctx, `refreshes:${sessionId}`, allowances.refreshes);
  const taken = await transact(ctx, async (tx) => {
    // Parallel uses follow each other.
    await tx.db.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute();
    const person = await personOfSession(tx, server, sessionId);
    if (!person || !(await mayUsePrograms(tx, person)))
      throw new AppError('unauthenticated', 'refresh_token_unknown');
    const next = await rotateToken(tx, server, sessionId, { given, askedAt });
    if (next === null) await endSession(tx, person);
    return { person, next };
  });
  const { person, next } = taken;
  if (next !== null) return answerWith(ctx, server, person, next);
  await recordRefused(ctx, {
    action: 'signed_in',
    subject: { kind: 'person', id: person.id },
    details: { reason: 'refresh_token_used' },
  });
  throw new AppError('unauthenticated', 'refresh_token_used');
}

/** Throws unauthenticated `refresh_token_unknown`. */
async function sessionOfToken({ db }: Ctx, token: string): Promise<string> {
  const row = await db
    .selectFrom('program_tokens')
    .select('session_id')
    .where('token', '=', digest(token))
    .executeTakeFirstOrThrow(() => new AppError('unauthenticated', 'refresh_token_unknown'));
  return row.session_id;
}

/** Uses up a token and returns its successor; null for a replay. */
async function rotateToken(
  tx: TxCtx,
  server: IdentityServer,
  sessionId: string,
  { given, askedAt }: { given: string; askedAt: Temporal.Instant },
): Promise<string | null> {
  let token = given;
  for (;;) {
    const row = await tx.db
      .selectFrom('program_tokens')
      .select('used_at')
      .where('token', '=', digest(token))
      .executeTakeFirst();
    // Replaced by `renewSession` meanwhile.
    if (!row && token === given) throw new AppError('unauthenticated', 'refresh_token_unknown');
    if (!row) {
      await storeToken(tx, sessionId, token);
      return token;
    }
    if (token !== given && row.used_at === null) return token;
    if (row.used_at === null)
      await tx.db
        .updateTable('program_tokens')
        .set({ used_at: new Date(tx.now().epochMilliseconds) })
        .where('token', '=', digest(token))
        .execute();
    else if (!isRace(row.used_at, askedAt)) return null;
    token = successorOf(token, server);
  }
}

/** Derived, so repeated uses within seconds get the same token, and the database never contains it. */
function successorOf(token: string, { secret }: IdentityServer): string {
  return createHmac('sha256', secret).update(`refresh token ${token}`).digest('base64url');
}

/**
 * Replaces a session's refresh tokens. `verified`: its second factor just was. Throws unauthenticated `sign_in_required` if
 * the session ended.
 */
export async function renewSession(
  call: EndpointCall,
  person: Person,
  { verified }: { verified: boolean },
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  const token = await transact(ctx, async (tx) => {
    const session = await tx.db
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', person.sessionId)
      // Waits for concurrent refreshes, to replace their tokens too.
      .forUpdate()
      .executeTakeFirst();
    if (!session) throw new AppError('unauthenticated', 'sign_in_required');
    if (verified)
      await tx.db
        .updateTable('program_sessions')
        .set({ factor_at: new Date(tx.now().epochMilliseconds) })
        .where('session_id', '=', person.sessionId)
        .execute();
    // Not only marked as used: for some seconds, a copy would still get a successor alongside the new token.
    await tx.db.deleteFrom('program_tokens').where('session_id', '=', person.sessionId).execute();
    return newChain(tx, person.sessionId);
  });
  return answerWith(ctx, server, person, token);
}

/** Uses up the recovery that the session began with. Throws precondition `reauthentication_needed` without one. */
export async function consumeRecovery({ db, now }: Ctx, sessionId: string): Promise<void> {
  await db
    .updateTable('program_sessions')
    .set({ recovers_until: null })
    .where('session_id', '=', sessionId)
    .where('recovers_until', '>', new Date(now().epochMilliseconds))
    .returning('session_id')
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'reauthentication_needed'));
}

/** Signs a program's own session out. */
export async function endSession(tx: TxCtx, { id, sessionId }: Person): Promise<void> {
  await tx.db.deleteFrom('sessions').where('id', '=', sessionId).execute();
  await closeSockets(tx, `session:${sessionId}`);
  await recordDone(tx, { action: 'signed_out', subject: { kind: 'person', id } });
}

async function newChain(tx: TxCtx, sessionId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await storeToken(tx, sessionId, token);
  return token;
}

async function storeToken({ db }: TxCtx, sessionId: string, token: string): Promise<void> {
  await db
    .insertInto('program_tokens')
    .values({ token: digest(token), session_id: sessionId, used_at: null })
    .execute();
}

async function answerWith(
  ctx: Ctx,
  server: IdentityServer,
  person: Person,
  refreshToken: string,
): Promise<ProgramAnswer> {
  const [session, user] = await Promise.all([
    programSession(ctx, person.sessionId),
    programUser(ctx, person),
  ]);
  if (!session) throw new AppError('unauthenticated', 'sign_in_required');
  const { method, created_at: createdAt } = session;
  // The factor may have been removed since.
  const factorAt = user.factors.some(({ status }) => status === 'verified') ? session.factor_at : null;
  const claims: Claims = {
    sub: person.id,
    session_id: person.sessionId,
    role: person.role,
    email: user.email,
    aal: factorAt ? 'aal2' : 'aal1',
    amr: [
      { method, timestamp: secondsOf(createdAt) },
      ...(factorAt ? [{ method: 'totp', timestamp: secondsOf(factorAt) }] : []),
    ],
  };
  const { token, expiresAt } = await signToken(ctx, claims, partiesOf(server.appUrl, fullAudience));
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessMinutes * 60,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user,
  };
}
