import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import { AppError, Outage } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import type { Config } from '#/platform/config.ts';
import { digest } from '#/platform/tokens.ts';
import { createAccount, lockAccount } from '../commands.ts';
import {
  callLibrary,
  deviceOf,
  setBrowserCookie,
  retryOnce,
  secureName,
  type EndpointCall,
  type EndpointInput,
  type IdentityServer,
} from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import {
  addIdentity,
  awaitAnswer,
  storeProof,
  newState,
  openIdClient,
  proofIn,
  refusedBy,
  requireDomain,
  requireRequest,
  stateIn,
  consumeAnswer,
  consumeProof,
  type Holder,
  type OpenIdRequest,
  type Proof,
  type SignInProvider,
} from '../openid/commands.ts';
import { requireProvider } from '../openid/policies.ts';
import { findIdentity } from '../openid/queries.ts';
import { requestMinutes, type Purpose } from '../openid/rules.ts';
import { proveSecondPasskey } from '../passkey-sign-in/commands.ts';
import { findSignInAccount, personOf } from '../queries.ts';
import { isDeleted, isUnclaimed, nameFromAddress, safeReturnPath } from '../rules.ts';
import { cookieValue } from '../session/commands.ts';
import { samlSignIn } from '../saml/commands.ts';
import { answerRefusal } from '../sign-in/commands.ts';
import { allowances } from '../tries/rules.ts';
import { awaitReturn, issueCode } from '../waiting-sign-ins/commands.ts';

/** Reads the configured providers, by protocol and all in the order shown. */
export function signInProviders(
  config: Pick<Config, 'openIdProviders' | 'samlProviders' | 'walletSignIn' | 'appUrl' | 'authSecret'>,
): Pick<IdentityServer, 'openId' | 'saml' | 'providers' | 'walletSignIn'> {
  const site = { appUrl: config.appUrl, secret: config.authSecret };
  const openId = openIdClient({ providers: config.openIdProviders, ...site });
  const saml = config.samlProviders.map((provider) => samlSignIn(provider, site));
  return { openId, saml, providers: [...openId.providers, ...saml], walletSignIn: config.walletSignIn };
}

type ProviderInput = EndpointInput<'/sign-in/provider'>;

/**
 * Sends this browser to a provider. Throws not_found `provider`, unavailable `provider_down`, rate_limited
 * `too_many_tries`.
 */
export async function requestProvider(
  call: EndpointCall,
  { provider: id, next }: EndpointInput<'/request-provider'>,
): Promise<IdentityAnswer> {
  const { ctx } = call;
  const { state, continueAt } = await askProvider(call, id, 'sign_in');
  const expiresAt = ctx.now().add({ minutes: requestMinutes });
  const signInId = await awaitReturn(ctx, call.returnTo, { method: 'oauth', expiresAt });
  await awaitBrowser(call, { state, provider: id, next: safeReturnPath(next), signInId });
  return { signedIn: false, continueAt };
}

/** Returns a provider's page, and the state to come back with. Throws like `requestProvider`. */
export async function askProvider(
  { ctx, server }: EndpointCall,
  id: string,
  purpose: Purpose,
): Promise<{ state: string; continueAt: string }> {
  const provider = requireProvider(server, id);
  const networkKey = server.tries.keyOf('providers asked at', networkOf(ctx.address ?? ''));
  await server.tries.limit(ctx, networkKey, allowances.challenges);
  const state = newState(purpose);
  return { state, continueAt: await provider.askAt(state) };
}

/** Lets only this browser answer a request, by a cookie. */
export async function awaitBrowser(
  call: EndpointCall,
  request: Parameters<typeof awaitAnswer>[2],
  purpose: Purpose = 'sign_in',
): Promise<void> {
  const secret = randomBytes(24).toString('base64url');
  await awaitAnswer(call.ctx, { purpose, secret }, request);
  setBrowserCookie(call, cookieName(request.state), secret, requestMinutes * 60);
}

/**
 * Signs in with the provider's answer to this browser, or creates an account for a verified address that has none. An
 * account that exists is never linked here. Throws precondition `provider_expired` or `provider_canceled`,
 * unauthenticated `provider_refused`, unavailable `provider_down`, forbidden `provider_address_unverified`,
 * `provider_domain` or `provider_password_first`, conflict `provider_account_exists`, and what signing in with a
 * password throws.
 */
export async function signInByProvider(call: EndpointCall, input: ProviderInput): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const provider = requireProvider(server, input.provider);
  return answerRequest(call, {
    provider,
    state: stateIn(input.answer),
    prove: (request) => consumeAnswer(ctx, server, request, input.answer),
    ownerOf: (tx, proof) => ownerOf(tx, call, provider, proof),
    input,
  });
}

/** How this browser answers a request. `prove` uses it up. */
interface ProviderProof {
  provider: Pick<SignInProvider, 'id' | 'label'>;
  state: string;
  prove: (request: OpenIdRequest) => Promise<Proof>;
  ownerOf: (tx: TxCtx, proof: Proof) => Promise<Owner>;
  input: Pick<ProviderInput, 'code' | 'passkey'>;
}

/** Signs in a linked identity's account. */
export function answerRequest(call: EndpointCall, way: ProviderProof): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const { provider, state } = way;
  return server.tries.countedByNetwork(ctx, 'providers', async (networkKey) => {
    const request = await requireRequest(ctx, holderOf(call, state), { state, provider: provider.id });
    let owner: Owner;
    try {
      const proof = proofIn(request) ?? (await proveOnce(ctx, request, way));
      owner = await retryOnce(() => transact(ctx, (tx) => way.ownerOf(tx, proof)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await recordRefused(ctx, {
        action: 'signed_in',
        details: { reason: error.reason, provider: provider.id },
      });
      if (error instanceof Outage) throw error;
      // For another way to sign in.
      const data = { ...error.data, next: request.next };
      throw new AppError(error.code, error.reason, { data });
    }
    const entry = { ...way, request, owner };
    const entered = await (request.sign_in_id === null ? enter(call, entry) : goBack(call, entry));
    await uncountAttempt(ctx.db, networkKey);
    return entered;
  });
}

async function proveOnce(ctx: Ctx, request: OpenIdRequest, { prove }: ProviderProof): Promise<Proof> {
  const proof = await prove(request);
  await storeProof(ctx, request, proof);
  return proof;
}

export interface Owner {
  userId: string;
  identityId: string;
  email: string | null;
}

/** Returns the identity's account, or creates one. Throws like `signInByProvider`. */
export async function ownerOf(
  tx: TxCtx,
  { server }: EndpointCall,
  provider: SignInProvider,
  proof: Proof,
): Promise<Owner> {
  const { email } = proof;
  requireDomain(provider, proof);
  if (email !== null)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`address:${email}`}, 0))`.execute(tx.db);
  const known = await findIdentity(tx, proof);
  if (known) return { userId: known.user_id, identityId: known.id, email };
  if (!proof.emailVerified || email === null || isUnclaimed({ email }))
    throw refusedBy(provider, 'forbidden', 'provider_address_unverified');
  // Linking here would let the provider's address owner take over the account.
  if (await findSignInAccount(tx, { email }))
    throw refusedBy(provider, 'conflict', 'provider_account_exists');
  // An administrator's address counts only with a password that its owner chose.
  if (server.adminEmails.includes(email)) throw refusedBy(provider, 'forbidden', 'provider_password_first');
  const name = proof.name ?? nameFromAddress(email);
  const userId = await createAccount(tx, { email, name, role: 'client', emailVerified: true });
  const identity = await addIdentity(tx, { userId, provider: provider.id, proof, usedAt: null });
  if (!identity) throw refusedBy(provider, 'conflict', 'provider_account_exists');
  const subject = { kind: 'person', id: userId };
  await recordDone(tx, { action: 'identity_connected', subject });
  await tx.emit(tx, 'accounts.welcomed', { userId });
  return { userId, identityId: identity.id, email };
}

interface Entry extends ProviderProof {
  request: OpenIdRequest;
  owner: Owner;
}

/** Codes of the second step are counted together with those after a password. */
async function enter(call: EndpointCall, entry: Entry): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const { request, owner, state, input } = entry;
  const { email } = await personOf(ctx, owner.userId);
  const device = await deviceOf(call, { id: owner.userId });
  const secondCodes = server.tries.keyOf('code', device ?? email);
  try {
    if (input.code !== undefined) await server.tries.limit(ctx, secondCodes, allowances.passwords);
    const { isNew, backupCodes } = await transact(ctx, (tx) => openAccount({ ...call, ctx: tx }, tx, entry));
    await uncountAttempt(ctx.db, secondCodes);
    clearCookie(call, state);
    return {
      signedIn: true,
      next: request.next,
      ...(isNew ? { isNew: true } : {}),
      ...(backupCodes ? { backupCodes } : {}),
    };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return answerRefusal(call, thrown, { id: owner.userId }, []);
  }
}

/** Returns to the program that asked; the second step follows there. */
async function goBack(call: EndpointCall, entry: Entry): Promise<IdentityAnswer> {
  const { request, owner, state } = entry;
  const continueAt = await transact(call.ctx, async (tx) => {
    await consumeEntry(tx, call, entry);
    const { userId: user_id, identityId: identity_id } = owner;
    return issueCode(tx, request.sign_in_id!, { user_id, identity_id });
  });
  clearCookie(call, state);
  return { signedIn: false, continueAt };
}

/** The second step's refusal rolls this back, so the proof still works with it. */
async function openAccount(
  call: EndpointCall,
  tx: TxCtx,
  entry: Entry,
): Promise<{ isNew: boolean; backupCodes?: string[] }> {
  const {
    owner: { userId, identityId },
    input: { code, passkey },
  } = entry;
  await consumeEntry(tx, call, entry);
  const isNew = !(await wasActive(tx, userId));
  const opened = await callLibrary(
    call,
    '/sign-in/link',
    {},
    {
      userId,
      identityId,
      code,
      passkey: passkey && proveSecondPasskey(call, passkey),
      tellsOfNewDevice: !call.server.demo && !isNew,
    },
  );
  return { isNew, ...opened };
}

async function wasActive({ db }: TxCtx, userId: string): Promise<boolean> {
  const active = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', userId)
    .where('last_active_at', 'is not', null)
    .executeTakeFirst();
  return active !== undefined;
}

async function consumeEntry(tx: TxCtx, call: EndpointCall, entry: Entry): Promise<void> {
  // Locks in the order of `setPassword`, which removes identities.
  await lockAccount(tx, entry.owner.userId);
  await requireIdentity(tx, call, entry);
  if (!(await consumeProof(tx, entry.request))) throw new AppError('precondition', 'provider_expired');
}

/**
 * Records that an identity signs in; its account must be locked. Throws precondition `provider_expired` if it or the
 * account is gone, forbidden `provider_password_first` or `email_unverified`.
 */
export async function requireIdentity(
  tx: TxCtx,
  { server: { adminEmails, demo } }: EndpointCall,
  { provider, owner: { userId, identityId, email } }: { provider: { label: string }; owner: Owner },
): Promise<void> {
  const used = await tx.db
    .updateTable('linked_identities')
    .set({ used_at: new Date(tx.now().epochMilliseconds), ...(email === null ? {} : { email }) })
    .where('id', '=', identityId)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  const person = await personOf(tx, userId);
  if (!used || isDeleted(person, tx.now())) throw new AppError('precondition', 'provider_expired');
  if (!person.hasPassword && adminEmails.includes(person.email))
    throw refusedBy(provider, 'forbidden', 'provider_password_first');
  if (!person.emailVerified && !demo) throw new AppError('forbidden', 'email_unverified');
}

export function holderOf(
  { server, request }: EndpointCall,
  state: string,
  purpose: Purpose = 'sign_in',
): Holder {
  const name = secureName(server, cookieName(state));
  return { purpose, secret: cookieValue(request.headers.get('cookie'), name) ?? '' };
}

/** Ends what `awaitBrowser` gave this browser. */
export function clearCookie(call: EndpointCall, state: string): void {
  setBrowserCookie(call, cookieName(state), '', 0);
}

/** One cookie per request, so tabs don't collide and a known cookie binds nothing else. */
function cookieName(state: string): string {
  return `provider.${digest(state).slice(0, 12)}`;
}
