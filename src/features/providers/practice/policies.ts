import { AppError } from '#/kernel/errors.ts';
import type { Role } from '#/kernel/actor.ts';
import { authorize } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';

declare const minted: unique symbol;

/** ID of the acting provider, scoping queries to their rows. Branded: only `requirePractice` creates it. */
export type Practice = string & { readonly [minted]: 'practice' };

/** Returns the acting provider. Throws `unauthenticated` for guests, `not_found` without a directory entry. */
export async function requirePractice({ actor, db }: Ctx): Promise<Practice> {
  if (actor.kind !== 'person') throw new AppError('unauthenticated', 'sign_in_required');
  const row = await db
    .selectFrom('providers')
    .select('id')
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'practice'));
  return row.id as Practice;
}

/** Locks the acting provider's row, so concurrent changes see each other. */
export async function lockPractice(tx: TxCtx, practice: Practice): Promise<void> {
  await tx.db
    .selectFrom('providers')
    .select('id')
    .where('id', '=', practice)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Locks an account that becomes a provider. Throws `not_found` (`person`), or conflict `not_a_client`. */
export async function requireClientAccount(
  tx: TxCtx,
  userId: string,
): Promise<{ role: Role; full_name: string }> {
  const profile = await tx.db
    .selectFrom('profiles')
    .select(['role', 'full_name'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'person'));
  if (profile.role !== 'client') throw new AppError('conflict', 'not_a_client');
  return profile;
}

/** Locks a provider whose approval an administrator changes. Throws `not_found` (`specialist`) for other IDs. */
export async function requireApprovable(
  tx: TxCtx,
  providerId: string,
): Promise<{ approval_revoked_at: Date | null }> {
  authorize(tx.actor, ['manage_providers']);
  return tx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .select('approval_revoked_at')
    .where('providers.id', '=', providerId)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate('providers')
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'specialist'));
}

/** Locks the provider's own pending or rejected credential. Throws `not_found` (`credential`) for any other. */
export async function requireOwnUnapproved(
  tx: TxCtx,
  practice: Practice,
  credentialId: string,
): Promise<{ id: string }> {
  return tx.db
    .selectFrom('provider_credentials')
    .select('id')
    .where('id', '=', credentialId)
    .where('provider_id', '=', practice)
    .where('state', 'in', ['pending', 'rejected'])
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'credential'));
}

/** Locks a pending credential. Throws `not_found` (`credential`), or conflict `decided`. */
export async function requirePendingCredential(tx: TxCtx, credentialId: string) {
  const row = await tx.db
    .selectFrom('provider_credentials')
    .select(['provider_id', 'state', 'replaces'])
    .where('id', '=', credentialId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'credential'));
  if (row.state !== 'pending') throw new AppError('conflict', 'decided');
  return row;
}
