import { siteSettings } from '#/features/settings/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { personOf } from '../queries.ts';
import { opensByLink } from '../rules.ts';
import { identitiesOf } from '../openid/queries.ts';
import { isOffered, type OfferedIds } from '../openid/rules.ts';
import { isByPasskey, passkeysOf, type Passkey } from '../webauthn/queries.ts';

/** Locks a person's own passkey. Throws `not_found` (`passkey`) for any other. */
export async function requireOwnPasskey(tx: TxCtx, personId: string, passkeyId: string): Promise<Passkey> {
  return tx.db
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', passkeyId)
    .where('user_id', '=', personId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'passkey'));
}

/** Returns a person's own passkeys, or only those that unlock their words. Throws `not_found` (`passkey`) if none. */
export async function requireOwnPasskeys(
  ctx: Ctx,
  personId: string,
  { opensWords = false }: { opensWords?: boolean | undefined } = {},
): Promise<Passkey[]> {
  const all = await passkeysOf(ctx, personId);
  const own = opensWords ? all.filter(({ author_key }) => author_key !== null) : all;
  if (own.length === 0) throw new AppError('not_found', 'passkey');
  return own;
}

/**
 * Throws `precondition` (`last_way_in`) unless an account keeps a way to sign in that the site offers, besides the
 * removed passkey or identity: without a password, only clients can sign in by an emailed link.
 */
export async function requireOtherWayIn(
  tx: TxCtx,
  offered: OfferedIds,
  { personId, removed }: { personId: string; removed: string },
): Promise<void> {
  const person = await personOf(tx, personId);
  if (person.hasPassword || opensByLink(person)) return;
  const { passkeys } = await siteSettings(tx);
  const identities = await identitiesOf(tx, personId);
  const ways = [
    ...(passkeys ? await passkeysOf(tx, personId) : []),
    ...identities.filter(({ provider }) => isOffered(offered, provider)),
  ];
  if (ways.every(({ id }) => id === removed)) throw new AppError('precondition', 'last_way_in');
}

/** Throws `precondition` (`last_second_step`) for its last passkey. */
export async function requireSecondStepLeft(tx: TxCtx, personId: string): Promise<void> {
  if ((await passkeysOf(tx, personId)).length === 1 && (await isByPasskey(tx, personId)))
    throw new AppError('precondition', 'last_second_step');
}
