import { randomBytes } from 'node:crypto';
import type { Ctx } from '#/platform/context.ts';
import type { EndpointCall } from '../identity/commands.ts';
import { signToken, type Claims } from '../program-keys/commands.ts';
import { accessMinutes, waitingAudience, partiesOf, secondsOf } from '../program-keys/rules.ts';
import type { ProgramAnswer } from '../program-sessions/contract.ts';
import { programFactors } from '../program-sessions/queries.ts';
import type { Method } from '../program-sessions/tables.ts';
import { mayUsePrograms } from '../queries.ts';

/** A sign-in that waits for its second factor. */
export interface WaitingSignIn {
  id: string;
  userId: string;
  method: Method;
  /** SHA-256 of the password hash that matched. */
  password: string | null;
  codeId: string | null;
}

/** Keeps a sign-in whose first step passed, and returns a token that only passes the second. */
export async function awaitFactor(
  call: EndpointCall,
  waiting: Omit<WaitingSignIn, 'id'>,
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  const { userId, method, password, codeId } = waiting;
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
    // The published client wants one. It refreshes nothing: a sign-in that takes longer begins again.
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
    .where('suspended_at', 'is', null)
    .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
    .select(['program_sign_ins.id', 'user_id', 'method', 'password', 'code_id', 'role'])
    .executeTakeFirst();
  if (!row || !(await mayUsePrograms(ctx, { id: row.user_id, role: row.role }))) return null;
  return {
    id: row.id,
    userId: row.user_id,
    method: row.method,
    password: row.password,
    codeId: row.code_id,
  };
}

export async function endWaitingSignIn({ db }: Ctx, { id }: WaitingSignIn): Promise<void> {
  await db.deleteFrom('program_sign_ins').where('id', '=', id).execute();
}

export async function forgetWaitingSignIns({ db, now }: Ctx): Promise<void> {
  await db
    .deleteFrom('program_sign_ins')
    .where('expires_at', '<=', new Date(now().epochMilliseconds))
    .execute();
}
