import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { confirmAddress, createAccount, makeLinkToken, setPassword, takeLinkToken } from '../commands.ts';
import type { Viewer } from '../contract.ts';
import { findSignInAccount, personsOf, requireNotHeld } from '../queries.ts';
import { nameFromAddress } from '../rules.ts';
import { canSignUp, signUpBy, signUpOf, type SignUp } from './queries.ts';
import { signUpDays } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.sign_up_requested': { signUpId: string; next: string };
  }
}

/**
 * Stores a sign-up until its address is confirmed; no account exists yet. Returns the proof for the browser's cookie.
 * Existing account owners get an email, but the response stays the same. Sends emails only if `mailed`.
 */
export async function keepSignUp(
  ctx: Ctx,
  input: { name: string; email: string; passwordHash: string; next: string; mailed: boolean },
): Promise<string> {
  const { name, email, passwordHash, next } = input;
  const proof = randomBytes(24).toString('base64url');
  const now = ctx.now();
  await transact(ctx, async (tx) => {
    const id = tx.newId();
    await tx.db
      .insertInto('sign_ups')
      .values({
        id,
        email,
        name,
        password: passwordHash,
        proof: digest(proof),
        created_at: new Date(now.epochMilliseconds),
        expires_at: new Date(now.add({ hours: 24 * signUpDays }).epochMilliseconds),
      })
      .execute();
    await recordDone(tx, {
      action: 'signed_up',
      category: 'user_management',
      subject: { kind: 'sign_up', id },
    });
    if (!input.mailed) return;
    const holder = await findSignInAccount(tx, { email });
    if (holder?.hasPassword) await tx.emit(tx, 'accounts.exists_notice', { userId: holder.id, next });
    else await tx.emit(tx, 'accounts.sign_up_requested', { signUpId: id, next });
  });
  return proof;
}

/** Resends this browser's sign-up link; false if none is pending. */
export async function resendSignUpLink(
  tx: TxCtx,
  { email, proof, next }: { email: string; proof: string | null; next: string },
): Promise<boolean> {
  const signUp = await signUpBy(tx, email, proof);
  if (!signUp || !(await canSignUp(tx, email))) return false;
  await recordDone(tx, {
    action: 'verification_requested',
    category: 'security',
    subject: { kind: 'sign_up', id: signUp.id },
  });
  await tx.emit(tx, 'accounts.sign_up_requested', { signUpId: signUp.id, next });
  return true;
}

/** Either a confirmed address, or a token for a new password. */
type Followed = { userId: string } | { userId: null; resetToken?: string; asksName?: true };

/**
 * Follows an emailed link, which proves mailbox ownership. Only the browser that signed up gets the account with its
 * name and password; any other chooses a new password. Throws precondition `link_expired`.
 */
export async function followLink(
  tx: TxCtx,
  token: string,
  proof: string | null,
  adminEmails: readonly string[],
): Promise<Followed> {
  const id = await takeLinkToken(tx, 'verify', token);
  const linked = await signUpOf(tx, id);
  const own = linked && (await signUpBy(tx, linked.email, proof));
  if (own) {
    await tx.db.deleteFrom('sign_ups').where('id', '=', own.id).execute();
    return { userId: await takeAddress(tx, own, adminEmails) };
  }
  if (!linked && (await personWith(tx, id)).emailVerified) return { userId: null };
  const resetToken = await makeLinkToken(tx, 'reset-password', id);
  return { userId: null, resetToken, ...(linked ? { asksName: true } : {}) };
}

/**
 * Sets a password chosen through an emailed link and confirms the address. Ignores sign-ups from other browsers. Throws
 * precondition `link_expired`.
 */
export async function choosePassword(
  tx: TxCtx,
  token: string,
  {
    password,
    name,
    requireGood,
  }: {
    password: string;
    name: string | undefined;
    requireGood: (owner: { email: string; name: string }) => void;
  },
  adminEmails: readonly string[],
): Promise<string> {
  const id = await takeLinkToken(tx, 'reset-password', token);
  const linked = await signUpOf(tx, id);
  if (linked) {
    const { email } = linked;
    const owner = { email, name: name ?? nameFromAddress(email) };
    requireGood(owner);
    await takeAddress(tx, { ...owner, password }, adminEmails);
    return email;
  }
  const { email, fullName, emailVerified } = await personWith(tx, id);
  requireGood({ email, name: fullName });
  await setPassword(tx, id, password);
  // Don't email unverified addresses.
  if (emailVerified) await tx.emit(tx, 'accounts.secured', { userId: id, change: 'password_set' });
  await confirmAddress(tx, id, adminEmails);
  return email;
}

/** Missing sign-ups and accounts count as expired links. */
async function personWith(tx: TxCtx, id: string): Promise<Viewer> {
  const person = (await personsOf(tx, [id])).get(id);
  if (!person) throw new AppError('precondition', 'link_expired');
  return person;
}

/**
 * Sets the password on the address's existing or new account. Throws precondition `link_expired` if one is already set,
 * forbidden `address_held`.
 */
async function takeAddress(
  tx: TxCtx,
  { email, name, password }: Pick<SignUp, 'email' | 'name' | 'password'>,
  adminEmails: readonly string[],
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${email}`}, 0))`.execute(tx.db);
  const holder = await findSignInAccount(tx, { email });
  if (holder?.hasPassword) throw new AppError('precondition', 'link_expired');
  if (holder) await requireNotHeld(tx, holder.id);
  if (holder) await nameUnconfirmed(tx, holder.id, name);
  const userId =
    holder?.id ?? (await createAccount(tx, { email, name, role: 'client', emailVerified: false }));
  await setPassword(tx, userId, password);
  await confirmAddress(tx, userId, adminEmails);
  return userId;
}

/** A stranger may have chosen the unverified account's name. */
async function nameUnconfirmed(tx: TxCtx, userId: string, name: string): Promise<void> {
  const named = await tx.db
    .updateTable('users')
    .from('profiles')
    .set({ name })
    .whereRef('profiles.id', '=', 'users.id')
    .where('users.id', '=', userId)
    .where('email_verified', '=', false)
    .where('role', '=', 'client')
    .returning('users.id')
    .executeTakeFirst();
  if (!named) return;
  await tx.db.updateTable('profiles').set({ full_name: name }).where('id', '=', userId).execute();
}

export async function forgetSignUps({ db, now }: Ctx): Promise<void> {
  await db.deleteFrom('sign_ups').where('expires_at', '<=', new Date(now().epochMilliseconds)).execute();
}
