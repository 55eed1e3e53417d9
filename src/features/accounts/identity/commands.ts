import type { betterAuth } from 'better-auth/minimal';
import type { z } from 'zod';
import type { Actor } from '#/kernel/actor.ts';
import { AppError, type ErrorCode } from '#/kernel/errors.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, ProcessContext, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { leastTime } from '#/platform/least-time.ts';
import { sessionKeyOf } from '#/platform/author-key.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Sms } from '#/platform/sms/sms.ts';
import { deviceCookie, deviceCookieName, knownDevice } from '../known-devices/commands.ts';
import type { OpenIdClient, SignInProvider } from '../openid/commands.ts';
import type { SamlSignIn } from '../saml/commands.ts';
import { passwordFault } from '../password/rules.ts';
import { longestSessionHours } from '../rules.ts';
import { digest } from '#/platform/tokens.ts';
import { actorOfToken, cookieValue, signed, signedValue } from '../session/commands.ts';
import { within, type Visit } from '../storage/commands.ts';
import type { countAttempts } from '../tries/commands.ts';
import type { identityInputs, IdentityPath, ReturnTo } from './contract.ts';

/** Shared by a process's `/api/auth` requests. */
export interface IdentityServer {
  base: ProcessContext;
  auth: Pick<ReturnType<typeof betterAuth>, 'handler'>;
  tries: ReturnType<typeof countAttempts>;
  openId: OpenIdClient;
  saml: readonly SamlSignIn[];
  /** All of them, in the order shown. */
  providers: readonly SignInProvider[];
  walletSignIn: boolean;
  programRedirects: readonly string[];
  /** Null: no texts. */
  sms: Sms | null;
  appUrl: string;
  secret: string;
  adminEmails: readonly string[];
  /** Cookies are `Secure`. */
  secure: boolean;
  demo: boolean;
}

/** One request. `cookies` collects those for its response. */
export interface EndpointCall {
  server: IdentityServer;
  ctx: Ctx;
  request: Request;
  cookies: string[];
  /** Comes from a program under `/auth/v1`, which keeps no cookies. */
  byProgram?: boolean;
  /** As in `Visit`. */
  trustsDevice?: boolean;
  /** The program's return address, if any. */
  returnTo?: ReturnTo | null;
}

export type EndpointInput<P extends IdentityPath> = z.output<(typeof identityInputs)[P]>;

const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['unauthenticated', 'wrong_credentials'],
  EMAIL_NOT_VERIFIED: ['forbidden', 'email_unverified'],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: ['conflict', 'account_exists'],
};

export function guestContext(base: ProcessContext, requestId: string, address: string | null): Ctx {
  return { ...base, actor: { kind: 'guest' }, requestId, address };
}

/** Returns the session cookie's person, or a guest. */
export function actorOfRequest(server: IdentityServer, headers: Headers): Promise<Actor> {
  const token = cookieValue(headers.get('cookie'), secureName(server, 'session_token'));
  return actorOfToken(guestContext(server.base, 'session', null), token, {
    noted: !headers.has('x-idle'),
    secret: server.secret,
    adminEmails: server.adminEmails,
  });
}

/** Returns the key that only this session's cookie makes; none for a guest or a forged cookie. */
export function sessionKeyIn(server: IdentityServer, headers: Headers): Pick<Ctx, 'sessionKey'> {
  const token = sessionTokenIn(server, headers);
  return token ? { sessionKey: sessionKeyOf(token) } : {};
}

export function sessionIn(
  server: IdentityServer,
  headers: Headers,
  send: (next: string) => void,
): Pick<Ctx, 'sessionKey' | 'sessionToken'> {
  const token = sessionTokenIn(server, headers);
  return token ? { sessionKey: sessionKeyOf(token), sessionToken: { digest: digest(token), send } } : {};
}

function sessionTokenIn(server: IdentityServer, headers: Headers): string | null {
  const cookie = cookieValue(headers.get('cookie'), secureName(server, 'session_token'));
  return cookie && signedValue(cookie, server.secret);
}

/** Writes the cookie as Better Auth does. */
export function sessionCookie(server: IdentityServer, token: string): string {
  const value = encodeURIComponent(signed(token, server.secret));
  const name = secureName(server, 'session_token');
  return `${name}=${value}; Max-Age=${longestSessionHours * 3600}; Path=/; HttpOnly; SameSite=Lax${server.secure ? '; Secure' : ''}`;
}

export function secureName({ secure }: IdentityServer, name: string): string {
  return `${secure ? '__Secure-' : ''}italk.${name}`;
}

/** Keeps a value in the browser for `seconds`, sent only to `/api/auth`. */
export function setBrowserCookie(
  { server, cookies }: EndpointCall,
  name: string,
  value: string,
  seconds: number,
): void {
  cookies.push(
    `${secureName(server, name)}=${value}; Max-Age=${seconds}; Path=/api/auth; HttpOnly; SameSite=Lax${server.secure ? '; Secure' : ''}`,
  );
}

/** Calls Better Auth, translating its errors. */
export async function callLibrary(
  { server, ctx, request, cookies, byProgram = false, trustsDevice }: EndpointCall,
  path: string,
  body: object,
  how: Partial<
    Pick<
      Visit,
      'code' | 'passkey' | 'identityId' | 'byPhone' | 'userId' | 'fresh' | 'passwordHash' | 'tellsOfNewDevice'
    >
  > = {},
): Promise<{ backupCodes?: string[] }> {
  const { appUrl, auth } = server;
  const headers = new Headers({
    origin: appUrl,
    'user-agent': request.headers.get('user-agent') ?? '',
    'content-type': 'application/json',
  });
  // Only sign-out reads the session cookie; elsewhere it would change the library's response.
  if (path === '/sign-out') headers.set('cookie', request.headers.get('cookie') ?? '');
  const inner = new Request(`${appUrl}/api/auth${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const visit: Visit = {
    ...how,
    ctx,
    byProgram,
    trustsDevice,
    formerToken: sessionTokenIn(server, request.headers),
    deviceToken: (of) => deviceTokenIn(server, request, of),
  };
  const response = await within(visit, () => auth.handler(inner));
  if (response.ok) {
    cookies.push(...response.headers.getSetCookie());
    if (visit.device) cookies.push(deviceCookie(visit.device, server));
    return visit.backupCodes ? { backupCodes: visit.backupCodes } : {};
  }
  const refused = (await response.json()) as { code: string };
  if (visit.failure) throw visit.failure;
  const refusal = refusals[refused.code];
  if (refusal) throw new AppError(...refusal);
  throw new Error(`the identity library answered ${response.status} ${refused.code}`);
}

export function deviceTokenIn(server: IdentityServer, request: Request, userId: string): string | null {
  return cookieValue(request.headers.get('cookie'), deviceCookieName(userId, server));
}

export async function deviceOf(
  { server, ctx, request }: EndpointCall,
  user: { id: string } | undefined,
): Promise<string | null> {
  return user ? knownDevice(ctx, user.id, deviceTokenIn(server, request, user.id)) : null;
}

export async function userByEmail({ db }: Ctx, email: string) {
  const [user] = await userRow(db, { email });
  return user;
}

const userRow = compiledOnce((db, { email }: { email: string }) =>
  db.selectFrom('users').where('email', '=', email).select(['id', 'email', 'email_verified']),
);

/** The setting goes down to six characters, as the demo needs; a real site stays at eight (NIST SP 800-63B, 5.1.1.1). */
export async function requireLength(
  { server, ctx }: Pick<EndpointCall, 'server' | 'ctx'>,
  field: string,
  password: string,
): Promise<void> {
  const { password_min_length: set } = await siteSettings(ctx);
  const least = server.demo ? set : Math.max(set, 8);
  if (password.length < least)
    throw new AppError('invalid', 'fields', { fields: [{ field, reason: 'too_small' }], data: { least } });
}

export function requireUnguessable(
  { demo }: IdentityServer,
  field: string,
  password: string,
  owner: { email: string; name: string },
): void {
  // The demo accepts any password.
  const reason = demo ? null : passwordFault(password, owner);
  if (reason) throw new AppError('invalid', 'fields', { fields: [{ field, reason }] });
}

/** Finds the account an email was requested for. */
export type Addressee = { id: string; email_verified: boolean } | undefined;

/** Sends an email if the account exists; response and timing are identical otherwise. */
export async function requestEmail(
  call: EndpointCall,
  email: string,
  kind: string,
  ask: (tx: TxCtx, user: Addressee) => Promise<void>,
): Promise<{ signedIn: false }> {
  const { server, ctx } = call;
  const user = await userByEmail(ctx, email);
  const device = await deviceOf(call, user);
  // Over the limit, skips the email without refusing; links in earlier emails remain valid for the owner.
  const due = await server.tries.countMail(ctx, kind, device ?? email, {
    perNetwork: device ? null : 'mails at',
    onlyAsker: !device && kind === 'sign-in code',
  });
  const work = async () => {
    if (due) await transact(ctx, (tx) => ask(tx, user));
  };
  await Promise.all([work(), leastTime.passed()]);
  return { signedIn: false };
}

/** Retries once after a unique violation: another request took the address concurrently. */
export async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return work();
  }
}

export function isOfSecondStep(reason: string): boolean {
  return reason === 'second_factor_required' || reason === 'second_factor_missing';
}
