import type { z } from 'zod';
import { siteSettings } from '#/features/settings/queries.ts';
import { noteRefusal } from '#/features/audit/commands.ts';
import { AppError, isLogged } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import { jsonBody, parseBody } from '#/platform/http/json-body.ts';
import { isMalformedInput } from '#/platform/http/validation.ts';
import { guestContext, type EndpointCall, type IdentityServer } from '../identity/commands.ts';
import { signedIn } from '../commands.ts';
import { administrationRoutes, type AdministrationRoute } from '../program-administration/commands.ts';
import type { Administration } from '../program-administration/contract.ts';
import { linkAddress, providerAddress, ssoAddress } from '../program-authorize/commands.ts';
import { returnToOf } from '../program-authorize/policies.ts';
import { requireSignedIn, type ProgramCaller } from '../program-caller/commands.ts';
import {
  challengeFactor,
  enrollFactor,
  unenrollFactor,
  verifyFactor,
  type FactorOwner,
} from '../program-factors/commands.ts';
import { factorInputs, signOutScopes, userInputs } from '../program-user/contract.ts';
import { connectByIdToken } from '../program-identities/commands.ts';
import { keySet } from '../program-keys/commands.ts';
import { keySetMinutes } from '../program-keys/rules.ts';
import { exchangeCode, signInByIdToken, signInByProgramWallet } from '../program-returns/commands.ts';
import { returnInputs } from '../program-returns/contract.ts';
import {
  programCode,
  programPassword,
  programRecover,
  programRefresh,
  programResend,
  programSignUp,
  programText,
  programVerify,
  programVerifyText,
} from '../program-sign-in/commands.ts';
import { signInInputs } from '../program-sign-in/contract.ts';
import { changeUser, emailReauthentication, programSignOut, readUser } from '../program-user/commands.ts';
import { removeIdentity } from '../linked-identities/commands.ts';
import { endWaitingSignIn, waitingUser } from '../waiting-sign-ins/commands.ts';
import { originsOf } from '../wallets/commands.ts';
import { refuseUnknownRoute, requireRoute } from './policies.ts';
import { programError, routeOf } from './rules.ts';

/** The version of our error codes, for the published client. */
const apiVersion = '2024-01-01';

interface ProgramRequest {
  caller: ProgramCaller;
  administration: (ctx: Ctx) => Administration;
  body: unknown;
  query: URLSearchParams;
  /** The first in the path. */
  id: string;
  /** The second. */
  partId: string;
}

type Route = (call: EndpointCall, sent: ProgramRequest) => Promise<unknown>;

/** Answers calls under `/auth/v1`. Reads no cookies, and sets one only for the way to a provider. Throws not_found `no_such_route` while programs are off. */
export async function answerProgram(
  server: IdentityServer,
  log: Log,
  request: Request,
  from: { address: string | null; requestId: string } & Pick<ProgramRequest, 'caller' | 'administration'>,
): Promise<Response> {
  const { address, requestId, caller, administration } = from;
  const ctx = guestContext(server.base, requestId, address);
  const url = new URL(request.url);
  const { route, ids } = routeOf(request.method, url.pathname.slice('/auth/v1'.length));
  const answer = await requireRoute(ctx, { [route]: refuseUnknownRoute, ...routes }, route);
  try {
    // Commands take cookies from the request they're given.
    const bare = new Request(url, { headers: headersOf(request) });
    const call: EndpointCall = { server, ctx, request: bare, cookies: [], byProgram: true };
    const [id = '', partId = ''] = ids;
    const sent = {
      caller,
      administration,
      body: await jsonBody(request),
      query: url.searchParams,
      id,
      partId,
    };
    const body = await answer(call, sent);
    if (body instanceof Response) {
      for (const [name, value] of Object.entries(headersWith({}))) body.headers.set(name, value);
      return body;
    }
    return body === undefined
      ? new Response(null, { status: 204, headers: headersWith({}) })
      : Response.json(body, { headers: headersWith({ keptSeconds: keptSeconds[route] }) });
  } catch (error) {
    if (isLogged(error)) log.error({ err: error, requestId }, 'a program’s request failed');
    if (isMalformedInput(error)) await noteRefusal(ctx, 'programs', error.reason);
    const { status, code, msg, weakPassword } = programError(error);
    const weak = weakPassword ? { weak_password: weakPassword } : {};
    return Response.json({ code, error_code: code, msg, ...weak }, { status, headers: headersWith({}) });
  }
}

const keptSeconds: Readonly<Record<string, number>> = { 'GET /.well-known/jwks.json': keySetMinutes * 60 };

function headersWith({ keptSeconds: seconds }: { keptSeconds?: number | undefined }): Record<string, string> {
  return {
    'cache-control': seconds === undefined ? 'no-store' : `public, max-age=${seconds}`,
    'x-supabase-api-version': apiVersion,
  };
}

function headersOf(request: Request): Headers {
  const kept = new Headers();
  for (const name of ['authorization', 'user-agent', 'x-idle']) {
    const value = request.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

/** For calls without an access token. */
function forAnyone<Schema extends z.ZodType>(
  schema: Schema,
  run: (call: EndpointCall, input: z.output<Schema>) => Promise<unknown>,
): Route {
  return async (call, { body }) => run(call, parseBody(schema, body));
}

/** For calls of a signed-in person. */
function forSignedIn<Schema extends z.ZodType>(
  schema: Schema | null,
  run: (call: EndpointCall, input: z.output<Schema>, sent: ProgramRequest) => Promise<unknown>,
): Route {
  return async (call, sent) => {
    const personal = asPerson(call, sent);
    return run(personal, schema ? parseBody(schema, sent.body) : (sent.body as z.output<Schema>), sent);
  };
}

/** For calls about second factors, also allowed to a sign-in waiting for one. */
function forFactorOwner<Schema extends z.ZodType>(
  schema: Schema,
  run: (
    call: EndpointCall,
    owner: FactorOwner,
    input: z.output<Schema>,
    sent: ProgramRequest,
  ) => Promise<unknown>,
): Route {
  return async (call, sent) => {
    const { caller, body } = sent;
    if (caller.kind === 'waiting') {
      const { signIn: waiting } = caller;
      return run(call, { id: waiting.userId, waiting }, parseBody(schema, body), sent);
    }
    const personal = asPerson(call, sent);
    return run(personal, { id: signedIn(personal.ctx).id, waiting: null }, parseBody(schema, body), sent);
  };
}

/** Throws like `requireSignedIn`. */
function asPerson(call: EndpointCall, { caller }: ProgramRequest): EndpointCall {
  return { ...call, ctx: { ...call.ctx, actor: requireSignedIn(caller) } };
}

/** Administrators, and their own API tokens within scopes. */
function forAdministrator(run: AdministrationRoute): Route {
  return async (call, sent) => {
    const { caller, administration } = sent;
    const actor =
      caller.kind === 'machine' && caller.owner.kind === 'person' ? caller.owner : requireSignedIn(caller);
    const ctx = { ...call.ctx, actor };
    return run({ ...sent, ctx, appUrl: call.server.appUrl, api: administration(ctx) });
  };
}

/** For ways to sign in that the published client has but the site doesn't offer. */
const closed: Route = () => Promise.reject(new AppError('invalid', 'not_enabled'));

/** With a challenge, the emailed link returns to the program. */
function returning(route: Route): Route {
  return async (call, sent) => {
    const { body, query } = sent;
    const returnTo = returnToOf(call.server.programRedirects, body, query.get('redirect_to'));
    return route({ ...call, returnTo }, sent);
  };
}

/** Sends a browser to a provider, which leads back to the program with a code. */
const authorize: Route = async (call, { query }) => {
  const headers = new Headers({ location: await providerAddress(call, query) });
  for (const cookie of call.cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
};

const byIdToken: Route = (call, sent) => {
  const { link_identity: connects } = sent.body as Record<string, unknown>;
  const route = connects
    ? forSignedIn(returnInputs.idToken, connectByIdToken)
    : forAnyone(returnInputs.idToken, signInByIdToken);
  return route(call, sent);
};

/** Closed without the needed configuration. */
function configured(isSet: (server: IdentityServer) => boolean, route: Route): Route {
  return (call, sent) => (isSet(call.server) ? route : closed)(call, sent);
}

const returnsToPrograms = ({ programRedirects }: IdentityServer) => programRedirects.length > 0;

const grants: Readonly<Record<string, Route>> = {
  password: forAnyone(signInInputs.password, programPassword),
  refresh_token: forAnyone(signInInputs.refresh, programRefresh),
  pkce: configured(returnsToPrograms, forAnyone(returnInputs.exchange, exchangeCode)),
  id_token: configured(
    ({ openId }) => openId.providers.some(({ programClientIds }) => programClientIds.length > 0),
    byIdToken,
  ),
  web3: configured(
    ({ walletSignIn, programRedirects }) => walletSignIn && originsOf(programRedirects).length > 0,
    forAnyone(returnInputs.web3, signInByProgramWallet),
  ),
};

/** Sign-up, passwords and codes need email. */
function byEmail(route: Route): Route {
  return (call, sent) => {
    const body = sent.body as Record<string, unknown>;
    if (body.email !== undefined) return route(call, sent);
    throw new AppError('invalid', body.phone === undefined ? 'anonymous' : 'phone');
  };
}

/** With a number instead of an address. A change of number (`type`) isn't possible. */
function byText(route: Route, otherwise: Route): Route {
  return (call, sent) => {
    const { phone, email, type = 'sms' } = sent.body as Record<string, unknown>;
    return (phone !== undefined && email === undefined && type === 'sms' ? route : otherwise)(call, sent);
  };
}

const routes: Readonly<Record<string, Route>> = {
  'GET /.well-known/jwks.json': ({ ctx }) => keySet(ctx),
  'GET /health': () => Promise.resolve({ name: 'iTalk', description: 'Sign-in for programs' }),
  'GET /settings': async ({ server, ctx }) => {
    const { sign_in_code: byCode } = await siteSettings(ctx);
    const phone = server.sms !== null && byCode;
    return {
      external: {
        email: true,
        phone,
        anonymous_users: false,
        ...Object.fromEntries(server.openId.providers.map(({ id }) => [id, true])),
      },
      disable_signup: false,
      mailer_autoconfirm: server.demo,
      phone_autoconfirm: false,
      sms_provider: phone ? 'twilio' : '',
      saml_enabled: server.saml.length > 0,
    };
  },
  'POST /signup': byEmail(returning(forAnyone(signInInputs.signUp, programSignUp))),
  'POST /token': async (call, sent) => {
    const grant = sent.query.get('grant_type') ?? '';
    if (!Object.hasOwn(grants, grant)) throw new AppError('invalid', 'grant_type');
    return grants[grant]!(call, sent);
  },
  'POST /otp': byText(
    forAnyone(signInInputs.phone, programText),
    byEmail(returning(forAnyone(signInInputs.email, programCode))),
  ),
  'POST /verify': byText(
    forAnyone(signInInputs.verifyPhone, programVerifyText),
    forAnyone(signInInputs.verify, programVerify),
  ),
  'POST /recover': returning(forAnyone(signInInputs.email, programRecover)),
  'POST /resend': byText(
    forAnyone(signInInputs.phone, programText),
    forAnyone(signInInputs.resend, programResend),
  ),
  'GET /authorize': authorize,
  'POST /sso': configured(
    ({ providers }) => providers.some(({ domains }) => domains.length > 0),
    async (call, { body }) => ssoAddress(call, body),
  ),
  'GET /user': async (call, sent) =>
    sent.caller.kind === 'waiting'
      ? waitingUser(call.ctx, sent.caller.signIn.userId)
      : readUser(asPerson(call, sent)),
  'PUT /user': forSignedIn(userInputs.change, changeUser),
  'GET /user/identities/authorize': configured(
    returnsToPrograms,
    forSignedIn(null, (call, _, { query }) => linkAddress(call, query)),
  ),
  'DELETE /user/identities/:id': forSignedIn(null, async ({ ctx, server }, _, { id }) => {
    await removeIdentity(ctx, server, { id });
    return {};
  }),
  'GET /reauthenticate': forSignedIn(null, emailReauthentication),
  'POST /logout': async (call, sent) => {
    const scope = signOutScopes.find((one) => one === (sent.query.get('scope') ?? 'global'));
    if (!scope) throw new AppError('invalid', 'scope');
    if (sent.caller.kind !== 'waiting') return programSignOut(asPerson(call, sent), scope);
    await endWaitingSignIn(call.ctx, sent.caller.signIn);
  },
  ...Object.fromEntries(
    Object.entries(administrationRoutes).map(([route, run]) => [route, forAdministrator(run)]),
  ),
  'POST /factors': forFactorOwner(factorInputs.enroll, (call, owner) => enrollFactor(call.ctx, owner)),
  'POST /factors/:id/challenge': forFactorOwner(factorInputs.challenge, ({ ctx }, owner, _, { id }) =>
    challengeFactor(ctx, owner, id),
  ),
  'POST /factors/:id/verify': forFactorOwner(factorInputs.verify, (call, owner, input, { id }) =>
    verifyFactor(call, owner, id, input),
  ),
  'DELETE /factors/:id': forSignedIn(null, ({ ctx }, _, { id }) => unenrollFactor(ctx, id)),
};
