import { AppError } from '#/kernel/errors.ts';
import { findSignInAccount } from '#/features/accounts/queries.ts';
import type { SignInAccount } from '#/features/accounts/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { ClientInvitation } from './contract.ts';
import { claimHours, claimState } from './rules.ts';

export interface FoundClaim {
  personId: string;
  providerId: string;
  email: string;
  /** Account with this address, if any. */
  holder: SignInAccount | null;
  /** Link creation time in epoch milliseconds. */
  made: number;
  state: ClientInvitation['state'];
}

/** Finds a record by token; throws `not_found` (`client_invitation`) for expired or used links. */
export async function requireClaim(ctx: Ctx, token: string): Promise<FoundClaim> {
  const row = await ctx.db
    .selectFrom('client_claims')
    .innerJoin('client_records', 'client_records.person_id', 'client_claims.person_id')
    .select(['client_records.person_id', 'provider_id', 'email', 'expires_at'])
    .where('token_hash', '=', digest(token))
    .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
    .executeTakeFirst();
  if (!row?.email) throw new AppError('not_found', 'client_invitation');
  const holder = await findSignInAccount(ctx, { email: row.email });
  const self = ctx.actor.kind === 'person' ? ctx.actor.id : null;
  const made = row.expires_at.getTime() - claimHours * 3_600_000;
  return {
    personId: row.person_id,
    providerId: row.provider_id,
    email: row.email,
    holder,
    made,
    state: claimState(made, holder, self),
  };
}

/** Like `requireClaim`; locks the record. */
export async function requireLockedClaim(tx: TxCtx, token: string): Promise<FoundClaim> {
  const { personId } = await requireClaim(tx, token);
  await tx.db
    .selectFrom('client_records')
    .select('person_id')
    .where('person_id', '=', personId)
    .forUpdate()
    .execute();
  // Re-read under the lock: the link or address may have changed.
  return requireClaim(tx, token);
}
