import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { ApiTokenView } from './contract.ts';
import type { ApiTokensTable } from '../tables.ts';

/** A person's tokens, oldest first, without expired ones. */
export async function apiTokensOf(ctx: Ctx, personId: string): Promise<ApiTokenView[]> {
  return (await tokenRows(ctx, personId)).map(apiTokenView);
}

/** A person's tokens, or the site's for null: oldest first, without expired ones. */
export async function tokenRows(
  { db, now }: Ctx,
  owner: string | null,
): Promise<Selectable<ApiTokensTable>[]> {
  return db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', owner === null ? 'is' : '=', owner)
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function apiTokenView(row: Selectable<ApiTokensTable>): ApiTokenView {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
  };
}

export type FoundToken = NonNullable<Awaited<ReturnType<typeof findApiToken>>>;

/**
 * Returns a token that hasn't expired, with its person's present role, if it has a person; undefined for a suspended
 * account's.
 */
export function findApiToken({ db, now }: Ctx, token: string) {
  return db
    .selectFrom('api_tokens as t')
    .leftJoin('profiles', 'profiles.id', 't.user_id')
    .leftJoin('users', 'users.id', 't.user_id')
    .where('t.token', '=', digest(token))
    .where('t.expires_at', '>', new Date(now().epochMilliseconds))
    .where('suspended_at', 'is', null)
    .select(['t.id', 't.user_id', 't.scopes', 't.role as createdAs', 't.used_at', 'profiles.role', 'email'])
    .executeTakeFirst();
}
