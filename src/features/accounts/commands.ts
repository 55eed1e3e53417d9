import { createHash, randomBytes } from 'node:crypto';
import type { Actor, Role } from '#/kernel/actor.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { authorise } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import type { PreferencesInput, Viewer } from './contract.ts';
import { personOf } from './queries.ts';

declare module '#/platform/jobs/events.ts' {
  interface Events {
    'accounts.created': { userId: string };
    /** To be answered by a mail with a link that verifies the address; `next` is where the person goes on. */
    'accounts.verification_requested': { userId: string; next: string };
    /** To be answered by a mail with a link that sets a new password. */
    'accounts.password_reset_requested': { userId: string; next: string };
    /** Somebody signed up with an address that has an account: its owner is told, and nobody else. */
    'accounts.exists_notice': { userId: string; next: string };
  }
}

/** What an account begins with. */
export interface NewAccount {
  email: string;
  name: string;
  role: Role;
  emailVerified: boolean;
  image?: string | null;
  timeZone?: string | null;
}

/** Makes an account: the user, the profile, the audit entry and the event, together or not at all. */
export async function createAccount(ctx: Ctx, account: NewAccount): Promise<string> {
  return transact(ctx, async (tx) => {
    const id = tx.newId();
    const at = new Date(tx.now().epochMilliseconds);
    const { name, role } = account;
    await tx.db
      .insertInto('users')
      .values({
        id,
        name,
        email: account.email.toLowerCase(),
        email_verified: account.emailVerified,
        image: account.image ?? null,
        created_at: at,
        updated_at: at,
      })
      .execute();
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

/** Notes that a person has shown that the address is theirs; a configured one gets its role. */
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
    .returning('id')
    .executeTakeFirst();
  if (!confirmed) return;
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
    details: { role: 'super_admin', reason: 'admin_address' },
  });
}

/** Keeps the signed-in person's own preferences. Throws invalid `unknown_zone` for a zone that the runtime doesn't know. */
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
      await tx.db.updateTable('profiles').set(changed).where('id', '=', id).execute();
      await recordDone(tx, {
        action: 'preferences_changed',
        category: 'user_management',
        subject: { kind: 'person', id },
        details: { changed: Object.keys(changed).join(' ') },
      });
    }
    return personOf(tx, id);
  });
}

/** Who acts, if it is a person; throws `unauthenticated` for a guest. */
export function signedIn({ actor }: Ctx): Extract<Actor, { kind: 'person' }> {
  authorise(actor, 'signed_in');
  if (actor.kind !== 'person') throw new AppError('forbidden', 'persons_only');
  return actor;
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
  /** It is in no mail: whoever has shown that the mailbox is theirs gets it at once. */
  'sign-in': { minutes: 10 },
} as const;

type LinkKind = keyof typeof linkLasts;

/**
 * Makes a link's token, a mailed one's only when the mail is written: the database keeps what the token hashes to, and
 * nothing else holds it. It works once, and for so long.
 */
export async function makeLinkToken(
  ctx: Ctx,
  kind: LinkKind,
  userId: string,
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
      value: userId,
      expires_at: new Date(now.add(hours === undefined ? linkLasts[kind] : { hours }).epochMilliseconds),
      created_at: new Date(now.epochMilliseconds),
      updated_at: new Date(now.epochMilliseconds),
    })
    .execute();
  return token;
}

/** Takes a link's token, which then works no more, and returns whose it is. Throws precondition `link_expired`. */
export async function useLinkToken(tx: TxCtx, kind: LinkKind, token: string): Promise<string> {
  const link = await tx.db
    .deleteFrom('verifications')
    .where('identifier', '=', digest(`${kind}:${token}`))
    .returning(['value', 'expires_at'])
    .executeTakeFirst();
  if (!link || link.expires_at.getTime() <= tx.now().epochMilliseconds) {
    throw new AppError('precondition', 'link_expired');
  }
  return link.value;
}

/** Sets a person's password by its hash; every session and every mailed link of theirs ends with it. */
export async function setPassword(tx: TxCtx, userId: string, hash: string): Promise<void> {
  const at = new Date(tx.now().epochMilliseconds);
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
  await tx.db.deleteFrom('sessions').where('user_id', '=', userId).execute();
  await closeSockets(tx, `person:${userId}`);
  await tx.db.deleteFrom('verifications').where('value', '=', userId).execute();
  await recordDone(tx, {
    action: 'password_set',
    category: 'security',
    subject: { kind: 'person', id: userId },
  });
}

/** The stored form of a secret that has chance enough of its own: SHA-256, base64url. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
