import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import { findSignInAccount } from '../queries.ts';
import type { SignUpsTable } from '../tables.ts';

export type SignUp = Selectable<SignUpsTable>;

export async function signUpOf(ctx: Ctx, id: string): Promise<SignUp | undefined> {
  return waiting(ctx).where('id', '=', id).executeTakeFirst();
}

/** This browser's unexpired sign-up, by its proof. */
export async function signUpBy(ctx: Ctx, email: string, proof: string | null): Promise<SignUp | undefined> {
  if (proof === null) return undefined;
  return waiting(ctx).where('email', '=', email).where('proof', '=', digest(proof)).executeTakeFirst();
}

/** The address's newest unexpired sign-up by anyone. */
export async function newestSignUp(ctx: Ctx, email: string): Promise<SignUp | undefined> {
  return waiting(ctx).where('email', '=', email).orderBy('created_at', 'desc').executeTakeFirst();
}

/**
 * Accounts with a password can't sign up again. Such sign-ups are stored anyway, so responses don't reveal which
 * accounts exist.
 */
export async function canSignUp(ctx: Ctx, email: string): Promise<boolean> {
  const account = await findSignInAccount(ctx, { email });
  return !account?.hasPassword;
}

function waiting({ db, now }: Ctx) {
  return db.selectFrom('sign_ups').selectAll().where('expires_at', '>', new Date(now().epochMilliseconds));
}
