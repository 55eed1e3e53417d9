import { AppError } from '#/kernel/errors.ts';
import type { TxCtx, Ctx } from '#/platform/context.ts';
import type { Selectable } from 'kysely';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { digest } from '#/platform/tokens.ts';
import { lockDays } from './rules.ts';
import type { AddressChangesTable } from './tables.ts';
import type { OfferedIds } from './openid/rules.ts';
import type { LinkedIdentity } from './openid/queries.ts';

/** Returns a query's result about a person. Throws `not_found` (`person`) if there is none. */
export function requirePerson<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('not_found', 'person');
  return row;
}

const actingRow = compiledOnce((db, { id }: { id: string }) =>
  db.selectFrom('profiles').select(['role', 'suspended_at']).where('id', '=', id),
);

/** Throws `unauthenticated` if suspended or in another role meanwhile. */
export async function requireActing({ db, actor }: Ctx): Promise<void> {
  if (actor.kind !== 'person') return;
  const [row] = await actingRow(db, { id: actor.id });
  // Administrators without a configured address act as clients.
  const isSame = row?.role === actor.role || (row?.role === 'super_admin' && actor.role === 'client');
  if (!isSame || row?.suspended_at) throw new AppError('unauthenticated', 'sign_in_required');
}

/** Locks an account's second factor. Throws `not_found` (`second_factor`) if it has none. */
export async function requireFactor(tx: TxCtx, userId: string): Promise<void> {
  await tx.db
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'second_factor'));
}

/** Locks a person's token, or the site's for null. Throws `not_found` (`api_token`) for any other. */
export async function requireApiToken(
  tx: TxCtx,
  owner: string | null,
  tokenId: string,
): Promise<{ id: string }> {
  return tx.db
    .selectFrom('api_tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('user_id', owner === null ? 'is' : '=', owner)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'api_token'));
}

/** Locks a person's own session. Throws `not_found` (`device`) for any other. */
export async function requireOwnSession(
  tx: TxCtx,
  personId: string,
  sessionId: string,
): Promise<{ id: string; device_id: string | null }> {
  return tx.db
    .selectFrom('sessions')
    .select(['id', 'device_id'])
    .where('id', '=', sessionId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'device'));
}

export type Change = Selectable<AddressChangesTable>;

/** Returns an email change by its link token. Throws `not_found` (`address_change`) for unknown and expired ones. */
export async function requireChange({ db, now }: Ctx, token: string): Promise<Change> {
  const over = now().subtract({ hours: 24 * lockDays });
  return db
    .selectFrom('address_changes')
    .selectAll()
    .where('token', '=', digest(token))
    .where('changed_at', '>', new Date(over.epochMilliseconds))
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'address_change'));
}

/** Locks the account, then rereads the change: of two concurrent clicks, the second finds nothing. */
export async function requireLockedChange(tx: TxCtx, token: string): Promise<Change> {
  const { user_id } = await requireChange(tx, token);
  for (const table of ['profiles', 'users'] as const)
    await tx.db.selectFrom(table).where('id', '=', user_id).select('id').forNoKeyUpdate().execute();
  return requireChange(tx, token);
}

/** Throws `not_found` (`no_such_route`) where the site offers no wallets. */
export function requireWallets({ walletSignIn }: OfferedIds): void {
  if (!walletSignIn) throw new AppError('not_found', 'no_such_route');
}

/** Locks a person's own linked identity. Throws `not_found` (`identity`) for any other. */
export async function requireOwnIdentity(
  tx: TxCtx,
  personId: string,
  identityId: string,
): Promise<LinkedIdentity> {
  return tx.db
    .selectFrom('linked_identities')
    .selectAll()
    .where('id', '=', identityId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'identity'));
}
