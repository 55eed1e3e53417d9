import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { recordDone, type AuditedAction } from '#/features/audit/commands.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import type { Actor, Role, Scope } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import { lockAccount, requireFullyFresh, signedIn } from '../commands.ts';
import type { IdentityServer } from '../identity/commands.ts';
import type { Person } from '../program-sessions/commands.ts';
import { mayUsePrograms } from '../queries.ts';
import { actingRole } from '../rules.ts';
import { allowances } from '../tries/rules.ts';
import type { ApiTokenView, MadeApiToken } from './contract.ts';
import { requireApiToken } from '../policies.ts';
import type { ApiTokensTable } from '../tables.ts';
import { apiTokensOf, apiTokenView, findApiToken, tokenRows, type FoundToken } from './queries.ts';
import { maxApiTokens, scopesFor, tokenPrefix } from './rules.ts';

export async function ownApiTokens(ctx: Ctx): Promise<ApiTokenView[]> {
  return apiTokensOf(ctx, signedIn(ctx).id);
}

/** `id` repeats an earlier request. */
export interface NewToken {
  id?: string | undefined;
  name: string;
  scopes: readonly Scope[];
  days: number;
}

/**
 * Creates a token, which only this answer shows; repeated with its `id`, as after a lost answer, it replaces the token.
 * Throws precondition `full_reauthentication_required`, `scope_not_offered` or `too_many_api_tokens`, not_found
 * `feature_off`, conflict `api_token_id_taken`.
 */
export async function createApiToken(ctx: Ctx, wanted: NewToken): Promise<MadeApiToken> {
  const person = signedIn(ctx);
  return transact(ctx, async (tx) => {
    // Locked: parallel requests would exceed the limit, and a recovery of the account would miss the token.
    await lockAccount(tx, person.id);
    await requireFullyFresh(tx);
    requireOn(await mayUsePrograms(tx, person), 'mobile_app_access');
    const { row, token } = await storeToken(tx, wanted, {
      of: { user_id: person.id, role: person.role, made_by: null },
      offered: scopesFor(person.role),
      most: maxApiTokens,
    });
    await noteChange(tx, person.id, {
      action: 'api_token_created',
      details: { scopes: row.scopes.join(' '), days: wanted.days },
    });
    await tx.emit(tx, 'accounts.secured', { userId: person.id, change: 'api_token_created' });
    return { ...apiTokenView(row), token };
  });
}

/** Stores a new token's hash, instead of the same maker's earlier one with its id. Throws like `createApiToken`. */
export async function storeToken(
  tx: TxCtx,
  { id, name, scopes, days }: NewToken,
  {
    of,
    offered,
    most,
  }: {
    of: Pick<Selectable<ApiTokensTable>, 'user_id' | 'role' | 'made_by'>;
    offered: readonly Scope[];
    most: number;
  },
): Promise<{ row: Selectable<ApiTokensTable>; token: string }> {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  if (!scopes.every((scope) => offered.includes(scope)))
    throw new AppError('precondition', 'scope_not_offered');
  if (id)
    await tx.db
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .where(({ eb, and }) =>
        and([
          eb('user_id', 'is not distinct from', of.user_id),
          eb('made_by', 'is not distinct from', of.made_by),
        ]),
      )
      .execute();
  if ((await tokenRows(tx, of.user_id)).length >= most)
    throw new AppError('precondition', 'too_many_api_tokens');
  const now = tx.now();
  const row = await tx.db
    .insertInto('api_tokens')
    .values({
      ...of,
      id: id ?? tx.newId(),
      name,
      token: digest(token),
      scopes: offered.filter((scope) => scopes.includes(scope)),
      created_at: new Date(now.epochMilliseconds),
      expires_at: new Date(now.add({ hours: 24 * days }).epochMilliseconds),
      used_at: null,
    })
    .onConflict((on) => on.column('id').doNothing())
    .returningAll()
    .executeTakeFirstOrThrow(() => new AppError('conflict', 'api_token_id_taken'));
  return { row, token };
}

/** Throws not_found `api_token`. */
export async function revokeApiToken(ctx: Ctx, { id: tokenId }: { id: string }): Promise<ApiTokenView[]> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await deleteApiToken(tx, id, tokenId);
    return apiTokensOf(tx, id);
  });
}

/** Revokes a person's token, for its owner or an administrator. Throws not_found `api_token`. */
export async function deleteApiToken(
  tx: TxCtx,
  personId: string,
  tokenId: string,
  details: AuditedAction['details'] = {},
): Promise<void> {
  const token = await requireApiToken(tx, personId, tokenId);
  await tx.db.deleteFrom('api_tokens').where('id', '=', token.id).execute();
  await noteChange(tx, personId, { action: 'api_token_revoked', details });
}

/** Its owner, or itself for the site's. */
export type TokenActor = Person | SiteToken;

type SiteToken = Extract<Actor, { kind: 'site_token' }>;

/**
 * Returns whom a token acts as, within its scopes, and records its use. Throws unauthenticated `bad_token` for a token
 * that is unknown, expired, revoked, of a suspended account or from another role, without telling which, and
 * rate_limited `too_many_tries` once a network has sent too many of them.
 */
export async function actorOfApiToken(
  ctx: Ctx,
  { tries, adminEmails }: Pick<IdentityServer, 'tries' | 'adminEmails'>,
  token: string,
): Promise<TokenActor> {
  const found = await findApiToken(ctx, token);
  const actor = found && actorOf(found, adminEmails);
  if (!actor || !(await mayUsePrograms(ctx, holderOf(actor)))) {
    const network = networkOf(ctx.address ?? '');
    await tries.limit(ctx, tries.keyOf('api tokens at', network), allowances.address);
    throw new AppError('unauthenticated', 'bad_token');
  }
  await noteUse(ctx, found);
  return actor;
}

function actorOf(
  { id, user_id: owner, scopes, role, email, createdAs }: FoundToken,
  adminEmails: readonly string[],
): TokenActor | null {
  if (owner === null) return { kind: 'site_token', id, scopes };
  if (role === null || email === null) return null;
  const acting = actingRole({ role, email }, adminEmails);
  return acting === createdAs ? { kind: 'person', id: owner, role: acting, sessionId: id, scopes } : null;
}

/** Programs are on for administrators. */
export function holderOf(actor: TokenActor): { id: string; role: Role } {
  return actor.kind === 'person' ? actor : { id: actor.id, role: 'super_admin' };
}

async function noteUse(
  ctx: Ctx,
  { id, used_at: usedAt }: { id: string; used_at: Date | null },
): Promise<void> {
  const now = ctx.now();
  const minute = new Date(now.round({ smallestUnit: 'minute', roundingMode: 'floor' }).epochMilliseconds);
  if (usedAt && usedAt >= minute) return;
  await ctx.db.updateTable('api_tokens').set({ used_at: minute }).where('id', '=', id).execute();
}

async function noteChange(
  tx: TxCtx,
  userId: string,
  act: Pick<AuditedAction, 'details'> & { action: 'api_token_created' | 'api_token_revoked' },
): Promise<void> {
  await recordDone(tx, { ...act, subject: { kind: 'person', id: userId } });
  await publish(tx, [`person:${userId}`], { type: 'accounts.api_tokens_changed', id: userId });
}
