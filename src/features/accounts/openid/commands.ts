import { createHmac, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import type { Selectable } from 'kysely';
import * as openid from 'openid-client';
import { emailAddress, personName } from '#/features/access/contract.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { AppError, Outage, type ErrorCode } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { boundedFetch, NoAnswer } from '#/platform/http/bounded-fetch.ts';
import type { OpenIdProvider } from '#/platform/openid-providers.ts';
import { digest, digestHex } from '#/platform/tokens.ts';
import { requireProvider } from './policies.ts';
import type { LinkedIdentity } from './queries.ts';
import { isOfDomains, requestMinutes, type OfferedIds, type Purpose } from './rules.ts';
import type { OpenidRequestsTable } from './tables.ts';

/** A provider's claims about a person, from a token that it signed for this request. */
export interface Proof {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
}

/** A provider of any protocol. */
export interface SignInProvider {
  id: string;
  label: string;
  /** If any, only addresses of these domains. */
  domains: readonly string[];
  /** Returns its page to send the browser to. Throws unavailable `provider_down`. */
  askAt(state: string): Promise<string>;
  /**
   * Checks its answer to the request of this state. Throws precondition `provider_canceled`, unauthenticated
   * `provider_refused`, unavailable `provider_down`.
   */
  prove(state: string, answer: string, now: Temporal.Instant): Promise<Proof>;
}

export interface Offered extends OfferedIds {
  providers: readonly SignInProvider[];
}

export type OpenIdClient = ReturnType<typeof openIdClient>;

/** Milliseconds that a provider's metadata are used before they're read again. */
const metadataLasts = 3_600_000;
/** Milliseconds before an unreachable provider is asked again. */
const failureLasts = 5_000;
/** Milliseconds for an answer. */
const timeout = 5_000;
/** Ten times the largest key sets. */
const maxBytes = 256 * 1024;
/** Seconds that a provider's clock may be off. */
const clockTolerance = 30;
/** Never a shared secret, which the public key could pass for. */
const publicKeyAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

/**
 * Talks to the configured providers: authorization code with PKCE (RFC 7636), state and nonce. The nonce and the PKCE
 * verifier are derived from the state, so that the database holds neither.
 */
export function openIdClient({
  providers,
  appUrl,
  secret,
}: {
  providers: readonly OpenIdProvider[];
  appUrl: string;
  secret: string;
}) {
  const known = new Map<string, { until: number; metadata: Promise<openid.Configuration> }>();
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  const derived = (what: string, state: string) =>
    createHmac('sha256', secret).update(`openid ${what} ${state}`).digest('base64url');
  const returnAddress = ({ id }: OpenIdProvider) => `${appUrl}/continue/${id}`;

  function configurationOf(provider: OpenIdProvider): Promise<openid.Configuration> {
    const kept = known.get(provider.id);
    if (kept && performance.now() < kept.until) return kept.metadata;
    const metadata = discover(provider);
    const entry = { until: performance.now() + metadataLasts, metadata };
    known.set(provider.id, entry);
    metadata.catch(() => (entry.until = performance.now() + failureLasts));
    return metadata;
  }

  async function askAt(provider: OpenIdProvider, state: string): Promise<string> {
    const configuration = await configurationOf(provider);
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: returnAddress(provider),
      scope: 'openid email profile',
      state,
      nonce: derived('nonce', state),
      code_challenge: digest(derived('verifier', state)),
      code_challenge_method: 'S256',
    });
    return address.href;
  }

  /** Exchanges the code that the browser came back with. `answer` is the query. */
  async function prove(provider: OpenIdProvider, state: string, answer: string): Promise<Proof> {
    const configuration = await configurationOf(provider);
    try {
      const tokens = await openid.authorizationCodeGrant(
        configuration,
        new URL(`?${answer.replace(/^\?/, '')}`, returnAddress(provider)),
        {
          expectedState: state,
          expectedNonce: derived('nonce', state),
          pkceCodeVerifier: derived('verifier', state),
          idTokenExpected: true,
        },
      );
      const { iss: issuer, sub: subject, ...rest } = tokens.claims()!;
      const claims: Readonly<Record<string, unknown>> = rest;
      // By default, providers may leave the address to this endpoint (OpenID Connect Core, section 5.4).
      const { email, email_verified, name } =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await openid.fetchUserInfo(configuration, tokens.access_token, subject)
          : claims;
      return proofOf(provider, { issuer, subject, email, email_verified, name });
    } catch (error) {
      throw refusalOf(provider, error);
    }
  }

  /**
   * Reads an ID token that a program got for one of its own client ids. `nonce` is what the program hashed into it. Throws
   * unauthenticated `provider_refused`, unavailable `provider_down`.
   */
  async function readIdToken(provider: OpenIdProvider, token: string, nonce: string): Promise<Proof> {
    const { issuer, jwks_uri: keysAt } = (await configurationOf(provider)).serverMetadata();
    const keyed = `${provider.id} ${keysAt}`;
    const keys = keySets.get(keyed) ?? keySetOf(provider, keysAt);
    keySets.set(keyed, keys);
    const clientIds = [...provider.programClientIds];
    try {
      const { payload } = await jwtVerify<Record<string, unknown>>(token, keys, {
        algorithms: [...publicKeyAlgorithms],
        issuer,
        audience: clientIds,
        requiredClaims: ['sub', 'exp', 'nonce'],
        maxTokenAge: requestMinutes * 60,
        clockTolerance,
      });
      const { sub, aud, azp = aud, nonce: hashed, email, email_verified, name } = payload;
      // Meant for other parties too (OpenID Connect Core, section 3.1.3.7), or with another request's nonce.
      if (
        [aud, azp].flat().some((party) => !clientIds.includes(String(party))) ||
        hashed !== digestHex(nonce)
      )
        throw refusedBy(provider, 'unauthenticated', 'provider_refused');
      return proofOf(provider, { issuer, subject: sub!, email, email_verified, name });
    } catch (error) {
      if (noAnswerIn(error)) throw outage(provider, error);
      if (!(error instanceof errors.JOSEError)) throw error;
      throw refusedBy(provider, 'unauthenticated', 'provider_refused');
    }
  }

  return {
    providers: providers.map((provider) => ({
      ...provider,
      askAt: (state: string) => askAt(provider, state),
      prove: (state: string, answer: string) => prove(provider, state, answer),
    })),
    readIdToken,
  };
}

function keySetOf({ issuer }: OpenIdProvider, address = ''): ReturnType<typeof createRemoteJWKSet> {
  return createRemoteJWKSet(new URL(address), {
    [customFetch]: boundedFetch({ timeout, maxBytes, loopback: issuer.startsWith('http:') }),
  });
}

function proofOf(
  provider: OpenIdProvider,
  claims: { issuer: string; subject: string; email?: unknown; email_verified?: unknown; name?: unknown },
): Proof {
  // All people without one, or with lone surrogates, would share an account.
  if (!/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(claims.subject))
    throw refusedBy(provider, 'unauthenticated', 'provider_refused');
  return {
    issuer: claims.issuer,
    subject: claims.subject,
    email: emailAddress.safeParse(claims.email).data ?? null,
    emailVerified: claims.email_verified === true,
    name: personName.safeParse(claims.name).data ?? null,
  };
}

async function discover(provider: OpenIdProvider): Promise<openid.Configuration> {
  const issuer = new URL(provider.issuer);
  const loopback = issuer.protocol === 'http:';
  try {
    return await openid.discovery(issuer, provider.clientId, undefined, clientAuthentication(provider), {
      [openid.customFetch]: boundedFetch({ timeout, maxBytes, loopback }),
      // Without this, the library trusts TLS to the token endpoint and doesn't check the signature.
      // oxlint-disable-next-line typescript/no-deprecated -- only for a demo's provider on this machine
      execute: [openid.enableNonRepudiationChecks, ...(loopback ? [openid.allowInsecureRequests] : [])],
    });
  } catch (error) {
    throw outage(provider, error);
  }
}

/**
 * Sends the secret in the form if the provider supports it, since many misread the header (RFC 6749, section 2.3.1).
 */
function clientAuthentication({ clientSecret }: OpenIdProvider): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const takesForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    (takesForm ? post : basic)(server, ...rest);
  };
}

function refusalOf(provider: OpenIdProvider, error: unknown): unknown {
  if (noAnswerIn(error)) return outage(provider, error);
  if (error instanceof openid.AuthorizationResponseError) {
    if (error.error === 'access_denied') return refusedBy(provider, 'precondition', 'provider_canceled');
    return ['server_error', 'temporarily_unavailable'].includes(error.error)
      ? outage(provider, error)
      : refusedBy(provider, 'unauthenticated', 'provider_refused');
  }
  // A wrong client id or secret.
  if (error instanceof openid.WWWAuthenticateChallengeError) return outage(provider, error);
  if (error instanceof openid.ResponseBodyError)
    return ['invalid_client', 'unauthorized_client'].includes(error.error)
      ? outage(provider, error)
      : refusedBy(provider, 'unauthenticated', 'provider_refused');
  return error instanceof openid.ClientError
    ? refusedBy(provider, 'unauthenticated', 'provider_refused')
    : error;
}

/** The provider's name, for the error text. */
export function refusedBy({ label }: { label: string }, code: ErrorCode, reason: string): AppError {
  return new AppError(code, reason, { data: { label } });
}

/** For the log, without the provider's response, which may contain tokens. */
function outage({ id }: OpenIdProvider, error: unknown): Outage {
  const down = new Outage('unavailable', 'provider_down');
  const { message } = noAnswerIn(error) ?? (error as Error);
  const code = error instanceof openid.ResponseBodyError ? ` (${error.error})` : '';
  down.message = `the sign-in provider ${id} can’t be used: ${message}${code}`;
  return down;
}

function noAnswerIn(error: unknown): NoAnswer | null {
  if (error instanceof NoAnswer) return error;
  return error instanceof Error ? noAnswerIn(error.cause) : null;
}

/** Binds a request to a purpose and a browser: `secret` is its cookie when signing in, otherwise the session's id. */
export interface Holder {
  purpose: Purpose;
  secret: string;
}

export type OpenIdRequest = Selectable<OpenidRequestsTable>;

export function newState(purpose: Purpose): string {
  return `${purpose}.${randomBytes(24).toString('base64url')}`;
}

/** Lets only `holder` return from the provider with this state. */
export async function awaitAnswer(
  { db, now }: Ctx,
  holder: Holder,
  request: { state: string; provider: string; next: string; signInId?: string | undefined },
): Promise<void> {
  const { state, provider, next, signInId = null } = request;
  await db
    .insertInto('openid_requests')
    .values({
      state: digest(state),
      holder: holderDigest(holder),
      provider,
      next,
      sign_in_id: signInId,
      expires_at: new Date(now().add({ minutes: requestMinutes }).epochMilliseconds),
    })
    .execute();
}

/** Returns the state in the query of a provider's redirect. */
export function stateIn(answer: string): string {
  return new URLSearchParams(answer).get('state') ?? '';
}

/** Throws precondition `provider_expired`: also for another holder's or provider's request. */
export async function requireRequest(
  { db, now }: Ctx,
  holder: Holder,
  { state, provider }: { state: string; provider: string },
): Promise<OpenIdRequest> {
  return db
    .selectFrom('openid_requests')
    .selectAll()
    .where('state', '=', digest(state))
    .where('holder', '=', holderDigest(holder))
    .where('provider', '=', provider)
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'provider_expired'));
}

/**
 * Exchanges the answer to a request, once: right or wrong, it's used up. Throws precondition `provider_expired`, and like
 * `SignInProvider.prove`.
 */
export async function consumeAnswer(
  ctx: Ctx,
  offered: Offered,
  request: OpenIdRequest,
  answer: string,
): Promise<Proof> {
  await consumeRequest(ctx, request);
  const provider = requireProvider(offered, request.provider);
  const { response, state } = request;
  const posted = response === null ? answer : ctx.keyring.open(response, boundTo(state));
  return provider.prove(stateIn(answer), posted, ctx.now());
}

/** Uses a request up. Throws precondition `provider_expired` the second time. */
export async function consumeRequest({ db, now }: Ctx, { state }: OpenIdRequest): Promise<void> {
  await db
    .updateTable('openid_requests')
    .set({ answered_at: new Date(now().epochMilliseconds), response: null })
    .where('state', '=', state)
    .where('answered_at', 'is', null)
    .returning('state')
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'provider_expired'));
}

/** Encrypts a provider's post for the asking browser. */
export async function storeResponse(
  { db, now, keyring }: Ctx,
  { state, provider, response }: { state: string; provider: string; response: string },
): Promise<void> {
  await db
    .updateTable('openid_requests')
    .set({ response: keyring.seal(response, boundTo(digest(state))) })
    .where('state', '=', digest(state))
    .where('provider', '=', provider)
    .where('answered_at', 'is', null)
    .where('response', 'is', null)
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .execute();
}

/** Stores a proof for the second step. */
export async function storeProof({ db }: Ctx, { state }: OpenIdRequest, proof: Proof): Promise<void> {
  const { issuer, subject, email, emailVerified, name } = proof;
  await db
    .updateTable('openid_requests')
    .set({ issuer, subject, email, email_verified: emailVerified, name })
    .where('state', '=', state)
    .execute();
}

export function proofIn(request: OpenIdRequest): Proof | null {
  const { issuer, subject, email, email_verified: emailVerified, name } = request;
  return issuer !== null && subject !== null ? { issuer, subject, email, emailVerified, name } : null;
}

/** Consumes a proven request; false if it was already used. */
export async function consumeProof({ db }: TxCtx, { state }: OpenIdRequest): Promise<boolean> {
  const taken = await db
    .deleteFrom('openid_requests')
    .where('state', '=', state)
    .where('subject', 'is not', null)
    .returning('state')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Uses up a provider's proof for a program's sign-in; undefined if already used or not yet answered. */
export async function consumeProofFor({ db }: TxCtx, signInId: string): Promise<OpenIdRequest | undefined> {
  return db
    .deleteFrom('openid_requests')
    .where('sign_in_id', '=', signInId)
    .where('subject', 'is not', null)
    .returningAll()
    .executeTakeFirst();
}

/** Throws forbidden `provider_domain` unless the provider may vouch for the proven address. */
export function requireDomain(
  provider: { label: string; domains: readonly string[] },
  { email, emailVerified }: Proof,
): void {
  if (!isOfDomains(emailVerified ? email : null, provider.domains))
    throw refusedBy(provider, 'forbidden', 'provider_domain');
}

/** Uses up the nonce of an ID token that a program got. Throws precondition `provider_expired` if it was used before. */
export async function useNonce({ db, now }: TxCtx, { issuer }: Proof, nonce: string): Promise<void> {
  await db
    .insertInto('openid_requests')
    .values({
      state: digest(`${issuer} ${nonce}`),
      holder: '',
      provider: '',
      next: '',
      answered_at: new Date(now().epochMilliseconds),
      // Longer than any token with it works.
      expires_at: new Date(now().add({ minutes: 2 * requestMinutes }).epochMilliseconds),
    })
    .onConflict((on) => on.doNothing())
    .returning('state')
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'provider_expired'));
}

export async function deleteExpiredRequests({ db, now }: Ctx): Promise<void> {
  await db
    .deleteFrom('openid_requests')
    .where('expires_at', '<=', new Date(now().epochMilliseconds))
    .execute();
}

/** Links an identity to an account. Undefined if it's linked, or the account to another identity of its issuer. */
export async function addIdentity(
  { db, newId, now }: TxCtx,
  {
    userId,
    provider,
    proof,
    usedAt,
  }: { userId: string; provider: string; proof: Proof; usedAt: Date | null },
): Promise<LinkedIdentity | undefined> {
  const { issuer, subject, email } = proof;
  return db
    .insertInto('linked_identities')
    .values({
      id: newId(),
      user_id: userId,
      provider,
      issuer,
      subject,
      email,
      created_at: new Date(now().epochMilliseconds),
      used_at: usedAt,
    })
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Disconnects all identities of an account. */
export async function deleteIdentities(tx: TxCtx, userId: string): Promise<void> {
  const dropped = await tx.db
    .deleteFrom('linked_identities')
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  if (dropped.length > 0)
    await recordDone(tx, {
      action: 'identity_disconnected',
      subject: { kind: 'person', id: userId },
      details: { identities: dropped.length },
    });
}

/** Names the row by its hashed state. */
function boundTo(state: string): string {
  return `openid_requests.response:${state}`;
}

function holderDigest({ purpose, secret }: Holder): string {
  return digest(`openid ${purpose}:${secret}`);
}
