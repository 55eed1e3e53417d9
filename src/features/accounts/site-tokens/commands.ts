import type { Selectable } from 'kysely';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import { recordDone, type AuditedAction } from '#/features/audit/commands.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { holderOf, storeToken, type NewToken } from '../api-tokens/commands.ts';
import { apiTokenView, tokenRows } from '../api-tokens/queries.ts';
import { maxSiteTokens, siteScopesFor } from '../api-tokens/rules.ts';
import { requireFullyFresh, signedIn } from '../commands.ts';
import { namesOf } from '../names/queries.ts';
import { requireApiToken } from '../policies.ts';
import { mayUsePrograms } from '../queries.ts';
import type { ApiTokensTable } from '../tables.ts';
import { lockPeople } from '../users/commands.ts';
import type { MadeSiteToken, SiteTokenView } from './contract.ts';

export async function siteTokens(ctx: Ctx): Promise<SiteTokenView[]> {
  authorize(ctx.actor, ['manage_settings']);
  return viewsOf(ctx, await tokenRows(ctx, null));
}

/** Throws like `createApiToken` and `lockPeople`. */
export async function createSiteToken(ctx: Ctx, wanted: NewToken): Promise<MadeSiteToken> {
  const person = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await requireFullyFresh(tx);
    // Their parallel requests would exceed the limit.
    await lockPeople(tx, person.id);
    const { row, token } = await storeToken(tx, wanted, {
      of: { user_id: null, role: null, made_by: person.id },
      offered: siteScopesFor(person.role),
      most: maxSiteTokens,
    });
    const holder = holderOf({ kind: 'site_token', ...row });
    requireOn(await mayUsePrograms(tx, holder), 'mobile_app_access');
    await noteChange(tx, row.id, {
      action: 'site_token_created',
      details: { scopes: row.scopes.join(' '), days: wanted.days },
    });
    await tx.emit(tx, 'accounts.secured', { userId: person.id, change: 'site_token_created' });
    const [view] = await viewsOf(tx, [row]);
    return { ...view!, token };
  });
}

/** Throws not_found `api_token`, and like `lockPeople`. */
export async function revokeSiteToken(ctx: Ctx, { id }: { id: string }): Promise<SiteTokenView[]> {
  const person = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await lockPeople(tx, person.id);
    const token = await requireApiToken(tx, null, id);
    await tx.db.deleteFrom('api_tokens').where('id', '=', token.id).execute();
    await noteChange(tx, token.id, { action: 'site_token_revoked' });
    return siteTokens(tx);
  });
}

async function noteChange(
  tx: TxCtx,
  id: string,
  act: Pick<AuditedAction, 'details'> & { action: 'site_token_created' | 'site_token_revoked' },
): Promise<void> {
  await recordDone(tx, { ...act, subject: { kind: 'site_token', id } });
  await publish(tx, topicsOf('manage_settings'), { type: 'accounts.site_tokens_changed', id });
}

async function viewsOf(ctx: Ctx, rows: readonly Selectable<ApiTokensTable>[]): Promise<SiteTokenView[]> {
  const makers = await namesOf(
    ctx,
    rows.flatMap((row) => row.made_by ?? []),
  );
  return rows.map((row) => {
    const maker = makers.find((one) => one.id === row.made_by);
    return { ...apiTokenView(row), madeBy: maker ? { id: maker.id, name: maker.name } : null };
  });
}
