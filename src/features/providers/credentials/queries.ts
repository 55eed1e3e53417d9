import type { Ctx } from '#/platform/context.ts';
import type { OwnCredential, PublicCredential, WaitingCredential } from './contract.ts';
import type { Practice } from '../practice/policies.ts';
import { isExpired } from '../practice/rules.ts';

/** Returns a provider's approved, unexpired credentials in approval order, without numbers. */
export async function approvedCredentials(ctx: Ctx, providerId: string): Promise<PublicCredential[]> {
  const today = todayOf(ctx);
  const rows = await ctx.db
    .selectFrom('provider_credentials')
    .select(['id', 'kind', 'issuer', 'region', 'expires_on'])
    .where('provider_id', '=', providerId)
    .where('state', '=', 'approved')
    .orderBy('decided_at')
    .orderBy('id')
    .execute();
  return rows
    .filter(({ expires_on }) => !isExpired(expires_on, today))
    .map(({ expires_on, ...row }) => ({ ...row, validUntil: expires_on?.slice(0, 7) ?? null }));
}

export async function ownCredentials(ctx: Ctx, practice: Practice): Promise<OwnCredential[]> {
  return credentialsOf(ctx, practice);
}

/** Returns a provider's credentials with their numbers: approved, then pending or rejected. */
export async function credentialsOf(ctx: Ctx, providerId: string): Promise<OwnCredential[]> {
  const today = todayOf(ctx);
  const rows = await ctx.db
    .selectFrom('provider_credentials')
    .select(['id', 'kind', 'number', 'issuer', 'region', 'expires_on', 'replaces', 'state', 'reason'])
    .select('submitted_at')
    .where('provider_id', '=', providerId)
    .where('state', '!=', 'replaced')
    .orderBy(({ eb }) => eb('state', '=', 'approved'), 'desc')
    .orderBy('submitted_at')
    .orderBy('id')
    .execute();
  return rows.map(({ expires_on, submitted_at, state, ...row }) => ({
    ...row,
    // `replaced` is filtered out above.
    state: state as OwnCredential['state'],
    expiresOn: expires_on,
    expired: state === 'approved' && isExpired(expires_on, today),
    submittedAt: submitted_at.toISOString(),
  }));
}

export async function waitingCredentialCount({ db }: Ctx): Promise<{ waiting: number }> {
  return db
    .selectFrom('provider_credentials')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
}

/** Returns pending credentials, oldest first, each with the approved one it would replace. */
export async function waitingCredentials(
  { db }: Ctx,
  { offset, limit }: { offset: number; limit: number },
): Promise<WaitingCredential[]> {
  const rows = await db
    .selectFrom('provider_credentials as waiting')
    .innerJoin('providers', 'providers.id', 'waiting.provider_id')
    .innerJoin('profiles', 'profiles.id', 'waiting.provider_id')
    .leftJoin('provider_credentials as current', (join) =>
      join.onRef('current.id', '=', 'waiting.replaces').on('current.state', '=', 'approved'),
    )
    .select([
      'waiting.id',
      'waiting.kind',
      'waiting.number',
      'waiting.issuer',
      'waiting.region',
      'waiting.expires_on',
      'waiting.submitted_at',
      'providers.id as provider_id',
      'providers.slug',
      'providers.kind as provider_kind',
      'providers.title',
      'profiles.full_name',
      'current.id as current_id',
      'current.kind as current_kind',
      'current.number as current_number',
      'current.issuer as current_issuer',
      'current.region as current_region',
      'current.expires_on as current_expires_on',
    ])
    .where('waiting.state', '=', 'pending')
    .orderBy('waiting.submitted_at')
    .orderBy('waiting.id')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    number: row.number,
    issuer: row.issuer,
    region: row.region,
    expiresOn: row.expires_on,
    submittedAt: row.submitted_at.toISOString(),
    provider: {
      id: row.provider_id,
      slug: row.slug,
      name: row.full_name,
      kind: row.provider_kind,
      title: row.title,
    },
    current:
      row.current_id === null
        ? null
        : {
            id: row.current_id,
            kind: row.current_kind!,
            number: row.current_number!,
            issuer: row.current_issuer!,
            region: row.current_region!,
            expiresOn: row.current_expires_on,
          },
  }));
}

/** Returns the decision for its notification email, or undefined if deleted or no longer decided. */
export async function credentialNotice(
  { db }: Ctx,
  credentialId: string,
): Promise<{ providerId: string; state: 'approved' | 'rejected' } | undefined> {
  const row = await db
    .selectFrom('provider_credentials')
    .select(['provider_id', 'state'])
    .where('id', '=', credentialId)
    .executeTakeFirst();
  if (row?.state !== 'approved' && row?.state !== 'rejected') return undefined;
  return { providerId: row.provider_id, state: row.state };
}

function todayOf(ctx: Ctx): string {
  return ctx.now().toString().slice(0, 10);
}
