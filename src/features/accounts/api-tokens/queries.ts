import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { ApiTokenView } from './contract.ts';
import type { ApiTokensTable } from '../tables.ts';

/** A person's tokens, oldest first, without expired ones. */
export async function apiTokensOf({ db, now }: Ctx, personId: string): Promise<ApiTokenView[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', personId)
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(apiTokenView);
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

/** Returns a token that hasn't expired, with its person's present role; undefined for a suspended account's. */
export function findApiToken({ db, now }: Ctx, token: string) {
  return db
    .selectFrom('api_tokens as t')
    .innerJoin('profiles', 'profiles.id', 't.user_id')
    .innerJoin('users', 'users.id', 't.user_id')
    .where('t.token', '=', digest(token))
    .where('t.expires_at', '>', new Date(now().epochMilliseconds))
    .where('suspended_at', 'is', null)
    .select(['t.id', 't.user_id', 't.scopes', 't.role as createdAs', 't.used_at', 'profiles.role', 'email'])
    .executeTakeFirst();
}
