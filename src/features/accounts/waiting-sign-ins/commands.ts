import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { EndpointCall } from '../identity/commands.ts';
import type { ReturnTo } from '../identity/contract.ts';
import { signToken, type Claims } from '../program-keys/commands.ts';
import { accessMinutes, waitingAudience, partiesOf, secondsOf } from '../program-keys/rules.ts';
import type { ProgramAnswer } from '../program-sessions/contract.ts';
import { programFactors } from '../program-sessions/queries.ts';
import type { Method, ProgramSignInsTable } from '../program-sessions/tables.ts';
import { mayUsePrograms } from '../queries.ts';

/** A sign-in waiting for its second factor. */
export interface WaitingSignIn {
  id: string;
  userId: string;
  method: Method;
  /** SHA-256 of the password hash that matched. */
  password: string | null;
  codeId: string | null;
  identityId: string | null;
}

/** A sign-in exchanged for a code. */
export type ReturnedSignIn = Selectable<ProgramSignInsTable>;

/** Minutes a code works after a link or provider led back to the program. */
const returnMinutes = 5;

/** Stores the sign-in of a program that waits for a code from `issueCode`. Returns its id. */
export async function awaitReturn(
  { db, newId, now }: Ctx,
  returnTo: ReturnTo | null | undefined,
  signIn: {
    method: Method;
    expiresAt: Temporal.Instant;
    userId?: string;
    signUpId?: string;
    sessionId?: string;
  },
): Promise<string | undefined> {
  if (!returnTo) return undefined;
  const { challenge, redirect } = returnTo;
  const { method, expiresAt, userId = null, signUpId = null, sessionId = null } = signIn;
  const id = newId();
  await db
    .insertInto('program_sign_ins')
    .values({
      id,
      user_id: userId,
      sign_up_id: signUpId,
      session_id: sessionId,
      method,
      challenge,
      redirect,
      created_at: new Date(now().epochMilliseconds),
      expires_at: new Date(expiresAt.epochMilliseconds),
    })
    .execute();
  return id;
}

/** Returns the program's address with a new code, once for a sign-in. Throws precondition `link_expired`. */
export async function issueCode(
  { db, now }: TxCtx,
  signInId: string,
  proven: { user_id?: string; identity_id?: string } = {},
): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  const until = now().add({ minutes: returnMinutes });
  const given = await db
    .updateTable('program_sign_ins')
    .set({ ...proven, code: digest(code), expires_at: new Date(until.epochMilliseconds) })
    .where('id', '=', signInId)
    .where('code', 'is', null)
    .where('challenge', 'is not', null)
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .returning('redirect')
    .executeTakeFirst();
  if (!given?.redirect) throw new AppError('precondition', 'link_expired');
  const address = new URL(given.redirect);
  address.searchParams.set('code', code);
  return address.href;
}

/** Returns a code's sign-in; undefined once used or expired. */
export async function signInReturned({ db, now }: Ctx, code: string): Promise<ReturnedSignIn | undefined> {
  return db
    .selectFrom('program_sign_ins')
    .selectAll()
    .where('code', '=', digest(code))
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .executeTakeFirst();
}

/** Stores a sign-in after its first step, and returns a token that is valid only for the second. */
export async function awaitFactor(
  call: EndpointCall,
  waiting: Omit<WaitingSignIn, 'id'>,
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  const { userId, method, password, codeId, identityId } = waiting;
  const now = ctx.now();
  const at = new Date(now.epochMilliseconds);
  const id = ctx.newId();
  await ctx.db
    .insertInto('program_sign_ins')
    .values({
      id,
      user_id: userId,
      method,
      password,
      code_id: codeId,
      identity_id: identityId,
      created_at: at,
      expires_at: new Date(now.add({ minutes: accessMinutes }).epochMilliseconds),
    })
    .execute();
  const amr = [{ method, timestamp: secondsOf(at) }];
  const claims: Claims = { sub: userId, session_id: id, aal: 'aal1', amr };
  const { token, expiresAt } = await signToken(ctx, claims, partiesOf(server.appUrl, waitingAudience));
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessMinutes * 60,
    expires_at: expiresAt,
    // The published client requires one. It can't refresh: a sign-in that takes longer starts over.
    refresh_token: randomBytes(32).toString('base64url'),
    user: await waitingUser(ctx, userId),
  };
}

export async function waitingUser(ctx: Ctx, userId: string): Promise<ProgramAnswer['user']> {
  return { id: userId, aud: waitingAudience, factors: await programFactors(ctx, userId) };
}

/** Returns the waiting sign-in of a token; null if it ended, or the account can't sign in now. */
export async function waitingSignInOf(ctx: Ctx, claims: Claims): Promise<WaitingSignIn | null> {
  const row = await ctx.db
    .selectFrom('program_sign_ins')
    .innerJoin('profiles', 'profiles.id', 'user_id')
    .where('program_sign_ins.id', '=', claims.session_id)
    .where('user_id', '=', claims.sub)
    .where('challenge', 'is', null)
    .where('suspended_at', 'is', null)
    .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
    .select(['program_sign_ins.id', 'method', 'password', 'code_id', 'identity_id', 'role'])
    .executeTakeFirst();
  if (!row || !(await mayUsePrograms(ctx, { id: claims.sub, role: row.role }))) return null;
  return {
    id: row.id,
    userId: claims.sub,
    method: row.method,
    password: row.password,
    codeId: row.code_id,
    identityId: row.identity_id,
  };
}

/** Returns false if the sign-in already ended. */
export async function endWaitingSignIn({ db }: Ctx, { id }: { id: string }): Promise<boolean> {
  const ended = await db
    .deleteFrom('program_sign_ins')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}
