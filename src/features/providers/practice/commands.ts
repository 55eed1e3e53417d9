import type { Selectable } from 'kysely';
import { isProvider, type Role } from '#/kernel/actor.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, Database, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { isExpired, type ProviderKind, slugFor } from './rules.ts';
import { requireApprovable, requireClientAccount } from './policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'providers.created': { providerId: string };
    /** A provider's listing or bookable sessions changed. */
    'providers.listing_changed': { providerId: string };
    'providers.approval_changed': { providerId: string; change: 'revoked' | 'restored' };
  }
}

type ProviderRow = Selectable<Database['providers']>;

export interface NewProvider {
  userId: string;
  kind: ProviderKind;
  title: string;
  specialties: readonly string[];
  experience: string;
  location: string;
  bio: string;
  education: readonly string[];
  approach: string;
  languages: readonly string[];
  traditions: readonly string[];
  faithPart: ProviderRow['faith_part'];
  sessionTypes: Readonly<ProviderRow['session_types']>;
  phone: string | null;
  timeZone: string;
  approvesFirst: boolean;
  serviceIds: readonly string[];
}

/**
 * Turns a client account into a provider, listed last: role, directory entry, services and audit entry in one
 * transaction. Rejects unknown time zones and services, and accounts that aren't clients.
 */
export async function createProvider(ctx: Ctx, provider: NewProvider): Promise<void> {
  authorize(ctx.actor, ['manage_providers']);
  requireKnownZone(provider.timeZone);
  const { userId, kind } = provider;
  await transact(ctx, async (tx) => {
    const name = await giveRole(tx, userId, kind);
    const slug = await freeSlug(tx, name);
    await tx.db
      .insertInto('providers')
      .values(({ selectFrom, fn, lit }) => ({
        id: userId,
        slug,
        kind,
        title: provider.title,
        specialties: [...provider.specialties],
        experience: provider.experience,
        location: provider.location,
        bio: provider.bio,
        education: [...provider.education],
        approach: provider.approach,
        languages: [...provider.languages],
        traditions: [...provider.traditions],
        faith_part: provider.faithPart,
        session_types: [...provider.sessionTypes],
        phone: provider.phone,
        time_zone: provider.timeZone,
        approves_first: provider.approvesFirst,
        position: selectFrom('providers').select(({ eb }) =>
          eb(fn.coalesce(fn.max('position'), lit(0)), '+', lit(1)).as('next'),
        ),
        created_at: new Date(tx.now().epochMilliseconds),
      }))
      .execute();
    await offerServices(tx, userId, provider.serviceIds);
    await recordDone(tx, {
      action: 'provider.created',
      subject: { kind: 'provider', id: userId },
      details: { role: kind },
    });
    await tx.emit(tx, 'providers.created', { providerId: userId });
    await clearPageCache(tx);
  });
}

/**
 * Unlists a provider while suspended, in another role, pending deletion, revoked or with an expired license, and
 * restores the previous listing afterwards. Ignores other accounts; idempotent.
 */
export async function followAccount(ctx: Ctx, userId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { db } = tx;
    const row = await db
      .selectFrom('providers')
      .innerJoin('profiles', 'profiles.id', 'providers.id')
      .select(['kind', 'listed', 'listed_before_deletion as before', 'role'])
      .select(['licensed_until', 'approval_revoked_at', 'suspended_at', 'delete_after', 'erased_at'])
      .where('providers.id', '=', userId)
      .forNoKeyUpdate('providers')
      .executeTakeFirst();
    if (!row || row.erased_at) return;
    if (isProvider(row.role) && row.role !== row.kind) {
      await db.updateTable('providers').set({ kind: row.role }).where('id', '=', userId).execute();
      await clearPageCache(tx);
    }
    const reason = unlistedReason(row, tx.now().toString().slice(0, 10));
    const leaving = reason !== null;
    if (leaving === (row.before !== null)) return;
    await db
      .updateTable('providers')
      .set(
        leaving
          ? { listed: false, listed_before_deletion: row.listed }
          : { listed: row.before!, listed_before_deletion: null },
      )
      .where('id', '=', userId)
      .execute();
    await recordDone(tx, {
      action: leaving ? 'provider.unlisted' : 'provider.listed',
      subject: { kind: 'provider', id: userId },
      ...(reason ? { details: { reason } } : {}),
    });
    // Stops or resumes waiting list offers.
    await tx.emit(tx, 'providers.listing_changed', { providerId: userId });
    await clearPageCache(tx);
  });
}

/** Why an account can't be listed, or null. */
function unlistedReason(
  account: {
    role: Role;
    suspended_at: Date | null;
    delete_after: Date | null;
    licensed_until: string | null;
    approval_revoked_at: Date | null;
  },
  today: string,
): 'account_deletion' | 'account_suspended' | 'role_changed' | 'approval_revoked' | 'licence_ended' | null {
  if (account.delete_after) return 'account_deletion';
  if (account.suspended_at) return 'account_suspended';
  if (!isProvider(account.role)) return 'role_changed';
  if (account.approval_revoked_at) return 'approval_revoked';
  return isExpired(account.licensed_until, today) ? 'licence_ended' : null;
}

async function giveRole(tx: TxCtx, userId: string, role: NewProvider['kind']): Promise<string> {
  const profile = await requireClientAccount(tx, userId);
  await tx.db.updateTable('profiles').set({ role }).where('id', '=', userId).execute();
  return profile.full_name;
}

/** Taken by other pages under `/therapists/`. */
const reserved = ['match'];

/** Finds an unused slug for a name. The unique index catches races. */
async function freeSlug(tx: TxCtx, name: string): Promise<string> {
  const slug = slugFor(name);
  const taken = await tx.db
    .selectFrom('providers')
    .select('slug')
    .where(({ or, eb }) => or([eb('slug', '=', slug), eb('slug', 'like', `${slug}-%`)]))
    .execute();
  const known = new Set([...reserved, ...taken.map((row) => row.slug)]);
  if (!known.has(slug)) return slug;
  let number = 2;
  while (known.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

async function offerServices(tx: TxCtx, providerId: string, serviceIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(serviceIds)];
  if (wanted.length === 0) return;
  const offered = await tx.db
    .insertInto('provider_services')
    .columns(['provider_id', 'service_id'])
    .expression(({ selectFrom, val }) =>
      selectFrom('services')
        .select(({ ref }) => [val(providerId).as('provider_id'), ref('id').as('service_id')])
        .where('id', 'in', wanted),
    )
    .returning('service_id')
    .execute();
  if (offered.length < wanted.length) throw invalidField('serviceIds', 'unknown_service');
}

/**
 * Revokes a provider's approval: removes them from the directory and blocks new bookings. Callers handle existing
 * sessions in the same transaction. Throws not_found `specialist` or conflict `already_revoked`.
 */
export async function revoke(tx: TxCtx, providerId: string, reason: string): Promise<void> {
  const { approval_revoked_at } = await requireApprovable(tx, providerId);
  if (approval_revoked_at !== null) throw new AppError('conflict', 'already_revoked');
  const now = new Date(tx.now().epochMilliseconds);
  await changeApproval(
    tx,
    providerId,
    { approval_revoked_at: now, approval_revoked_reason: reason },
    'revoked',
  );
}

/** Restores a provider's approval and previous listing. Throws not_found `specialist` or conflict `not_revoked`. */
export async function restore(tx: TxCtx, providerId: string): Promise<void> {
  const { approval_revoked_at } = await requireApprovable(tx, providerId);
  if (approval_revoked_at === null) throw new AppError('conflict', 'not_revoked');
  await changeApproval(
    tx,
    providerId,
    { approval_revoked_at: null, approval_revoked_reason: null },
    'restored',
  );
}

async function changeApproval(
  tx: TxCtx,
  providerId: string,
  approval: { approval_revoked_at: Date | null; approval_revoked_reason: string | null },
  what: 'revoked' | 'restored',
): Promise<void> {
  await tx.db.updateTable('providers').set(approval).where('id', '=', providerId).execute();
  await recordDone(tx, {
    action: `provider.approval_${what}`,
    subject: { kind: 'provider', id: providerId },
    details: { status: what === 'revoked' ? 'approved → revoked' : 'revoked → approved' },
  });
  await followAccount(tx, providerId);
  await tx.emit(tx, 'providers.approval_changed', { providerId, change: what });
  for (const type of ['providers.listing_changed', 'providers.applications_changed'])
    await publish(tx, [`person:${providerId}`, ...topicsOf('manage_providers')], { type, id: providerId });
}
