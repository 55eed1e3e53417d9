import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { confirmAddress, createAccount, makeLinkToken, setPassword, takeLinkToken } from '../commands.ts';
import { requireNotHeld } from '../address-change/queries.ts';
import type { Viewer } from '../contract.ts';
import { hashPassword } from '../password/commands.ts';
import { doorOf, personsOf } from '../queries.ts';
import { nameFromAddress } from '../rules.ts';
import { canSignUp, signUpBy, signUpOf, type SignUp } from './queries.ts';
import { signUpDays } from './rules.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    /** To be answered by a mail with a link that confirms the address; `next` is where the person goes on. */
    'accounts.sign_up_requested': { signUpId: string; next: string };
  }
}

/**
 * Keeps a sign-up until its address is confirmed: no account is made, and none is changed. Returns the proof for the
 * browser that signed up. Where the address has an account already, its owner is told; the answer is the same. Nobody is
 * mailed unless it is `mailed`.
 */
export async function keepSignUp(
  ctx: Ctx,
  input: { name: string; email: string; password: string; next: string; mailed: boolean },
): Promise<string> {
  const { name, email, next } = input;
  const password = await hashPassword(input.password);
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
        password,
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
    const holder = await doorOf(tx, { email });
    if (holder?.hasPassword) await tx.emit(tx, 'accounts.exists_notice', { userId: holder.id, next });
    else await tx.emit(tx, 'accounts.sign_up_requested', { signUpId: id, next });
  });
  return proof;
}

/** Mails the link of this browser's own sign-up again. Returns whether there is one that waits. */
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

/** What a followed link has led to: a confirmed address, or else, where it still opens something, a password to choose. */
type Followed = { userId: string } | { userId: null; resetToken?: string; asksName?: true };

/**
 * Follows a mailed link, which shows whose mailbox the address is. Only the browser that signed up with that address
 * gets its account by it, with the name and the password of its own sign-up. In any other nothing is confirmed: whoever
 * has the mail chooses a password of their own. Throws precondition `link_expired`.
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
 * Sets the password that somebody chose after a mailed link, and confirms the address: who has the mail has the address.
 * Nothing of a sign-up is taken over that another browser made. Returns the address. Throws precondition `link_expired`.
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
    /** Throws where the password can't be this owner's. */
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
  // An address that nobody has shown to be theirs is told nothing.
  if (emailVerified) await tx.emit(tx, 'accounts.secured', { userId: id, change: 'password_set' });
  await confirmAddress(tx, id, adminEmails);
  return email;
}

/** Whom a link is for; a sign-up or an account that is gone is an expired link. */
async function personWith(tx: TxCtx, id: string): Promise<Viewer> {
  const person = (await personsOf(tx, [id])).get(id);
  if (!person) throw new AppError('precondition', 'link_expired');
  return person;
}

/**
 * Gives an address to whoever has shown that the mailbox is theirs: its account, or a new one, gets the password that
 * they chose, and every other sign-up for it ends. Throws precondition `link_expired` where it has a password by now,
 * forbidden `address_held`.
 */
async function takeAddress(
  tx: TxCtx,
  { email, name, password }: Pick<SignUp, 'email' | 'name' | 'password'>,
  adminEmails: readonly string[],
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${email}`}, 0))`.execute(tx.db);
  const holder = await doorOf(tx, { email });
  if (holder?.hasPassword) throw new AppError('precondition', 'link_expired');
  if (holder) await requireNotHeld(tx, holder.id);
  if (holder) await nameUnconfirmed(tx, holder.id, name);
  const userId =
    holder?.id ?? (await createAccount(tx, { email, name, role: 'client', emailVerified: false }));
  await setPassword(tx, userId, password);
  await confirmAddress(tx, userId, adminEmails);
  return userId;
}

/** Names a client whose address nobody has confirmed yet: the name that the account has may be a stranger's choice. */
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

/** Deletes sign-ups that weren't confirmed in time. */
export async function forgetSignUps({ db, now }: Ctx): Promise<void> {
  await db.deleteFrom('sign_ups').where('expires_at', '<=', new Date(now().epochMilliseconds)).execute();
}
