import { createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { OpenIdProvider } from '#/platform/openid-providers.ts';
import { digest } from '#/platform/tokens.ts';

/** A provider's answer for one person, valid unless changed. */
export interface Answered {
  subject?: string;
  email?: string | null;
  emailVerified?: unknown;
  name?: string;
  /** Override the token's claims. Undefined ones are left out. */
  claims?: Record<string, unknown>;
  /** Signs with no key, with another one, or with the public one as a shared secret. */
  signed?: 'none' | 'other' | 'public';
  /** Leaves the address to the userinfo endpoint. */
  byUserInfo?: boolean;
  /** Overrides the query that the browser comes back with. Null parameters are left out. */
  query?: Record<string, string | null>;
}

/** A provider on this machine that can lie. Its own `fetch`es are counted in `asked`. */
export interface TestProvider {
  config: OpenIdProvider;
  /** Visits the address that the browser was sent to. Returns the query that it comes back with. */
  visit(continueAt: string, answered?: Answered): string;
  /** Signs an ID token that a program got, with the nonce in it. */
  idToken(answered: Answered, nonce: string): string;
  asked: { discovery: number; token: number; keys: number };
  /** Replaces the answer of the token endpoint or of the metadata. */
  fails: {
    token?: (() => { status: number; body: string; location?: string }) | undefined;
    metadata?: object;
  };
  close(): Promise<void>;
}

interface Waiting {
  answered: Answered;
  asked: URLSearchParams;
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

export async function openTestProvider(more: Partial<OpenIdProvider> = {}): Promise<TestProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const codes = new Map<string, Waiting>();
  const tokens = new Map<string, Answered>();
  const asked = { discovery: 0, token: 0, keys: 0 };
  const fails: TestProvider['fails'] = {};
  const server = createServer((request, response) => {
    void respond(request, response);
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const config: OpenIdProvider = {
    id: 'church',
    label: 'Grace Church',
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'italk',
    clientSecret: 'kept-between-the-two',
    domains: [],
    programClientIds: [],
    ...more,
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status = 200, body, location } = await answerOf(request);
    response.writeHead(status, { 'content-type': 'application/json', ...(location ? { location } : {}) });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async function answerOf(
    request: IncomingMessage,
  ): Promise<{ status?: number; body: object | string; location?: string }> {
    const { issuer } = config;
    switch (request.url) {
      case '/.well-known/openid-configuration':
        asked.discovery += 1;
        return {
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            userinfo_endpoint: `${issuer}/userinfo`,
            jwks_uri: `${issuer}/keys`,
            // Promises more than is safe.
            id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
            authorization_response_iss_parameter_supported: true,
            ...fails.metadata,
          },
        };
      case '/keys':
      case '/moved-keys':
        asked.keys += 1;
        return {
          body: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
        };
      case '/token':
        asked.token += 1;
        return fails.token?.() ?? exchange(request, new URLSearchParams(await text(request)));
      case '/userinfo': {
        const answered = tokens.get(request.headers.authorization?.replace(/^Bearer /i, '') ?? '');
        return answered ? { body: claimsOf(answered) } : { status: 401, body: {} };
      }
      default:
        return { status: 404, body: {} };
    }
  }

  function exchange(request: IncomingMessage, form: URLSearchParams) {
    // Each half is form-encoded (RFC 6749, section 2.3.1).
    const given = Buffer.from(request.headers.authorization?.slice('Basic '.length) ?? '', 'base64');
    if (decodeURIComponent(given.toString()) !== `${config.clientId}:${config.clientSecret}`)
      return { status: 401, body: { error: 'invalid_client' } };
    const code = form.get('code') ?? '';
    const waiting = codes.get(code);
    codes.delete(code);
    const challenge = digest(form.get('code_verifier') ?? '');
    if (
      !waiting ||
      challenge !== waiting.asked.get('code_challenge') ||
      form.get('redirect_uri') !== waiting.asked.get('redirect_uri')
    )
      return { status: 400, body: { error: 'invalid_grant' } };
    const { answered } = waiting;
    const accessToken = randomBytes(16).toString('base64url');
    tokens.set(accessToken, answered);
    const idToken = tokenOf(answered, waiting.asked.get('nonce')!);
    return { body: { access_token: accessToken, token_type: 'Bearer', id_token: idToken } };
  }

  const claimsOf = ({ subject, email, emailVerified = true, name = 'Ruth Amsel' }: Answered) => ({
    sub: subject,
    name,
    ...(email === null ? {} : { email, email_verified: emailVerified }),
  });

  function tokenOf(answered: Answered, nonce: string): string {
    const now = Math.floor(Date.now() / 1000);
    const { sub, ...known } = claimsOf(answered);
    const payload = {
      iss: config.issuer,
      sub,
      aud: config.clientId,
      iat: now,
      exp: now + 300,
      nonce,
      ...(answered.byUserInfo ? {} : known),
      ...answered.claims,
    };
    const alg = { none: 'none', public: 'HS256', other: 'RS256' }[answered.signed ?? 'other'];
    const signed = `${encoded({ alg, kid: 'one' })}.${encoded(payload)}`;
    return `${signed}.${signatureOf(signed, answered.signed)}`;
  }

  function signatureOf(signed: string, how: Answered['signed']): string {
    if (how === 'none') return '';
    if (how === 'public')
      return createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
        .update(signed)
        .digest('base64url');
    const key: KeyObject = how === 'other' ? other : privateKey;
    return sign('sha256', Buffer.from(signed), key).toString('base64url');
  }

  let visits = 0;
  return {
    config,
    asked,
    fails,
    idToken: tokenOf,
    visit(continueAt, answered = {}) {
      const { searchParams } = new URL(continueAt);
      const code = randomBytes(16).toString('base64url');
      visits += 1;
      codes.set(code, {
        answered: { subject: `person-${visits}`, email: `person.${visits}@grace.test`, ...answered },
        asked: searchParams,
      });
      const query = { code, state: searchParams.get('state')!, iss: config.issuer, ...answered.query };
      const kept = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
      return `?${new URLSearchParams(kept).toString()}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
