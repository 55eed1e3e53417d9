import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import { doorOf, photoPath } from '#/features/accounts/queries.ts';
import type { Door } from '#/features/accounts/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { ClientInvitation } from './contract.ts';
import { claimHours, claimState } from './rules.ts';

export interface FoundClaim {
  personId: string;
  providerId: string;
  email: string;
  /** Account with this address, if any. */
  holder: Door | null;
  /** Link creation time in epoch milliseconds. */
  made: number;
  state: ClientInvitation['state'];
}

/** Finds a record by token; throws `not_found` for expired or used links. */
async function claimOf(ctx: Ctx, token: string): Promise<FoundClaim> {
  const row = await ctx.db
    .selectFrom('client_claims')
    .innerJoin('client_records', 'client_records.person_id', 'client_claims.person_id')
    .select(['client_records.person_id', 'provider_id', 'email', 'expires_at'])
    .where('token_hash', '=', digest(token))
    .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
    .executeTakeFirst();
  if (!row?.email) throw new AppError('not_found', 'client_invitation');
  const holder = await doorOf(ctx, { email: row.email });
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

/** Locks a record until the transaction ends. */
export async function heldClaim(tx: TxCtx, token: string): Promise<FoundClaim> {
  const { personId } = await claimOf(tx, token);
  await tx.db
    .selectFrom('client_records')
    .select('person_id')
    .where('person_id', '=', personId)
    .forUpdate()
    .execute();
  // Re-read under the lock: the link or address may have changed.
  return claimOf(tx, token);
}

/** Reads an invitation; reveals the provider only to callers who can accept. */
export async function readClaim(ctx: Ctx, token: string): Promise<ClientInvitation> {
  const { personId, providerId, state } = await claimOf(ctx, token);
  if (state !== 'open') return { state, offer: null };
  const provider = await ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .select(['full_name', 'title', 'photo_id', 'providers.time_zone'])
    .where('providers.id', '=', providerId)
    .executeTakeFirstOrThrow();
  const sessions = await ctx.db
    .selectFrom('appointments')
    .select(['starts_at', 'ends_at', 'session_type'])
    .where('client_id', '=', personId)
    .where('status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', new Date(ctx.now().epochMilliseconds))
    .orderBy('starts_at')
    .execute();
  return {
    state,
    offer: {
      provider: {
        name: provider.full_name,
        title: provider.title,
        photoUrl: photoPath(provider.photo_id),
      },
      sessions: sessions.map((row) => ({
        startsAt: isoOf(row.starts_at),
        endsAt: isoOf(row.ends_at),
        timeZone: provider.time_zone,
        sessionType: row.session_type,
      })),
      signsIn: ctx.actor.kind !== 'person',
    },
  };
}
