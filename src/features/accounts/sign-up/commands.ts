import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { hashPassword } from '#/platform/password-hash.ts';
import { digest } from '#/platform/tokens.ts';
import { confirmAddress, createAccount, makeLinkToken, setPassword, consumeLinkToken } from '../commands.ts';
import type { Viewer } from '../contract.ts';
import {
  callLibrary,
  setBrowserCookie,
  retryOnce,
  requestEmail,
  requireLength,
  requireUnguessable,
  secureName,
  userByEmail,
  type Addressee,
  type EndpointCall,
  type EndpointInput,
} from '../identity/commands.ts';
import type { IdentityAnswer, ReturnTo } from '../identity/contract.ts';
import { findSignInAccount, personOf, personsOf, requireNotHeld } from '../queries.ts';
import { linkExpiry, nameFromAddress, safeReturnPath } from '../rules.ts';
import { needsSecondStep } from '../second-factor/queries.ts';
import { cookieValue } from '../session/commands.ts';
import { awaitReturn } from '../waiting-sign-ins/commands.ts';
import { canSignUp, newestSignUp, signUpBy, signUpOf, type SignUp } from './queries.ts';

/** How long the same browser can confirm, or request another link. */
const proofDays = 7;

/** Links requested on the last day still last a full day. */
const signUpDays = proofDays + 1;

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.sign_up_requested': { signUpId: string; next: string; signInId?: string | undefined };
  }
}

/** In the demo, a welcome replaces verification. */
export async function signUpAndWelcome(
  call: EndpointCall,
  input: EndpointInput<'/sign-up/email'>,
): Promise<IdentityAnswer> {
  const answer = await signUp(call, input);
  const user = call.server.demo && (await userByEmail(call.ctx, input.email));
  if (user) await transact(call.ctx, (tx) => tx.emit(tx, 'accounts.welcomed', { userId: user.id }));
  return answer;
}

export async function signUp(
  call: EndpointCall,
  input: EndpointInput<'/sign-up/email'>,
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  await requireLength(call, 'password', input.password);
  requireUnguessable(server, 'password', input.password, input);
  const { name, email, password } = input;
  // Over the limit, skips the email instead of refusing, or strangers could lock out the owner. Links in earlier emails
  // still work for any sign-up with this address.
  const mailed = await server.tries.countMail(ctx, 'sign-up', email, { perNetwork: 'sign-up at' });
  if (server.demo) {
    await retryOnce(() => callLibrary(call, '/sign-up/email', { name, email, password }));
  } else {
    const { hash: passwordHash } = await hashPassword(password);
    const next = safeReturnPath(input.next);
    const kept = { name, email, passwordHash, next, mailed, returnTo: call.returnTo };
    const proof = await storeSignUp(ctx, kept);
    setBrowserCookie(call, 'sign_up', proof, proofDays * 86_400);
  }
  return { signedIn: server.demo };
}

export function resendVerification(
  call: EndpointCall,
  { email, next: path }: EndpointInput<'/send-verification-email'>,
): Promise<IdentityAnswer> {
  return requestEmail(call, email, 'verify', (tx, user) =>
    emailVerification(tx, call, { email, user, next: safeReturnPath(path) }),
  );
}

/** Emails a verification link to this browser's sign-up or an unverified account; otherwise does nothing. */
export async function emailVerification(
  tx: TxCtx,
  call: EndpointCall,
  { email, user, next }: { email: string; user: Addressee; next: string },
): Promise<void> {
  const pending = call.byProgram
    ? await newestSignUp(tx, email)
    : await signUpBy(tx, email, signUpProofIn(call));
  if (pending && (await resendSignUpLink(tx, pending, next))) return;
  if (!user || user.email_verified) return;
  await recordDone(tx, { action: 'verification_requested', subject: { kind: 'person', id: user.id } });
  await tx.emit(tx, 'accounts.verification_requested', { userId: user.id, next });
}

export function verifyEmail(
  call: EndpointCall,
  { token }: EndpointInput<'/verify-email'>,
): Promise<IdentityAnswer> {
  const { adminEmails, tries } = call.server;
  return tries.openLink(call.ctx, () =>
    retryOnce(() =>
      transact(call.ctx, async (tx) => {
        const { userId, ...otherwise } = await followLink(tx, token, signUpProofIn(call), adminEmails);
        if (userId === null) return { signedIn: false, ...otherwise };
        if (await needsSecondStep(tx, await personOf(tx, userId))) return { signedIn: false };
        await callLibrary({ ...call, ctx: tx }, '/sign-in/link', {}, { userId });
        return { signedIn: true };
      }),
    ),
  );
}

/**
 * Anyone can sign up with another person's email and their own password. So only the originating browser, which holds
 * this proof cookie, confirms a sign-up; anyone opening the link elsewhere sets a new password.
 */
export function signUpProofIn({ server, request }: EndpointCall): string | null {
  return cookieValue(request.headers.get('cookie'), secureName(server, 'sign_up'));
}

/**
 * Stores a sign-up until its address is confirmed; no account exists yet. Returns the proof for the browser's cookie.
 * Existing account owners get an email, but the response stays the same. Sends emails only if `mailed`.
 */
async function storeSignUp(
  ctx: Ctx,
  input: {
    name: string;
    email: string;
    passwordHash: string;
    next: string;
    mailed: boolean;
    returnTo: ReturnTo | null | undefined;
  },
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
    await recordDone(tx, { action: 'signed_up', subject: { kind: 'sign_up', id } });
    if (!input.mailed) return;
    const expiresAt = linkExpiry('verify', now);
    const signInId = await awaitReturn(tx, input.returnTo, { method: 'otp', signUpId: id, expiresAt });
    const holder = await findSignInAccount(tx, { email });
    if (holder?.hasPassword) await tx.emit(tx, 'accounts.exists_notice', { userId: holder.id, next });
    else await tx.emit(tx, 'accounts.sign_up_requested', { signUpId: id, next, signInId });
  });
  return proof;
}

/** Resends a sign-up's link; false if its address has an account by now. */
async function resendSignUpLink(tx: TxCtx, pending: SignUp, next: string): Promise<boolean> {
  if (!(await canSignUp(tx, pending.email))) return false;
  await recordDone(tx, { action: 'verification_requested', subject: { kind: 'sign_up', id: pending.id } });
  await tx.emit(tx, 'accounts.sign_up_requested', { signUpId: pending.id, next });
  return true;
}

/** A confirmed address, or a token for choosing a password. */
type FollowedLink = { userId: string } | { userId: null; resetToken?: string; asksName?: true };

/**
 * Follows an emailed link, which proves mailbox ownership. Only the browser that signed up gets the account with its
 * name and password; any other chooses a new password. Throws precondition `link_expired`.
 */
async function followLink(
  tx: TxCtx,
  token: string,
  proof: string | null,
  adminEmails: readonly string[],
): Promise<FollowedLink> {
  const id = await consumeLinkToken(tx, 'verify', token);
  const linked = await signUpOf(tx, id);
  const own = linked && (await signUpBy(tx, linked.email, proof));
  if (own) {
    return { userId: await confirmSignUp(tx, own.id, adminEmails) };
  }
  if (!linked && (await personWith(tx, id)).emailVerified) return { userId: null };
  const resetToken = await makeLinkToken(tx, 'reset-password', id);
  return { userId: null, resetToken, ...(linked ? { asksName: true } : {}) };
}

/** Turns a sign-up into its address's account. Throws precondition `link_expired`, and like `claimAddress`. */
export async function confirmSignUp(tx: TxCtx, id: string, adminEmails: readonly string[]): Promise<string> {
  const own = await tx.db
    .deleteFrom('sign_ups')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'link_expired'));
  return claimAddress(tx, own, adminEmails);
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
  const id = await consumeLinkToken(tx, 'reset-password', token);
  const linked = await signUpOf(tx, id);
  if (linked) {
    const { email } = linked;
    const owner = { email, name: name ?? nameFromAddress(email) };
    requireGood(owner);
    await claimAddress(tx, { ...owner, password }, adminEmails);
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

/** The address of a person or a sign-up. Throws precondition `link_expired`. */
export async function linkedAddress(ctx: Ctx, id: string): Promise<string> {
  return ((await signUpOf(ctx, id)) ?? (await personWith(ctx, id))).email;
}

/** A missing account counts as an expired link. */
async function personWith(tx: Ctx, id: string): Promise<Viewer> {
  const person = (await personsOf(tx, [id])).get(id);
  if (!person) throw new AppError('precondition', 'link_expired');
  return person;
}

/**
 * Sets the password on the address's existing or new account. Throws precondition `link_expired` if one is already set,
 * forbidden `address_held` or `account_suspended`.
 */
async function claimAddress(
  tx: TxCtx,
  { email, name, password }: Pick<SignUp, 'email' | 'name' | 'password'>,
  adminEmails: readonly string[],
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${email}`}, 0))`.execute(tx.db);
  const holder = await findSignInAccount(tx, { email });
  if (holder?.hasPassword) throw new AppError('precondition', 'link_expired');
  if (holder) await requireNotHeld(tx, holder.id);
  if (holder?.suspended) throw new AppError('forbidden', 'account_suspended');
  if (holder) await nameUnconfirmed(tx, holder.id, name);
  const userId =
    holder?.id ?? (await createAccount(tx, { email, name, role: 'client', emailVerified: false }));
  await setPassword(tx, userId, password);
  await confirmAddress(tx, userId, adminEmails);
  return userId;
}

/** A stranger may have chosen the present name. */
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
