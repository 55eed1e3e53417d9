import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor, Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets, publish } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import { findSignInAccount, requireNotHeld, requireNoUndo } from './queries.ts';
import { linkExpiry, unclaimedAddress, type LinkKind, type SecurityChange } from './rules.ts';
import { deleteIdentities } from './openid/commands.ts';
import { deletePasskeys } from './webauthn/commands.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.created': { userId: string };
    /** A demo sign-up, which sends a welcome email instead of a verification email. */
    'accounts.welcomed': { userId: string };
    /** `next` is the page after verification. */
    'accounts.verification_requested': { userId: string; next: string };
    /** Here and below, `signInId` is the program's sign-in that the link continues. */
    'accounts.password_reset_requested': { userId: string; next: string; signInId?: string | undefined };
    /** Emails a link, or how to sign in. */
    'accounts.sign_in_link_requested': { userId: string; signInId?: string | undefined };
    /** A sign-up used an existing account's address; only the owner is notified. */
    'accounts.exists_notice': { userId: string; next: string };
    /** Too many wrong passwords from unknown devices. The owner receives an unlock link for their device. */
    'accounts.sign_in_locked': { userId: string };
    /** The owner is notified by email. */
    'accounts.secured': { userId: string; change: SecurityChange };
    'accounts.password_set': { userId: string; until: string };
  }
}

export interface NewAccount {
  /** Null until claimed; prevents sign-in. */
  email: string | null;
  name: string;
  role: Role;
  emailVerified: boolean;
  image?: string | null;
  timeZone?: string | null;
}

/**
 * Creates an account: user, profile, audit entry and event in one transaction. Throws like `requireNoUndo` for verified
 * addresses.
 */
export async function createAccount(ctx: Ctx, account: NewAccount): Promise<string> {
  return transact(ctx, async (tx) => {
    const id = tx.newId();
    const at = new Date(tx.now().epochMilliseconds);
    const { name, role } = account;
    const email = account.email?.toLowerCase() ?? unclaimedAddress(id);
    await tx.db
      .insertInto('users')
      .values({
        id,
        name,
        email,
        email_verified: account.emailVerified,
        image: account.image ?? null,
        created_at: at,
        updated_at: at,
      })
      .execute();
    // Must follow the insert, which waits for concurrent changes of this address.
    if (account.emailVerified) await requireNoUndo(tx, email);
    await tx.db
      .insertInto('profiles')
      .values({
        id,
        role,
        full_name: name,
        time_zone: account.timeZone ?? null,
        created_at: at,
        administration_granted_at: role === 'super_admin' ? at : null,
      })
      .execute();
    await recordDone(tx, { action: 'account_created', subject: { kind: 'person', id }, details: { role } });
    await tx.emit(tx, 'accounts.created', { userId: id });
    return id;
  });
}

/** Marks an email verified and grants configured administrators their role. Throws like `requireNoUndo`. */
export async function confirmAddress(
  tx: TxCtx,
  userId: string,
  adminEmails: readonly string[],
): Promise<void> {
  const confirmed = await tx.db
    .updateTable('users')
    .set({ email_verified: true, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .returning('email')
    .executeTakeFirst();
  if (!confirmed) return;
  await requireNoUndo(tx, confirmed.email);
  const subject = { kind: 'person', id: userId };
  await recordDone(tx, { action: 'address_verified', subject });
  await grantAdministration(tx, userId, adminEmails);
}

/** Makes a client with a verified ADMIN_EMAILS address an administrator, once: a role removed by hand stays removed. */
export async function grantAdministration(
  tx: TxCtx,
  userId: string,
  adminEmails: readonly string[],
): Promise<void> {
  if (adminEmails.length === 0) return;
  const granted = await tx.db
    .updateTable('profiles')
    .from('users')
    .set({ role: 'super_admin', administration_granted_at: new Date(tx.now().epochMilliseconds) })
    .whereRef('users.id', '=', 'profiles.id')
    .where('profiles.id', '=', userId)
    .where('email', 'in', adminEmails)
    .where('email_verified', '=', true)
    .where('role', '=', 'client')
    .where('administration_granted_at', 'is', null)
    .returning('profiles.id')
    .executeTakeFirst();
  if (!granted) return;
  await recordDone(tx, {
    action: 'role_changed',
    subject: { kind: 'person', id: userId },
    details: { role: 'client → super_admin', reason: 'admin_address' },
  });
}

/** Returns the acting person; throws `unauthenticated` for guests. */
export function signedIn({ actor }: Ctx): Extract<Actor, { kind: 'person' }> {
  authorize(actor, 'signed_in');
  if (actor.kind !== 'person') throw new AppError('forbidden', 'persons_only');
  return actor;
}

/** Minutes a reauthentication remains valid. */
export const freshMinutes = 5;

/**
 * Throws `precondition` (`reauthentication_required`) without a recent reauthentication: an open sign-in
 * session may be in other hands, and so may a program's token from before. Jobs and the system pass.
 */
export async function requireFresh(ctx: Ctx): Promise<void> {
  authorize(ctx.actor, 'signed_in');
  if (!(await isFresh(ctx, 'reauthenticated_at')))
    throw new AppError('precondition', 'reauthentication_required');
}

/**
 * Like `requireFresh`, before a person’s own ways in change. Throws `precondition` (`full_reauthentication_required`)
 * without both factors where two are set up.
 */
export async function requireFullyFresh(ctx: Ctx): Promise<void> {
  const factor = await confirmedFactor(ctx);
  if (!factor) return requireFresh(ctx);
  if (!(await isFullyFresh(ctx, factor)))
    throw new AppError('precondition', 'full_reauthentication_required');
}

export async function isFullyFresh(ctx: Ctx, factor: { confirmed_at: Date | null }): Promise<boolean> {
  return isFresh(ctx, 'fully_reauthenticated_at', factor.confirmed_at);
}

async function isFresh(
  { actor, db, now }: Ctx,
  column: 'reauthenticated_at' | 'fully_reauthenticated_at',
  since?: Date | null,
): Promise<boolean> {
  if (actor.kind !== 'person') return true;
  const { sessionId, issuedAt } = actor;
  const fresh = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where(column, '>', new Date(now().subtract({ minutes: freshMinutes }).epochMilliseconds))
    .$if(Boolean(since), (sessions) => sessions.where(column, '>=', since!))
    .$if(issuedAt !== undefined, (sessions) =>
      // Tokens state whole seconds.
      sessions.where(column, '<', new Date((issuedAt! + 1) * 1_000)),
    )
    .executeTakeFirst();
  return fresh !== undefined;
}

/** The person's second factor, once confirmed. */
export async function confirmedFactor({
  actor,
  db,
}: Ctx): Promise<{ confirmed_at: Date | null; by_passkey: boolean } | undefined> {
  if (actor.kind !== 'person') return undefined;
  return db
    .selectFrom('second_factors')
    .select(['confirmed_at', 'by_passkey'])
    .where('user_id', '=', actor.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** Locks the account against sign-ins and other changes of its ways in, which lock it first too. */
export async function lockAccount(tx: TxCtx, personId: string): Promise<void> {
  await tx.db.selectFrom('profiles').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
}

/**
 * Creates a single-use link token for a person or sign-up, and stores only its hash. For emails, call it in the
 * transaction that writes the email.
 */
export async function makeLinkToken(
  ctx: Ctx,
  kind: LinkKind,
  whose: string,
  hours?: number,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const now = ctx.now();
  await ctx.db
    .deleteFrom('verifications')
    .where('expires_at', '<=', new Date(now.epochMilliseconds))
    .execute();
  await ctx.db
    .insertInto('verifications')
    .values({
      id: ctx.newId(),
      identifier: digest(`${kind}:${token}`),
      value: whose,
      expires_at: new Date(linkExpiry(kind, now, hours).epochMilliseconds),
      created_at: new Date(now.epochMilliseconds),
      updated_at: new Date(now.epochMilliseconds),
    })
    .execute();
  return token;
}

/** Throws `precondition` (`link_expired`) for invalid links. */
export async function requireLinkToken(ctx: Ctx, kind: LinkKind, token: string): Promise<string> {
  const link = await ctx.db
    .selectFrom('verifications')
    .where('identifier', '=', digest(`${kind}:${token}`))
    .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
    .select('value')
    .executeTakeFirst();
  if (!link) throw new AppError('precondition', 'link_expired');
  return link.value;
}

/**
 * Consumes a link token and returns its person or sign-up id. Throws `precondition` (`link_expired`), `forbidden`
 * (`address_held`) or `forbidden` (`account_suspended`).
 */
export async function consumeLinkToken(tx: TxCtx, kind: LinkKind, token: string): Promise<string> {
  await requireLinkToken(tx, kind, token);
  const link = await tx.db
    .deleteFrom('verifications')
    .where('identifier', '=', digest(`${kind}:${token}`))
    .returning('value')
    .executeTakeFirst();
  if (!link) throw new AppError('precondition', 'link_expired');
  await requireNotHeld(tx, link.value);
  if ((await findSignInAccount(tx, { id: link.value }))?.suspended)
    throw new AppError('forbidden', 'account_suspended');
  return link.value;
}

/**
 * Revokes all emailed links and codes: the person's own, sign-ups with their address, and guest bookings. Ends programs'
 * sign-ins that wait, and API tokens, whose number it returns.
 */
export async function endLinks(tx: TxCtx, userId: string): Promise<{ apiTokens: number }> {
  // First, to wait for concurrent link creation.
  await tx.db
    .updateTable('profiles')
    .set({ links_ended_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', userId)
    .execute();
  const signUps = tx.db
    .selectFrom('sign_ups')
    .innerJoin('users', 'users.email', 'sign_ups.email')
    .where('users.id', '=', userId)
    .select('sign_ups.id');
  await tx.db
    .deleteFrom('verifications')
    .where(({ or, eb }) =>
      or([
        eb('value', '=', userId),
        eb('value', 'in', signUps.clearSelect().select(sql<string>`sign_ups.id::text`.as('id'))),
      ]),
    )
    .execute();
  await tx.db.deleteFrom('sign_in_codes').where('user_id', '=', userId).execute();
  await endEmailChange(tx, userId);
  await tx.db
    .deleteFrom('program_sign_ins')
    .where(({ or, eb }) => or([eb('user_id', '=', userId), eb('sign_up_id', 'in', signUps)]))
    .execute();
  const revoked = await tx.db
    .deleteFrom('api_tokens')
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  return { apiTokens: revoked.length };
}

export async function endEmailChange(tx: TxCtx, userId: string): Promise<void> {
  const ended = await tx.db
    .deleteFrom('email_change_requests')
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (ended) await publish(tx, [`person:${userId}`], { type: 'accounts.profile_changed', id: userId });
}

/** Ends everyone's sessions, links, codes and API tokens. */
export async function endAllAccess({ db, now }: TxCtx): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ links_ended_at: new Date(now().epochMilliseconds) })
    .execute();
  const tables = [
    'sessions',
    'verifications',
    'sign_in_codes',
    'program_sign_ins',
    'api_tokens',
    'email_change_requests',
  ] as const;
  for (const table of tables) await db.deleteFrom(table).execute();
}

async function deletePhone(tx: TxCtx, userId: string): Promise<void> {
  const dropped = await tx.db
    .deleteFrom('sign_in_phones')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  if (dropped)
    await recordDone(tx, { action: 'sign_in_phone_removed', subject: { kind: 'person', id: userId } });
}

export async function distrustDevices(tx: TxCtx, userId: string): Promise<void> {
  await tx.db
    .updateTable('known_devices')
    .set({ trusted_until: null, user_agent: null })
    .where('user_id', '=', userId)
    .where('trusted_until', 'is not', null)
    .execute();
}

/** Ends a person's sign-in sessions, and trust in devices. Closing all their sockets could, a moment later, close those of the next sign-in. */
export async function deleteSessions(tx: TxCtx, userId: string, exceptSession?: string): Promise<void> {
  const ended = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptSession !== undefined, (sessions) => sessions.where('id', '!=', exceptSession!))
    .returning('id')
    .execute();
  for (const { id } of ended) await closeSockets(tx, `session:${id}`);
  await distrustDevices(tx, userId);
}

/**
 * Sets a password hash. Ends sign-in sessions, known devices, all links and unconfirmed second factors; only
 * `exceptSession` and its device remain. `recovers`, the default without it: removes linked identities, the phone, and
 * passkeys that aren't the second step.
 */
export async function setPassword(
  tx: TxCtx,
  userId: string,
  hash: string,
  {
    exceptSession,
    recovers = exceptSession === undefined,
  }: { exceptSession?: string; recovers?: boolean } = {},
): Promise<void> {
  const at = new Date(tx.now().epochMilliseconds);
  await endLinks(tx, userId);
  await tx.emit(tx, 'accounts.password_set', { userId, until: tx.now().toString() });
  await tx.db
    .insertInto('credentials')
    .values({
      id: tx.newId(),
      user_id: userId,
      account_id: userId,
      provider_id: 'credential',
      password: hash,
      created_at: at,
      updated_at: at,
    })
    .onConflict((on) =>
      on.columns(['provider_id', 'account_id']).doUpdateSet({ password: hash, updated_at: at }),
    )
    .execute();
  // The former password rewraps the author key afterwards.
  await tx.db
    .updateTable('author_keys')
    .set({ password_replaced: true })
    .where('person_id', '=', userId)
    .execute();
  await deleteSessions(tx, userId, exceptSession);
  await tx.db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions')
            .select('sessions.id')
            .where('sessions.user_id', '=', userId)
            .whereRef('sessions.device_id', '=', 'known_devices.id'),
        ),
      ),
    )
    .execute();
  await tx.db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .execute();
  const second = await tx.db
    .updateTable('second_factors')
    .set({ secret: null })
    .where('user_id', '=', userId)
    .where('by_passkey', '=', true)
    .returning('id')
    .executeTakeFirst();
  if (recovers) {
    // A mailbox alone couldn't have added one.
    if (!second) await deletePasskeys(tx, userId);
    await deleteIdentities(tx, userId);
    await deletePhone(tx, userId);
  }
  await recordDone(tx, { action: 'password_set', subject: { kind: 'person', id: userId } });
}

export async function deleteExpired({ db, now }: Ctx): Promise<void> {
  const over = new Date(now().epochMilliseconds);
  const tables = [
    'sign_ups',
    'passkey_challenges',
    'program_sign_ins',
    'sign_in_codes',
    'api_tokens',
    'email_change_requests',
  ] as const;
  for (const table of tables) await db.deleteFrom(table).where('expires_at', '<=', over).execute();
}
