import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import { doorOf } from '../queries.ts';
import type { SignUpsTable } from './tables.ts';

/** A sign-up as it is stored. */
export type SignUp = Selectable<SignUpsTable>;

/** A sign-up that hasn't expired, by its id. */
export async function signUpOf(ctx: Ctx, id: string): Promise<SignUp | undefined> {
  return waiting(ctx).where('id', '=', id).executeTakeFirst();
}

/** The sign-up for an address that the browser made which holds this proof, unless it has expired. */
export async function signUpBy(ctx: Ctx, email: string, proof: string | null): Promise<SignUp | undefined> {
  if (proof === null) return undefined;
  return waiting(ctx).where('email', '=', email).where('proof', '=', digest(proof)).executeTakeFirst();
}

/**
 * Whether an address can still be signed up with. Once its account has a password, sign-ups for it confirm nothing; they
 * are stored all the same, so that nobody can tell by them which addresses have an account.
 */
export async function canSignUp(ctx: Ctx, email: string): Promise<boolean> {
  const door = await doorOf(ctx, { email });
  return !door?.hasPassword;
}

function waiting({ db, now }: Ctx) {
  return db.selectFrom('sign_ups').selectAll().where('expires_at', '>', new Date(now().epochMilliseconds));
}
