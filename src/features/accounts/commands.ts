import { randomBytes } from 'node:crypto';
import { sql, type Updateable } from 'kysely';
import type { Actor, Role } from '#/kernel/actor.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { authorise } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import { requireNotHeld, requireNoUndo } from './address-change/queries.ts';
import type { PreferencesInput, Viewer } from './contract.ts';
import { doorOf, personOf } from './queries.ts';
import type { SecurityChange } from './rules.ts';
import type { ProfilesTable } from './tables.ts';
import { unclaimedAddress } from './unclaimed/rules.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    'accounts.created': { userId: string };
    /** Somebody signed up in the demo, where nothing has to be verified: they get a mail all the same. */
    'accounts.welcomed': { userId: string };
    /** To be answered by a mail with a link that verifies the address; `next` is where the person goes on. */
    'accounts.verification_requested': { userId: string; next: string };
    /** To be answered by a mail with a link that sets a new password. */
    'accounts.password_reset_requested': { userId: string; next: string };
    /** To be answered by a mail with a link that signs in, or says that the account has a password. */
    'accounts.sign_in_link_requested': { userId: string };
    /** Somebody signed up with an address that has an account: its owner is told, and nobody else. */
    'accounts.exists_notice': { userId: string; next: string };
    /** Too many wrong passwords came from devices that the account doesn't know: its owner gets a link that makes theirs known. */
    'accounts.sign_in_locked': { userId: string };
    /** Something that guards an account has changed: its owner is told by mail. */
    'accounts.secured': { userId: string; change: SecurityChange };
  }
}

/** What an account begins with. */
export interface NewAccount {
  /** Null: nobody can sign in to it, until its person claims it. */
  email: string | null;
  name: string;
  role: Role;
  emailVerified: boolean;
  image?: string | null;
  timeZone?: string | null;
}

/**
 * Makes an account: the user, the profile, the audit entry and the event, together or not at all. Throws what
 * `requireNoUndo` throws for an address that counts as its owner's.
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
    // After the insert, which waits for a concurrent change of this address.
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
    await recordDone(tx, {
      action: 'account_created',
      category: 'user_management',
      subject: { kind: 'person', id },
      details: { role },
    });
    await tx.emit(tx, 'accounts.created', { userId: id });
    return id;
  });
}

/** Marks a person's address as confirmed; one of ADMIN_EMAILS gets its role. Throws what `requireNoUndo` throws. */
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
  await recordDone(tx, { action: 'address_verified', category: 'user_management', subject });
  await grantAdministration(tx, userId, adminEmails);
}

/**
 * Makes a client with a verified address of ADMIN_EMAILS an administrator: once, so that a role which was removed by
 * hand isn't restored by itself. Nothing for anybody else.
 */
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
    category: 'user_management',
    subject: { kind: 'person', id: userId },
    details: { role: 'client → super_admin', reason: 'admin_address' },
  });
}

/** Keeps the signed-in person's own preferences. Throws invalid `unknown_zone`, and `practice_zone` as `changeProfile` does. */
export async function updatePreferences(ctx: Ctx, input: PreferencesInput): Promise<Viewer> {
  const { id } = signedIn(ctx);
  requireKnownZone(input.timeZone);
  const changed = withoutUndefined({
    time_zone: input.timeZone,
    keep_discreet: input.keepDiscreet,
    session_reminders: input.sessionReminders,
    daily_devotionals: input.dailyDevotionals,
    community_updates: input.communityUpdates,
  });
  return transact(ctx, async (tx) => {
    if (Object.keys(changed).length > 0) {
      const before = await preferencesOf(tx, id);
      await changeProfile(tx, id, changed);
      const after = await preferencesOf(tx, id);
      await recordDone(tx, {
        action: 'preferences_changed',
        category: 'user_management',
        subject: { kind: 'person', id },
        details: {
          ...changesIn(before.switches, after.switches),
          ...(before.time_zone !== after.time_zone && { time_zone: 'changed' }),
        },
      });
    }
    return personOf(tx, id);
  });
}

async function preferencesOf({ db }: TxCtx, id: string) {
  const { time_zone, ...switches } = await db
    .selectFrom('profiles')
    .select(['time_zone', 'keep_discreet', 'session_reminders', 'daily_devotionals', 'community_updates'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { time_zone, switches };
}

/**
 * Changes columns of somebody's profile. Throws invalid `practice_zone` for a zone other than a specialist's practice has:
 * the database keeps the two the same, and only their availability changes it.
 */
export async function changeProfile(
  tx: TxCtx,
  id: string,
  changed: Updateable<ProfilesTable>,
): Promise<void> {
  const { time_zone } = await tx.db
    .updateTable('profiles')
    .set(changed)
    .where('id', '=', id)
    .returning('time_zone')
    .executeTakeFirstOrThrow();
  if (typeof changed.time_zone === 'string' && time_zone !== changed.time_zone)
    throw invalidField('timeZone', 'practice_zone');
}

/** Who acts, if it is a person; throws `unauthenticated` for a guest. */
export function signedIn({ actor }: Ctx): Extract<Actor, { kind: 'person' }> {
  authorise(actor, 'signed_in');
  if (actor.kind !== 'person') throw new AppError('forbidden', 'persons_only');
  return actor;
}

/** How many minutes it counts that a session's person has shown again who they are. */
export const freshMinutes = 5;

/**
 * Refuses what could hurt others, as precondition `reauthentication_required`, unless the session's person has shown in
 * the last minutes who they are: an open session may be in other hands. The program itself may go on.
 */
export async function requireFresh(ctx: Ctx): Promise<void> {
  const { actor, db, now } = ctx;
  authorise(actor, 'signed_in');
  if (actor.kind !== 'person') return;
  const fresh = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', actor.sessionId)
    .where('reauthenticated_at', '>', new Date(now().subtract({ minutes: freshMinutes }).epochMilliseconds))
    .executeTakeFirst();
  if (!fresh) throw new AppError('precondition', 'reauthentication_required');
}

/** Refuses a zone that the runtime doesn't know, as invalid `unknown_zone`. */
export function requireKnownZone(timeZone: string | undefined): void {
  if (timeZone !== undefined && !isKnownZone(timeZone)) throw invalidField('timeZone', 'unknown_zone');
}

/** The columns that are to be changed: those that have a value. */
export function withoutUndefined<T extends object>(columns: T): Partial<T> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** What a link's token is for, and how long it lasts unless it is said otherwise. */
const linkLasts = {
  verify: { hours: 24 },
  'reset-password': { hours: 1 },
  /** Makes a browser known to the account, and signs nobody in. */
  unlock: { hours: 24 },
  /** For whoever has just shown that the mailbox is theirs, and gets it at once. One that is mailed lasts longer. */
  'sign-in': { minutes: 10 },
} as const;

type LinkKind = keyof typeof linkLasts;

/** When a link that is made now expires; `hours` is how long it lasts unless it is as long as every link of its kind. */
export function linkExpiry(kind: LinkKind, now: Temporal.Instant, hours?: number): Temporal.Instant {
  return now.add(hours === undefined ? linkLasts[kind] : { hours });
}

/**
 * Makes the token of a link for a person or a sign-up, a mailed one's only when the mail is written: the database keeps what the token hashes to, and
 * nothing else holds it. It works once, and for so long.
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

/**
 * Takes a link's token, which then works no more, and returns the person or the sign-up that it is for. Throws
 * precondition `link_expired`, forbidden `address_held` and `account_suspended`.
 */
export async function takeLinkToken(tx: TxCtx, kind: LinkKind, token: string): Promise<string> {
  const link = await tx.db
    .deleteFrom('verifications')
    .where('identifier', '=', digest(`${kind}:${token}`))
    .returning(['value', 'expires_at'])
    .executeTakeFirst();
  if (!link || link.expires_at.getTime() <= tx.now().epochMilliseconds) {
    throw new AppError('precondition', 'link_expired');
  }
  await requireNotHeld(tx, link.value);
  if ((await doorOf(tx, { id: link.value }))?.suspended) throw new AppError('forbidden', 'account_suspended');
  return link.value;
}

/** Ends every link that was mailed to a person, for a sign-up with their address, or for a booking without an account. */
export async function endLinks(tx: TxCtx, userId: string): Promise<void> {
  // First, so that whoever makes a link under the same lock is waited for.
  await tx.db
    .updateTable('profiles')
    .set({ links_ended_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', userId)
    .execute();
  await tx.db
    .deleteFrom('verifications')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('value', '=', userId),
        eb(
          'value',
          'in',
          selectFrom('sign_ups')
            .innerJoin('users', 'users.email', 'sign_ups.email')
            .where('users.id', '=', userId)
            .select(sql<string>`sign_ups.id::text`.as('id')),
        ),
      ]),
    )
    .execute();
}

/**
 * Sets a person's password by its hash. Whatever was asked for before ends with it: their sessions, their known devices,
 * the links that were mailed to them or for sign-ups with their address, and a second factor that was never confirmed.
 * Only the session in which they set it may go on, with its device.
 */
export async function setPassword(
  tx: TxCtx,
  userId: string,
  hash: string,
  { exceptSession }: { exceptSession?: string } = {},
): Promise<void> {
  const at = new Date(tx.now().epochMilliseconds);
  await endLinks(tx, userId);
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
  const ended = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptSession !== undefined, (sessions) => sessions.where('id', '!=', exceptSession!))
    .returning('id')
    .execute();
  if (exceptSession === undefined) await closeSockets(tx, `person:${userId}`);
  else for (const { id } of ended) await closeSockets(tx, `session:${id}`);
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
  await recordDone(tx, {
    action: 'password_set',
    category: 'security',
    subject: { kind: 'person', id: userId },
  });
}
