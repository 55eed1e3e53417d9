import { setTimeout as sleep } from 'node:timers/promises';
import { betterAuth } from 'better-auth/minimal';
import type { z } from 'zod';
import type { Actor } from '#/kernel/actor.ts';
import { AppError, type ErrorCode } from '#/kernel/errors.ts';
import { problemOf } from '#/kernel/problem.ts';
import { recordDone, recordRefused, type AuditedAct } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx, ProcessContext, TxCtx } from '#/platform/context.ts';
import { isLogged, sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { takeBack } from '#/platform/http/limits.ts';
import { refusalOfIssues } from '#/platform/http/validation.ts';
import type { Log } from '#/platform/log.ts';
import { confirmAddress, makeLinkToken, setPassword, signedIn, takeLinkToken } from '../commands.ts';
import { deviceCookie, deviceCookieName, knownDevice, rememberDevice } from '../known-devices/commands.ts';
import { libraryOptions } from '../library/commands.ts';
import { hashPassword as strongHash, requirePassword, verifyPassword } from '../password/commands.ts';
import { passwordFault } from '../password/rules.ts';
import { nameFromAddress, onwardPath, opensByLink } from '../rules.ts';
import { allowances } from '../tries/rules.ts';
import { personOf, requireNotHeld } from '../queries.ts';
import { actorOfToken, cookieValue } from '../session/commands.ts';
import { beginDemandedFactor } from '../second-factor/commands.ts';
import { needsSecondStep } from '../second-factor/queries.ts';
import { choosePassword, followLink, keepSignUp, resendSignUpLink } from '../sign-up/commands.ts';
import { signUpBy } from '../sign-up/queries.ts';
import { proofDays } from '../sign-up/rules.ts';
import { within, type Visit } from '../storage/commands.ts';
import { countTries } from '../tries/commands.ts';
import { identityInputs, type IdentityAnswer, type IdentityPath } from './contract.ts';
import { requireEndpoint } from './policies.ts';

/** Sign-up, sign-in, sign-out and emailed links under `/api/auth`, and request authentication. */
export interface Identity {
  handler(request: Request, from: { address: string | null; requestId: string }): Promise<Response>;
  /** Returns the session cookie's person, or a guest. */
  actorOf(headers: Headers): Promise<Actor>;
}

export interface IdentityParts {
  base: ProcessContext;
  config: Pick<Config, 'mode' | 'appUrl' | 'authSecret' | 'adminEmails' | 'rateLimitFactor'>;
  log: Log;
  /** Defaults to Argon2id; tests pass a cheaper one. */
  hashPassword?: (password: string) => Promise<string>;
}

/** `cookies` collects the library's cookies for the response. */
interface Way {
  ctx: Ctx;
  request: Request;
  cookies: string[];
}

type Input<P extends IdentityPath> = z.output<(typeof identityInputs)[P]>;
type Ways = { [P in IdentityPath]: (way: Way, input: Input<P>) => Promise<IdentityAnswer> };

/** Minimum duration of email requests, so timing doesn't reveal whether an account exists. */
const leastMilliseconds = 300;

const refusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['unauthenticated', 'wrong_credentials'],
  EMAIL_NOT_VERIFIED: ['forbidden', 'email_unverified'],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: ['conflict', 'account_exists'],
};

/** Creates the identity service on Better Auth, serving only the paths in `identityInputs`. */
export function createIdentity({ base, config, log, hashPassword = strongHash }: IdentityParts): Identity {
  const { appUrl, authSecret: secret, adminEmails, rateLimitFactor } = config;
  const demo = config.mode === 'demo';
  const secure = appUrl.startsWith('https:');
  const cookieName = `${secure ? '__Secure-' : ''}italk.session_token`;
  const auth = betterAuth(
    libraryOptions({ appUrl, secret, secure, demo, adminEmails, hashPassword, newId: base.newId }),
  );

  const contextOf = (requestId: string, address: string | null): Ctx => ({
    ...base,
    actor: { kind: 'guest' },
    requestId,
    address,
  });

  const { keyOf, allows, limit, countMail, countedAtPlace, openLink, tellOfLock, forgetLock } = countTries({
    secret,
    rateLimitFactor,
  });

  const heldToken = (request: Request, userId: string) =>
    cookieValue(request.headers.get('cookie'), deviceCookieName(userId, { secret, secure }));
  const deviceOf = async ({ ctx, request }: Way, user: { id: string } | undefined) =>
    user ? knownDevice(ctx, user.id, heldToken(request, user.id)) : null;

  /** Calls Better Auth, translating its errors. */
  const library = async (
    { ctx, request, cookies }: Way,
    path: string,
    body: object | null,
    how: Partial<Pick<Visit, 'code' | 'userId' | 'fresh' | 'tellsOfNewDevice'>> = {},
  ): Promise<{ backupCodes?: string[] }> => {
    const headers = new Headers({ origin: appUrl, 'user-agent': request.headers.get('user-agent') ?? '' });
    if (body) headers.set('content-type', 'application/json');
    // Only sign-out reads the session cookie; elsewhere it would change the library's response.
    if (path === '/sign-out') headers.set('cookie', request.headers.get('cookie') ?? '');
    const inner = new Request(`${appUrl}/api/auth${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body && JSON.stringify(body),
    });
    const visit: Visit = { ...how, ctx, deviceToken: (of) => heldToken(request, of) };
    const response = await within(visit, () => auth.handler(inner));
    if (response.ok) {
      cookies.push(...response.headers.getSetCookie());
      if (visit.device) cookies.push(deviceCookie(visit.device, { secret, secure }));
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
  const requireUnguessable = (field: string, password: string, owner: { email: string; name: string }) => {
    // The demo accepts any password.
    const reason = demo ? null : passwordFault(password, owner);
    if (reason) throw new AppError('invalid', 'fields', { fields: [{ field, reason }] });
  };

  // Anyone can sign up with another person's email and their own password. So only the originating browser, which holds
  // this proof cookie, confirms a sign-up; anyone opening the link elsewhere sets a new password.
  const proofName = `${secure ? '__Secure-' : ''}italk.sign_up`;
  const proofIn = ({ request }: Way) => cookieValue(request.headers.get('cookie'), proofName);
  const keepProof = (way: Way, proof: string) =>
    way.cookies.push(
      `${proofName}=${proof}; Max-Age=${proofDays * 86_400}; Path=/api/auth; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    );

  const userByEmail = (ctx: Ctx, email: string) =>
    ctx.db
      .selectFrom('users')
      .where('email', '=', email)
      .select(['id', 'email', 'email_verified'])
      .executeTakeFirst();

  const signUp = async (way: Way, input: Input<'/sign-up/email'>): Promise<IdentityAnswer> => {
    const { ctx } = way;
    await requireLength(ctx, 'password', input.password);
    requireUnguessable('password', input.password, input);
    const { name, email, password } = input;
    // Over the limit, skips the email instead of refusing, or strangers could lock out the owner. Links in earlier
    // emails still work for any sign-up with this address.
    const mailed = await countMail(ctx, 'sign-up', email, { atPlace: 'sign-up at' });
    if (demo) {
      await onceMore(() => library(way, '/sign-up/email', { name, email, password }));
    } else {
      const next = onwardPath(input.next);
      keepProof(
        way,
        await keepSignUp(ctx, { name, email, passwordHash: await hashPassword(password), next, mailed }),
      );
    }
    return { signedIn: demo };
  };

  /** For a correct password in the browser with a pending sign-up, replaces the error with `email_unverified`. */
  const explained = async (way: Way, error: AppError, { email, password }: Input<'/sign-in/email'>) => {
    if (error.reason !== 'wrong_credentials') return error;
    const waiting = await signUpBy(way.ctx, email, proofIn(way));
    const matches = waiting !== undefined && (await verifyPassword(waiting.password, password));
    return matches ? new AppError('forbidden', 'email_unverified') : error;
  };

  const signIn = async (way: Way, input: Input<'/sign-in/email'>): Promise<IdentityAnswer> => {
    const user = await userByEmail(way.ctx, input.email);
    const device = await deviceOf(way, user);
    // Strangers can't use up a known device's attempts.
    if (user && device) return trySignIn(way, input, { user, whose: device, counted: [] });
    return countedAtPlace(way.ctx, 'password', (place) =>
      trySignIn(way, input, { user, whose: input.email, counted: [place] }),
    );
  };

  /** Checks a password against the `whose` rate limit. Success refunds that and the `counted` keys. */
  const trySignIn = async (
    way: Way,
    input: Input<'/sign-in/email'>,
    { user, whose, counted }: { user: { id: string } | undefined; whose: string; counted: string[] },
  ): Promise<IdentityAnswer> => {
    const { ctx } = way;
    const { email, password, code } = input;
    const account = keyOf('password', whose);
    const codes = keyOf('code', whose);
    const failed: AuditedAct = {
      action: 'signed_in',
      category: 'security',
      ...(user ? { subject: { kind: 'person', id: user.id } } : {}),
    };
    try {
      if (!(await allows(ctx, account, allowances.passwords))) {
        if (whose !== email) throw new AppError('rate_limited', 'too_many_tries');
        if (user) await tellOfLock(ctx, user.id);
        throw new AppError('rate_limited', 'sign_in_locked');
      }
      // The demo creates a client for any unknown email.
      if (demo && !user) await signUp(way, { email, password, name: nameFromAddress(email) });
      if (code !== undefined) await limit(ctx, codes, allowances.passwords);
      // Demo passwords are public, so new-device emails would be constant.
      const how = { code, tellsOfNewDevice: !demo };
      const { backupCodes } =
        demo && !user ? {} : await library(way, '/sign-in/email', { email, password }, how);
      await Promise.all([account, codes, ...counted].map((key) => takeBack(ctx.db, key)));
      return { signedIn: true, ...(backupCodes ? { backupCodes } : {}) };
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      const error = await explained(way, thrown, input);
      const { reason } = error;
      const passwordWasRight = isOfSecondStep(reason) || isWrongCode(error) || reason === 'email_unverified';
      if (passwordWasRight) await Promise.all([account, ...counted].map((key) => takeBack(ctx.db, key)));
      if (user && reason === 'second_factor_required')
        return { signedIn: false, secondStep: { setUp: null } };
      if (user && reason === 'second_factor_missing')
        return { signedIn: false, secondStep: { setUp: await beginDemandedFactor(ctx, user.id) } };
      await recordRefused(ctx, {
        ...failed,
        details: { reason: isWrongCode(error) ? 'wrong_code' : reason },
      });
      // Verification is impossible while sign-in is blocked after an email change.
      if (user && reason === 'email_unverified') await requireNotHeld(ctx, user.id);
      throw error;
    }
  };

  /** Sends an email if the account exists; response and timing are identical otherwise. */
  const requestMail = async (
    way: Way,
    email: string,
    kind: string,
    ask: (tx: TxCtx, user: { id: string; email_verified: boolean } | undefined) => Promise<void>,
  ): Promise<IdentityAnswer> => {
    const { ctx } = way;
    const user = await userByEmail(ctx, email);
    const device = await deviceOf(way, user);
    // Over the limit, skips the email without refusing; links in earlier emails remain valid for the owner.
    const due = await countMail(ctx, kind, device ?? email, { atPlace: device ? null : 'mails at' });
    const work = async () => {
      if (due) await transact(ctx, (tx) => ask(tx, user));
    };
    await Promise.all([work(), sleep(leastMilliseconds)]);
    return { signedIn: false };
  };

  const actorOf = (headers: Headers): Promise<Actor> =>
    actorOfToken(contextOf('session', null), cookieValue(headers.get('cookie'), cookieName), {
      noted: !headers.has('x-idle'),
      secret,
      adminEmails,
    });

  const ways: Ways = {
    '/sign-up/email': async (way, input) => {
      const answer = await signUp(way, input);
      const user = demo && (await userByEmail(way.ctx, input.email));
      // The demo skips verification and sends a welcome instead.
      if (user) await transact(way.ctx, (tx) => tx.emit(tx, 'accounts.welcomed', { userId: user.id }));
      return answer;
    },
    '/sign-in/email': signIn,
    '/sign-in/link': (way, { token }) =>
      openLink(way.ctx, () =>
        transact(way.ctx, async (tx) => {
          const user = await personOf(tx, await takeLinkToken(tx, 'sign-in', token));
          if (!opensByLink(user) || adminEmails.includes(user.email)) return { signedIn: false };
          await confirmAddress(tx, user.id, adminEmails);
          if (await needsSecondStep(tx, user))
            return { signedIn: false, resetToken: await makeLinkToken(tx, 'reset-password', user.id) };
          await library({ ...way, ctx: tx }, '/sign-in/link', {}, { userId: user.id, fresh: true });
          return { signedIn: true };
        }),
      ),
    // Only makes this browser a known device with its own attempts; guessing gains nothing.
    '/unlock': (way, { token }) =>
      openLink(way.ctx, async () => {
        const device = await transact(way.ctx, async (tx) => {
          const userId = await takeLinkToken(tx, 'unlock', token);
          await forgetLock(tx, userId);
          await recordDone(tx, {
            action: 'sign_in_unlocked',
            category: 'security',
            subject: { kind: 'person', id: userId },
          });
          return rememberDevice(tx, userId, heldToken(way.request, userId));
        });
        way.cookies.push(deviceCookie(device, { secret, secure }));
        return { signedIn: false };
      }),
    '/sign-out': async (way) => {
      await library(way, '/sign-out', {});
      return { signedIn: false };
    },
    '/send-verification-email': (way, { email, next: path }) =>
      requestMail(way, email, 'verify', async (tx, user) => {
        const next = onwardPath(path);
        if (await resendSignUpLink(tx, { email, proof: proofIn(way), next })) return;
        if (!user || user.email_verified) return;
        await recordDone(tx, {
          action: 'verification_requested',
          category: 'security',
          subject: { kind: 'person', id: user.id },
        });
        await tx.emit(tx, 'accounts.verification_requested', { userId: user.id, next });
      }),
    '/verify-email': (way, { token }) =>
      openLink(way.ctx, () =>
        onceMore(() =>
          transact(way.ctx, async (tx) => {
            const { userId, ...otherwise } = await followLink(tx, token, proofIn(way), adminEmails);
            if (userId === null) return { signedIn: false, ...otherwise };
            if (await needsSecondStep(tx, await personOf(tx, userId))) return { signedIn: false };
            await library({ ...way, ctx: tx }, '/sign-in/link', {}, { userId });
            return { signedIn: true };
          }),
        ),
      ),
    '/request-password-reset': (way, { email, next }) =>
      requestMail(way, email, 'reset', async (tx, user) => {
        if (!user) return;
        await recordDone(tx, {
          action: 'password_reset_requested',
          category: 'security',
          subject: { kind: 'person', id: user.id },
        });
        await tx.emit(tx, 'accounts.password_reset_requested', { userId: user.id, next: onwardPath(next) });
      }),
    '/request-sign-in-link': (way, { email }) =>
      requestMail(way, email, 'sign-in', async (tx, user) => {
        if (!user) return;
        await recordDone(tx, {
          action: 'sign_in_link_requested',
          category: 'security',
          subject: { kind: 'person', id: user.id },
        });
        await tx.emit(tx, 'accounts.sign_in_link_requested', { userId: user.id });
      }),
    '/reset-password': (way, { token, newPassword, name }) =>
      openLink(way.ctx, async () => {
        await requireLength(way.ctx, 'newPassword', newPassword);
        const chosen = {
          password: await hashPassword(newPassword),
          name,
          requireGood: (owner: { email: string; name: string }) =>
            requireUnguessable('newPassword', newPassword, owner),
        };
        const email = await onceMore(() =>
          transact(way.ctx, (tx) => choosePassword(tx, token, chosen, adminEmails)),
        );
        try {
          await library(way, '/sign-in/email', { email, password: newPassword });
        } catch (error) {
          // The password is saved; two-factor accounts sign in with it separately.
          if (error instanceof AppError && isOfSecondStep(error.reason)) return { signedIn: false };
          throw error;
        }
        return { signedIn: true };
      }),
    '/change-password': async (way, { password, newPassword }) => {
      const ctx: Ctx = { ...way.ctx, actor: await actorOf(way.request.headers) };
      const { id, sessionId } = signedIn(ctx);
      await requirePassword(ctx, password);
      await requireLength(ctx, 'newPassword', newPassword);
      const { email, fullName } = await personOf(ctx, id);
      requireUnguessable('newPassword', newPassword, { email, name: fullName });
      const hash = await hashPassword(newPassword);
      await transact(ctx, async (tx) => {
        await setPassword(tx, id, hash, { exceptSession: sessionId });
        await tx.emit(tx, 'accounts.secured', { userId: id, change: 'password_set' });
      });
      return { signedIn: true };
    },
  };

  const answer = async (ctx: Ctx, request: Request): Promise<Response> => {
    const path = requireEndpoint(request.method, new URL(request.url).pathname.replace(/^\/api\/auth/, ''));
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
        if (isLogged(error)) log.error({ err: error, requestId }, 'an identity request failed');
        const problem = problemOf(error, requestId);
        return Response.json(problem, {
          status: problem.status,
          headers: { 'content-type': 'application/problem+json' },
        });
      });
      response.headers.set('cache-control', 'no-store');
      return response;
    },
    actorOf,
  };
}

/** Retries once after a unique violation: another request took the address concurrently. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23505') throw error;
    return work();
  }
}

function isOfSecondStep(reason: string): boolean {
  return reason === 'second_factor_required' || reason === 'second_factor_missing';
}

function isWrongCode(error: AppError): boolean {
  return error.fields.some(({ reason }) => reason === 'wrong_code');
}

/** Parses and validates input. Accepts only JSON, which cross-site forms can't send without preflight. */
async function inputOf(request: Request, path: IdentityPath): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw new AppError('invalid', 'malformed');
  const body: unknown = await request.json().catch(() => null);
  const parsed = identityInputs[path].safeParse(body);
  if (parsed.success) return parsed.data;
  throw refusalOfIssues(parsed.error.issues, body);
}
