import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { m } from '#/texts/messages.js';
import { lockAccount, requireFullyFresh, signedIn } from '../commands.ts';
import {
  addIdentity,
  awaitAnswer,
  newState,
  requireDomain,
  requireRequest,
  stateIn,
  consumeAnswer,
  type Holder,
  type Offered,
  type Proof,
  type SignInProvider,
} from '../openid/commands.ts';
import { requireProvider } from '../openid/policies.ts';
import { findIdentity, identitiesOf, type LinkedIdentity } from '../openid/queries.ts';
import { isOffered, walletProvider } from '../openid/rules.ts';
import { requireOtherWayIn } from '../passkeys/policies.ts';
import { endOpenedSessions } from '../session/commands.ts';
import { newMessage, consumeSignature } from '../wallets/commands.ts';
import { shortAddress } from '../wallets/rules.ts';
import type { IdentityView } from './contract.ts';
import { requireOwnIdentity, requireWallets } from '../policies.ts';

/** The settings page, which shows linked identities. */
const settingsPath = '/profile?tab=settings';

export async function ownIdentities(ctx: Ctx, offered: Offered): Promise<IdentityView[]> {
  return viewsOf(await identitiesOf(ctx, signedIn(ctx).id), offered);
}

/**
 * Sends this session's browser to a provider, to connect an identity there. Throws precondition
 * `full_reauthentication_required`, not_found `provider`, conflict `provider_connected`, unavailable `provider_down`.
 */
export async function beginIdentity(
  ctx: Ctx,
  offered: Offered,
  { provider: id }: { provider: string },
): Promise<{ continueAt: string }> {
  const provider = await requireConnectable(ctx, offered, id);
  const holder = holderOf(signedIn(ctx));
  const state = newState(holder.purpose);
  const continueAt = await provider.askAt(state);
  await awaitAnswer(ctx, holder, { state, provider: id, next: settingsPath });
  return { continueAt };
}

/** Throws like `beginIdentity` unless this session may connect an identity of the provider now. */
export async function requireConnectable(ctx: Ctx, offered: Offered, id: string): Promise<SignInProvider> {
  const person = signedIn(ctx);
  await requireFullyFresh(ctx);
  const provider = requireProvider(offered, id);
  if ((await identitiesOf(ctx, person.id)).some((one) => one.provider === id))
    throw new AppError('conflict', 'provider_connected');
  return provider;
}

/**
 * Connects the identity that the provider vouched for in this session's browser. Throws like `consumeAnswer`, precondition
 * `full_reauthentication_required`, not_found `provider`, forbidden `provider_domain`, conflict `identity_taken` if it signs in
 * to another account, or `provider_connected` if this account has another of its issuer.
 */
export async function connectIdentity(
  ctx: Ctx,
  offered: Offered,
  { provider: id, answer }: { provider: string; answer: string },
): Promise<IdentityView[]> {
  const person = signedIn(ctx);
  await requireFullyFresh(ctx);
  const provider = requireProvider(offered, id);
  const request = await requireRequest(ctx, holderOf(person), { state: stateIn(answer), provider: id });
  const proof = await consumeAnswer(ctx, offered, request, answer);
  requireDomain(provider, proof);
  return connect(ctx, offered, { provider: id, proof });
}

/** Throws like `connectIdentity`. Expects a checked domain. */
export async function connect(
  ctx: Ctx,
  offered: Offered,
  { provider, proof }: { provider: string; proof: Proof },
): Promise<IdentityView[]> {
  const { id: userId } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, userId);
    // A recovery of the account meanwhile ends this session.
    await requireFullyFresh(tx);
    const added = await addIdentity(tx, { userId, provider, proof, usedAt: null });
    if (!added) {
      const holder = await findIdentity(tx, proof);
      const taken = holder !== undefined && holder.user_id !== userId;
      throw new AppError('conflict', taken ? 'identity_taken' : 'provider_connected');
    }
    await noteChange(tx, userId, 'identity_connected');
    return viewsOf(await identitiesOf(tx, userId), offered);
  });
}

/**
 * Returns a message for this session's wallet to sign, to connect it. Throws precondition `full_reauthentication_required`,
 * not_found `no_such_route`, conflict `provider_connected`.
 */
export async function beginWallet(
  ctx: Ctx,
  { offered, appUrl }: { offered: Offered; appUrl: string },
  { address }: { address: string },
): Promise<{ message: string }> {
  const person = signedIn(ctx);
  requireWallets(offered);
  await requireFullyFresh(ctx);
  if ((await identitiesOf(ctx, person.id)).some(({ provider }) => provider === walletProvider))
    throw new AppError('conflict', 'provider_connected');
  const holder = holderOf(person);
  const message = await newMessage(ctx, { appUrl, purpose: holder.purpose, address });
  await awaitAnswer(ctx, holder, { state: message, provider: walletProvider, next: settingsPath });
  return { message };
}

/** Connects the wallet that signed this session's message. Throws like `proveWallet` and `connectIdentity`. */
export async function connectWallet(
  ctx: Ctx,
  offered: Offered,
  signed: { message: string; signature: string },
): Promise<IdentityView[]> {
  const person = signedIn(ctx);
  requireWallets(offered);
  await requireFullyFresh(ctx);
  const asked = { state: signed.message, provider: walletProvider };
  const request = await requireRequest(ctx, holderOf(person), asked);
  return connect(ctx, offered, {
    provider: walletProvider,
    proof: await consumeSignature(ctx, request, signed),
  });
}

/**
 * Disconnects an identity and ends the other sessions that it opened. Throws precondition `full_reauthentication_required` or
 * `last_way_in`, not_found `identity`.
 */
export async function removeIdentity(
  ctx: Ctx,
  offered: Offered,
  { id: identityId }: { id: string },
): Promise<IdentityView[]> {
  const { id } = signedIn(ctx);
  await requireFullyFresh(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    const identity = await requireOwnIdentity(tx, id, identityId);
    await requireOtherWayIn(tx, offered, { personId: id, removed: identity.id });
    await tx.db.deleteFrom('linked_identities').where('id', '=', identity.id).execute();
    await endOpenedSessions(tx, { identity_id: identity.id });
    await noteChange(tx, id, 'identity_disconnected');
    return viewsOf(await identitiesOf(tx, id), offered);
  });
}

function viewsOf(identities: readonly LinkedIdentity[], offered: Offered): IdentityView[] {
  return identities.map((identity) => ({
    id: identity.id,
    label: labelOf(identity, offered),
    provider: isOffered(offered, identity.provider) ? identity.provider : null,
    email: identity.email,
    createdAt: identity.created_at.toISOString(),
    usedAt: identity.used_at?.toISOString() ?? null,
  }));
}

function labelOf({ provider, issuer, subject }: LinkedIdentity, { providers }: Offered): string {
  if (provider === walletProvider) return m.identities_wallet({ address: shortAddress(subject) });
  return providers.find(({ id }) => id === provider)?.label ?? (URL.parse(issuer)?.hostname || issuer);
}

function holderOf({ sessionId }: { sessionId: string }) {
  return { purpose: 'connect', secret: sessionId } as const satisfies Holder;
}

async function noteChange(
  tx: TxCtx,
  userId: string,
  change: Extract<Action, 'identity_connected' | 'identity_disconnected'>,
): Promise<void> {
  await recordDone(tx, { action: change, subject: { kind: 'person', id: userId } });
  await publish(tx, [`person:${userId}`], { type: 'accounts.identities_changed', id: userId });
  await tx.emit(tx, 'accounts.secured', { userId, change });
}
