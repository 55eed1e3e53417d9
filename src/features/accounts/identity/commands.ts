import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmailVerificationToken } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import type { z } from 'zod';
import type { Actor } from '#/kernel/actor.ts';
import { AppError, type ErrorCode } from '#/kernel/errors.ts';
import { problemOf } from '#/kernel/problem.ts';
import { recordDone, recordRefused, type AuditedAct } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx, Ground, TxCtx } from '#/platform/context.ts';
import { sqlState, transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { hit, takeBack } from '#/platform/http/limits.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import type { Log } from '#/platform/log.ts';
import { confirmAddress, makeLinkToken, setPassword, useLinkToken } from '../commands.ts';
import { libraryOptions } from '../library/commands.ts';
import { hashPassword } from '../password/commands.ts';
import { allowances, nameFromAddress, onwardPath, opensByLink, type Allowance } from '../rules.ts';
import { personOf } from '../queries.ts';
import { actorOfToken, cookieValue } from '../session/commands.ts';
import { beginDemandedFactor } from '../second-factor/commands.ts';
import { needsSecondStep } from '../second-factor/queries.ts';
import { within, type Visit } from '../storage/commands.ts';
import { identityInputs, type IdentityAnswer, type IdentityPath } from './contract.ts';

/** Sign-up, sign-in, sign-out and their mailed links, over HTTP under `/api/auth`, and who a request comes from. */
export interface Identity {
  handler(request: Request, from: { address: string | null; requestId: string }): Promise<Response>;
  /** The person whose session the request's cookie names, or a guest. */
  actorOf(headers: Headers): Promise<Actor>;
}

/** What identity stands on. */
export interface IdentityParts {
  ground: Ground;
  config: Pick<Config, 'mode' | 'appUrl' | 'authSecret' | 'adminEmails' | 'rateLimitFactor'>;
  log: Log;
}

/** One request on its way through; what the library answers in cookies is passed on. */
interface Way {
  ctx: Ctx;
  request: Request;
  cookies: string[];
}

type Input<P extends IdentityPath> = z.output<(typeof identityInputs)[P]>;
type Ways = { [P in IdentityPath]: (way: Way, input: Input<P>) => Promise<IdentityAnswer> };

/** How long a request for a mail takes at least, so that its duration doesn't tell whether the account exists. */
const leastMilliseconds = 300;

/** What the library refuses, in our words. */
const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['unauthenticated', 'wrong_credentials'],
  EMAIL_NOT_VERIFIED: ['forbidden', 'email_unverified'],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: ['conflict', 'account_exists'],
};

/** Makes the identity of this installation on Better Auth; only the paths of `identityInputs` are served. */
export function createIdentity({ ground, config, log }: IdentityParts): Identity {
  const { appUrl, authSecret: secret, adminEmails, rateLimitFactor } = config;
  const demo = config.mode === 'demo';
  const secure = appUrl.startsWith('https:');
  const cookieName = `${secure ? '__Secure-' : ''}italk.session_token`;
  const auth = betterAuth(libraryOptions({ appUrl, secret, secure, demo, adminEmails, newId: ground.newId }));

  const contextOf = (requestId: string, address: string | null): Ctx => ({
    ...ground,
    actor: { kind: 'guest' },
    requestId,
    address,
  });

  /** A key to count under: what was typed and where from can't be read out of it. */
  const keyOf = (kind: string, value: string) =>
    `${kind}:${createHmac('sha256', secret).update(value).digest('base64url')}`;
  const allows = (ctx: Ctx, key: string, { tries, seconds }: Allowance) =>
    hit(ctx.db, key, tries * rateLimitFactor, seconds, ctx.now());
  const limit = async (ctx: Ctx, key: string, allowance: Allowance) => {
    if (!(await allows(ctx, key, allowance))) throw new AppError('rate_limited', 'too_many_tries');
  };

  /** Calls the library as the browser did, from our own origin; its refusals are thrown in our words. */
  const library = async (
    { ctx, request, cookies }: Way,
    path: string,
    body: object | null,
    { next = '', code, userId }: Partial<Pick<Visit, 'next' | 'code' | 'userId'>> = {},
  ): Promise<{ backupCodes?: string[] }> => {
    const headers = new Headers({ origin: appUrl, 'user-agent': request.headers.get('user-agent') ?? '' });
    if (body) headers.set('content-type', 'application/json');
    // Only signing out looks at the session; elsewhere it would change what the library answers.
    if (path === '/sign-out') headers.set('cookie', request.headers.get('cookie') ?? '');
    const inner = new Request(`${appUrl}/api/auth${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body && JSON.stringify(body),
    });
    const visit: Visit = { ctx, next: onwardPath(next), code, userId };
    const response = await within(visit, () => auth.handler(inner));
    if (response.ok) {
      cookies.push(...response.headers.getSetCookie());
      return visit.backupCodes ? { backupCodes: visit.backupCodes } : {};
    }
    const refused = (await response.json()) as { code: string };
    if (visit.failure) throw visit.failure;
    const refusal = refusals[refused.code];
    if (refusal) throw new AppError(...refusal);
    throw new Error(`the identity library answered ${response.status} ${refused.code}`);
  };

  const requireLength = async (ctx: Ctx, field: string, password: string) => {
    const { password_min_length: least } = await siteSettings(ctx);
    if (password.length < least)
      throw new AppError('invalid', 'fields', { fields: [{ field, reason: 'too_small' }], data: { least } });
  };

  // Anyone can sign up with somebody else's address and a password of their own. A mailed link therefore signs in only
  // the browser that signed up, which holds this proof; any other sets the password anew.
  const proofName = `${secure ? '__Secure-' : ''}italk.sign_up`;
  const proofOf = (email: string) =>
    createHmac('sha256', secret).update(`sign-up ${email}`).digest('base64url');
  const proofCookie = (email: string) =>
    `${proofName}=${proofOf(email)}; Max-Age=604800; Path=/api/auth; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

  const userByEmail = (ctx: Ctx, email: string) =>
    ctx.db
      .selectFrom('users')
      .where('email', '=', email)
      .select(['id', 'email', 'email_verified'])
      .executeTakeFirst();

  const signUp = async (way: Way, input: Input<'/sign-up/email'>): Promise<IdentityAnswer> => {
    const { ctx } = way;
    await requireLength(ctx, 'password', input.password);
    await limit(ctx, keyOf('sign-up at', networkOf(ctx.address ?? '')), allowances.requests);
    await limit(ctx, keyOf('sign-up', input.email), allowances.mails);
    const { name, email, password } = input;
    try {
      await library(way, '/sign-up/email', { name, email, password }, { next: input.next });
    } catch (error) {
      // Somebody else took the address in the same moment: the same answer as a moment later.
      if (sqlState(error) !== '23505') throw error;
      await library(way, '/sign-up/email', { name, email, password }, { next: input.next });
    }
    way.cookies.push(proofCookie(email));
    return { signedIn: demo };
  };

  const signIn = async (
    way: Way,
    { email, password, code }: Input<'/sign-in/email'>,
  ): Promise<IdentityAnswer> => {
    const { ctx } = way;
    const account = keyOf('password', email);
    const place = keyOf('password at', networkOf(ctx.address ?? ''));
    const codes = keyOf('code', email);
    await limit(ctx, place, allowances.address);
    const user = await userByEmail(ctx, email);
    const failed: AuditedAct = {
      action: 'signed_in',
      category: 'security',
      ...(user ? { subject: { kind: 'person', id: user.id } } : {}),
    };
    try {
      await limit(ctx, account, allowances.passwords);
      // The demo's hint is true: an address that nobody has becomes a client's.
      if (demo && !user) await signUp(way, { email, password, name: nameFromAddress(email) });
      if (code !== undefined) await limit(ctx, codes, allowances.passwords);
      const { backupCodes } =
        demo && !user ? {} : await library(way, '/sign-in/email', { email, password }, { code });
      await Promise.all([account, place, codes].map((key) => takeBack(ctx.db, key)));
      return { signedIn: true, ...(backupCodes ? { backupCodes } : {}) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { reason } = error;
      const passwordWasRight = isOfSecondStep(reason) || isWrongCode(error) || reason === 'email_unverified';
      if (passwordWasRight) await Promise.all([account, place].map((key) => takeBack(ctx.db, key)));
      if (user && reason === 'second_factor_required')
        return { signedIn: false, secondStep: { setUp: null } };
      if (user && reason === 'second_factor_missing')
        return { signedIn: false, secondStep: { setUp: await beginDemandedFactor(ctx, user.id) } };
      await recordRefused(ctx, {
        ...failed,
        details: { reason: isWrongCode(error) ? 'wrong_code' : reason },
      });
      throw error;
    }
  };

  /** Asks for a mail to an account, if there is one; the answer and its time are the same if there isn't. */
  const requestMail = async (
    { ctx }: Way,
    email: string,
    kind: string,
    ask: (tx: TxCtx, user: { id: string; email_verified: boolean }) => Promise<void>,
  ): Promise<IdentityAnswer> => {
    await limit(ctx, keyOf('mails at', networkOf(ctx.address ?? '')), allowances.requests);
    await limit(ctx, keyOf(kind, email), allowances.mails);
    const work = async () => {
      const user = await userByEmail(ctx, email);
      if (user) await transact(ctx, (tx) => ask(tx, user));
    };
    await Promise.all([work(), sleep(leastMilliseconds)]);
    return { signedIn: false };
  };

  const ways: Ways = {
    '/sign-up/email': signUp,
    '/sign-in/email': signIn,
    '/sign-in/link': async (way, { token }) => {
      await limit(way.ctx, keyOf('links at', networkOf(way.ctx.address ?? '')), allowances.address);
      return transact(way.ctx, async (tx) => {
        const user = await personOf(tx, await useLinkToken(tx, 'sign-in', token));
        if (!opensByLink(user) || adminEmails.includes(user.email)) return { signedIn: false };
        await confirmAddress(tx, user.id, adminEmails);
        if (await needsSecondStep(tx, user))
          return { signedIn: false, resetToken: await makeLinkToken(tx, 'reset-password', user.id) };
        await library({ ...way, ctx: tx }, '/sign-in/link', {}, { userId: user.id });
        return { signedIn: true };
      });
    },
    '/sign-out': async (way) => {
      await library(way, '/sign-out', {});
      return { signedIn: false };
    },
    '/send-verification-email': (way, { email, next }) =>
      requestMail(way, email, 'verify', async (tx, user) => {
        if (user.email_verified) return;
        await recordDone(tx, {
          action: 'verification_requested',
          category: 'security',
          subject: { kind: 'person', id: user.id },
        });
        await tx.emit(tx, 'accounts.verification_requested', { userId: user.id, next: onwardPath(next) });
      }),
    '/verify-email': async (way, { token }) => {
      await limit(way.ctx, keyOf('links at', networkOf(way.ctx.address ?? '')), allowances.address);
      return transact(way.ctx, async (tx) => {
        const user = await personOf(tx, await useLinkToken(tx, 'verify', token));
        if (user.emailVerified) return { signedIn: false };
        if (await needsSecondStep(tx, user)) {
          await confirmAddress(tx, user.id, adminEmails);
          return { signedIn: false };
        }
        if (cookieValue(way.request.headers.get('cookie'), proofName) !== proofOf(user.email)) {
          return { signedIn: false, resetToken: await makeLinkToken(tx, 'reset-password', user.id) };
        }
        // The library takes a token of its own kind, good for as long as this call.
        const own = await createEmailVerificationToken(secret, user.email, undefined, 60);
        await library({ ...way, ctx: tx }, `/verify-email?token=${own}`, null);
        return { signedIn: true };
      });
    },
    '/request-password-reset': (way, { email, next }) =>
      requestMail(way, email, 'reset', async (tx, user) => {
        await recordDone(tx, {
          action: 'password_reset_requested',
          category: 'security',
          subject: { kind: 'person', id: user.id },
        });
        await tx.emit(tx, 'accounts.password_reset_requested', { userId: user.id, next: onwardPath(next) });
      }),
    '/reset-password': async (way, { token, newPassword }) => {
      await limit(way.ctx, keyOf('links at', networkOf(way.ctx.address ?? '')), allowances.address);
      await requireLength(way.ctx, 'newPassword', newPassword);
      const hash = await hashPassword(newPassword);
      const email = await transact(way.ctx, async (tx) => {
        const userId = await useLinkToken(tx, 'reset-password', token);
        await setPassword(tx, userId, hash);
        // Who has the mail has the address.
        await confirmAddress(tx, userId, adminEmails);
        return (await personOf(tx, userId)).email;
      });
      try {
        await library(way, '/sign-in/email', { email, password: newPassword });
      } catch (error) {
        // The new password holds; who signs in by two steps does so with it.
        if (error instanceof AppError && isOfSecondStep(error.reason)) return { signedIn: false };
        throw error;
      }
      return { signedIn: true };
    },
  };

  const answer = async (ctx: Ctx, request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.replace(/^\/api\/auth/, '');
    if (request.method !== 'POST' || !isServed(path)) throw new AppError('not_found', 'no_such_route');
    const way: Way = { ctx, request, cookies: [] };
    const input = await inputOf(request, path);
    const body = await (ways[path] as (way: Way, input: unknown) => Promise<IdentityAnswer>)(way, input);
    const response = Response.json(body);
    for (const cookie of way.cookies) response.headers.append('set-cookie', cookie);
    return response;
  };

  return {
    handler: async (request, { address, requestId }) => {
      const ctx = contextOf(requestId, address);
      const response = await answer(ctx, request).catch((error: unknown) => {
        if (!(error instanceof AppError)) log.error({ err: error, requestId }, 'an identity request failed');
        const problem = problemOf(error, requestId);
        return Response.json(problem, {
          status: problem.status,
          headers: { 'content-type': 'application/problem+json' },
        });
      });
      response.headers.set('cache-control', 'no-store');
      return response;
    },
    actorOf: (headers) =>
      actorOfToken(contextOf('session', null), cookieValue(headers.get('cookie'), cookieName), {
        noted: !headers.has('x-idle'),
        secret,
        adminEmails,
      }),
  };
}

/** Whether a right password was refused because a code has to come with it. */
function isOfSecondStep(reason: string): boolean {
  return reason === 'second_factor_required' || reason === 'second_factor_missing';
}

function isWrongCode(error: AppError): boolean {
  return error.fields.some(({ reason }) => reason === 'wrong_code');
}

function isServed(path: string): path is IdentityPath {
  return Object.hasOwn(identityInputs, path);
}

/** Reads and checks what was sent. Only JSON is read, which a form of another site can't send unasked. */
async function inputOf(request: Request, path: IdentityPath): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new AppError('invalid', 'malformed');
  const body: unknown = await request.json().catch(() => null);
  const parsed = identityInputs[path].safeParse(body);
  if (parsed.success) return parsed.data;
  throw refusalOfIssues(parsed.error.issues, body);
}
