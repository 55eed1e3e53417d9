import { betterAuth } from 'better-auth/minimal';
import type { Actor } from '#/kernel/actor.ts';
import { noteRefusal } from '#/features/audit/commands.ts';
import { AppError, isLogged } from '#/kernel/errors.ts';
import { problemOf } from '#/kernel/problem.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx, ProcessContext } from '#/platform/context.ts';
import { isMalformedInput, refusalOfIssues } from '#/platform/http/validation.ts';
import type { Log } from '#/platform/log.ts';
import { openSms } from '#/platform/sms/sms.ts';
import { requestSignInCode, requestTextedCode, signInByCode } from '../code-sign-in/commands.ts';
import {
  actorOfRequest,
  guestContext,
  sessionCookie,
  sessionIn,
  type EndpointCall,
  type EndpointInput,
  type IdentityServer,
} from '../identity/commands.ts';
import { identityInputs, type IdentityAnswer, type IdentityPath } from '../identity/contract.ts';
import { requireEndpoint } from '../identity/policies.ts';
import { libraryOptions } from '../library/commands.ts';
import {
  changePassword,
  checkResetLink,
  requestPasswordReset,
  resetPassword,
} from '../new-password/commands.ts';
import { stateIn } from '../openid/commands.ts';
import { requireProvider } from '../openid/policies.ts';
import { purposeOf } from '../openid/rules.ts';
import { requestPasskey, signInByPasskey } from '../passkey-sign-in/commands.ts';
import { answerLink } from '../program-identities/commands.ts';
import { requestProvider, signInByProvider, signInProviders } from '../provider-sign-in/commands.ts';
import { receiveResponse } from '../saml/commands.ts';
import { actorOfSession } from '../session/commands.ts';
import { returnToProgram } from '../program-returns/commands.ts';
import { answerProgram } from '../programs/commands.ts';
import { callerOf, type ProgramCaller } from '../program-caller/commands.ts';
import {
  requestSignInLink,
  signInByLink,
  signInByPassword,
  signOut,
  unlockSignIn,
} from '../sign-in/commands.ts';
import { resendVerification, signUpAndWelcome, verifyEmail } from '../sign-up/commands.ts';
import { countAttempts } from '../tries/commands.ts';
import { requestWallet, signInByWallet } from '../wallet-sign-in/commands.ts';

/** Sign-up, sign-in, sign-out and emailed links under `/api/auth`, the same for programs, and request authentication. */
export interface Identity {
  handler(request: Request, from: { address: string | null; requestId: string }): Promise<Response>;
  /** Answers other programs under `/auth/v1`. Throws not_found `no_such_route`. */
  programs(request: Request, from: Parameters<typeof answerProgram>[3]): Promise<Response>;
  /** Returns our metadata for a SAML provider's administrator. Throws not_found `provider`. */
  samlMetadata(id: string): Promise<string>;
  /** Answers a browser that a SAML provider sent. Throws like `receiveResponse`. */
  receiveSaml(
    posted: { id: string; form: string },
    from: { address: string | null; requestId: string },
  ): Promise<Response>;
  /** Returns the session cookie's person, or a guest. */
  actorOf(headers: Headers): Promise<Actor>;
  /** Returns the session's person while it lasts, even if its token changed; otherwise a guest. */
  actorOfSession(sessionId: string): Promise<Actor>;
  /** Returns the access token's person. */
  callerOf(headers: Headers, address: string | null): Promise<ProgramCaller>;
  /** Returns what opens the person's words, if their session is unlocked, and its token, which `send` replaces. */
  sessionOf(headers: Headers, send: (next: string) => void): Pick<Ctx, 'sessionKey' | 'sessionToken'>;
  /** A session's cookie with a new token. */
  sessionCookie(token: string): string;
}

export interface IdentityParts {
  base: ProcessContext;
  config: Pick<
    Config,
    | 'mode'
    | 'appUrl'
    | 'authSecret'
    | 'adminEmails'
    | 'openIdProviders'
    | 'samlProviders'
    | 'programRedirects'
    | 'walletSignIn'
    | 'sms'
    | 'rateLimitFactor'
  >;
  log: Log;
}

const endpoints: {
  [P in IdentityPath]: (call: EndpointCall, input: EndpointInput<P>) => Promise<IdentityAnswer>;
} = {
  '/sign-up/email': signUpAndWelcome,
  '/sign-in/email': signInByPassword,
  '/sign-in/link': signInByLink,
  '/request-sign-in-code': requestSignInCode,
  '/request-texted-code': requestTextedCode,
  '/sign-in/code': signInByCode,
  '/request-passkey': requestPasskey,
  '/sign-in/passkey': signInByPasskey,
  '/request-provider': requestProvider,
  '/sign-in/provider': (call, input) =>
    purposeOf(stateIn(input.answer)) === 'link' ? answerLink(call, input) : signInByProvider(call, input),
  '/request-wallet': requestWallet,
  '/sign-in/wallet': signInByWallet,
  '/return-to-program': returnToProgram,
  '/unlock': unlockSignIn,
  '/sign-out': signOut,
  '/send-verification-email': resendVerification,
  '/verify-email': verifyEmail,
  '/request-password-reset': requestPasswordReset,
  '/request-sign-in-link': requestSignInLink,
  '/check-reset-link': checkResetLink,
  '/reset-password': resetPassword,
  '/change-password': changePassword,
};

/** Creates the identity service on Better Auth, serving only the paths in `identityInputs`. */
export function createIdentity({ base, config, log }: IdentityParts): Identity {
  const { appUrl, authSecret: secret, adminEmails, rateLimitFactor } = config;
  const demo = config.mode === 'demo';
  const secure = appUrl.startsWith('https:');
  const auth = betterAuth(libraryOptions({ appUrl, secret, secure, demo, adminEmails, newId: base.newId }));
  const tries = countAttempts({ secret, rateLimitFactor });
  const server: IdentityServer = {
    base,
    auth,
    tries,
    ...signInProviders(config),
    programRedirects: config.programRedirects,
    sms: config.sms && openSms(config.sms),
    appUrl,
    secret,
    adminEmails,
    secure,
    demo,
  };
  return {
    handler: async (request, { address, requestId }) => {
      const ctx = guestContext(base, requestId, address);
      const response = await answer({ server, ctx, request, cookies: [] }).catch((error: unknown) => {
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
    programs: (request, from) => answerProgram(server, log, request, from),
    samlMetadata: async (id) => requireProvider({ providers: server.saml }, id).metadata(),
    receiveSaml: (posted, { address, requestId }) =>
      receiveResponse(guestContext(base, requestId, address), server, posted),
    actorOf: (headers) => actorOfRequest(server, headers),
    actorOfSession: (id) =>
      actorOfSession(
        guestContext(base, 'session', null),
        { id },
        { noted: true, adminEmails: server.adminEmails },
      ),
    callerOf: (headers, address) => callerOf(server, headers, address),
    sessionOf: (headers, send) => sessionIn(server, headers, send),
    sessionCookie: (token) => sessionCookie(server, token),
  };
}

async function answer(call: EndpointCall): Promise<Response> {
  const { request, server } = call;
  const { pathname } = new URL(request.url);
  const path = requireEndpoint(server, request.method, pathname.replace(/^\/api\/auth/, ''));
  const input = await inputOf(request, path).catch(async (error: unknown) => {
    if (isMalformedInput(error))
      await noteRefusal(call.ctx, `identity${path.replaceAll('/', '.')}`, error.reason);
    throw error;
  });
  const endpoint = endpoints[path] as (call: EndpointCall, input: unknown) => Promise<IdentityAnswer>;
  const trustsDevice =
    typeof input === 'object' && input !== null && 'trust' in input && input.trust === true;
  const response = Response.json(await endpoint({ ...call, trustsDevice }, input));
  for (const cookie of call.cookies) response.headers.append('set-cookie', cookie);
  // Files that the browser may cache for an hour are the person's own.
  if (path === '/sign-out') response.headers.set('clear-site-data', '"cache"');
  return response;
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
