import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '#/kernel/actor.ts';
import { noteRefusal } from '#/features/audit/commands.ts';
import { AppError, isLogged } from '#/kernel/errors.ts';
import { problemOf } from '#/kernel/problem.ts';
import type { Identity } from '#/features/accounts/endpoints/commands.ts';
import { opensLink } from '#/features/accounts/queries.ts';
import { bearerIn } from '#/features/accounts/program-sessions/rules.ts';
import type { ProgramCaller } from '#/features/accounts/program-caller/commands.ts';
import { answerStorage } from '#/features/files/programs/commands.ts';
import { answerFeed } from '#/features/appointments/feed/commands.ts';
import { answerAttachment } from '#/features/messaging/attachments/queries.ts';
import { answerOneClick } from '#/features/notifications/unsubscribe/commands.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx, ProcessContext } from '#/platform/context.ts';
import { DatabaseDown, outageRetrySeconds } from '#/platform/db/outage.ts';
import { isUnpublishedFor } from '#/features/resources/reading/queries.ts';
import { answerDocument } from '#/features/providers/documents/commands.ts';
import type { OpenLink, StoredFile } from '#/platform/files/files.ts';
import { serveFile } from '#/platform/files/serve.ts';
import { networkOf, trustedAddress } from '#/platform/http/address.ts';
import { compressed } from '#/platform/http/compression.ts';
import { answerDownload } from '#/platform/http/downloads.ts';
import { isFailure, noteFailure } from '#/platform/http/failures.ts';
import { securityHeaders } from '#/platform/http/headers.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { answersAtOnce, limitConcurrency } from '#/platform/turns.ts';
import type { Scheduler } from '#/platform/jobs/scheduler.ts';
import type { Log } from '#/platform/log.ts';
import {
  apiDescription,
  apiHandler,
  apiRouter,
  channels,
  downloads,
  frames,
  inProcess,
  uploads,
} from './api.ts';
import { isForPage, isClosed, retryAfterSeconds } from './maintenance.ts';
import { isSameOrigin } from './origin.ts';
import type { Pages } from './rendering.ts';
import { answerBroadcast } from './program-broadcasts.ts';
import type { ProcessSettings } from './process-settings.ts';
import { probes } from './probes.ts';
import { logRefusal } from './refusals.ts';
import { siteFile } from './site-files.ts';
import { receive, uploadFinder } from './uploads.ts';
import type { ClosedFor } from './web/contexts.ts';

const writesPerMinute = 120;
/** Programs' refreshes from one network, which a whole church may share; each session has its own limit. */
const refreshesPerMinute = 3_000;
/** Pages rendered at once for one network, so that many requests don't take every database connection. */
const pagesAtOnce = 8;
/** Bytes accepted by API requests other than uploads; the longest booking is a small fraction. */
const maxBody = 64 * 1024;
/** One-click unsubscribe endpoint (RFC 8058). */
const oneClickPath = '/api/unsubscribe';
/** Address for SAML responses, posted by browsers. */
const samlResponsePath = /^\/saml\/[^/]+\/acs$/;

export interface Requests {
  config: Config;
  base: ProcessContext;
  identity: Identity;
  pages: Pages;
  log: Log;
  schedules: Scheduler['states'];
  processSettings: ProcessSettings;
  contextOf(actor: Actor, requestId: string, address: string): Ctx;
  /** True while the server finishes its last requests. */
  isClosing(): boolean;
}

const uploadOf = uploadFinder(uploads);

type Env = {
  Bindings: HttpBindings;
  Variables: { requestId: string; ctx: Ctx; caller: ProgramCaller | null; sessionToken?: string };
};
type RenderPage = (request: Request, ctx: Ctx, closed: ClosedFor | null) => Promise<Response>;

async function linkWorks(ctx: Ctx, link: OpenLink, { id, bucket }: StoredFile): Promise<boolean> {
  if (!(await opensLink(ctx, link))) return false;
  return bucket !== 'resources' || !(await isUnpublishedFor(ctx, link.personId, id));
}

/** Composes the request handlers: health, files, identity, API and pages, in the order they are tried. */
export function requestListener(
  parts: Requests,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown> {
  const { config } = parts;
  const router = apiRouter({
    demo: config.mode === 'demo',
    openDemo: config.openDemo,
    hipaaAttested: config.hipaaAttested,
    supportPhone: config.supportPhone,
    authSecret: config.authSecret,
    adminEmails: config.adminEmails,
    openIdProviders: config.openIdProviders,
    samlProviders: config.samlProviders,
    walletSignIn: config.walletSignIn,
    sms: config.sms,
    backupDir: config.backupDir,
    appUrl: config.appUrl,
    relay: config.relay,
    rateLimitFactor: config.rateLimitFactor,
    mailTray: config.mode === 'demo',
    dataDir: config.dataDir,
    sendsMail: config.smtpUrl !== null,
    schedules: parts.schedules,
  });
  const renderPage = pageRenderer(parts, router);
  const app = new Hono<Env>();
  finishAnswers(app, parts);
  app.route('/', probes(parts));
  answerServiceWorker(app, parts);
  admitRequests(app, parts, renderPage);
  answerApi(app, parts, router);
  answerSaml(app, parts);
  answerFiles(app, parts);
  const inTurn = limitConcurrency(pagesAtOnce);
  app.get('*', (c) => {
    const { raw: request } = c.req;
    const ctx = c.get('ctx');
    return inTurn(networkOf(ctx.address ?? ''), () => {
      requireWaiting(request);
      return renderPage(request, ctx, null);
    });
  });
  // Pages take no other method: the router would log each as a page that failed.
  app.notFound((c) => {
    const { pathname, search } = new URL(c.req.url);
    // A browser without script sends forms to their own page, by POST so that nothing typed is in a URL.
    if (c.req.method === 'POST' && c.req.header('accept')?.includes('text/html'))
      return c.redirect(`${parts.config.appUrl}${pathname}${search}`, 303);
    return refusal(new AppError('not_found', 'no_such_route'), c.get('requestId'));
  });
  app.onError((error, c) => {
    const requestId = c.get('requestId');
    if (isLogged(error)) parts.log.error({ err: error, requestId }, 'a request failed');
    if (error instanceof DatabaseDown && (isForPage(c.req.raw) || c.req.path.endsWith('.data')))
      return renderPage(c.req.raw, parts.contextOf({ kind: 'guest' }, requestId, ''), 'outage');
    return refusal(error, requestId);
  });
  return getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
}

/** Adds the request id and headers to every response, and counts failures. */
function finishAnswers(app: Hono<Env>, { base: { db, newId, now }, log, processSettings }: Requests): void {
  app.use(async (c, next) => {
    const requestId = newId();
    c.set('requestId', requestId);
    const began = performance.now();
    await next();
    if (processSettings.debug) {
      // Logs only the path prefix: tokens may follow.
      const place = c.req.path.split('/', c.req.path.startsWith('/api/') ? 3 : 2).join('/');
      const ms = Math.round(performance.now() - began);
      log.info(
        { requestId, method: c.req.method, place, status: c.res.status, ms },
        'a request was answered',
      );
    }
    c.res.headers.set('x-request-id', requestId);
    if (c.res.status === 503 && !c.res.headers.has('retry-after'))
      c.res.headers.set('retry-after', String(outageRetrySeconds));
    for (const [name, value] of Object.entries(securityHeaders)) {
      // Handlers may set a stricter policy.
      if (!name.endsWith('-policy') || !c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  });
  app.use(async (c, next) => {
    await next();
    if (!isFailure(c.res.status)) return;
    noteFailure(db, now()).catch((error: unknown) =>
      log.error({ err: error, requestId: c.get('requestId') }, 'a failed response could not be counted'),
    );
  });
}

function answerServiceWorker(app: Hono<Env>, { pages }: Requests): void {
  // Fixed file name, so browsers must revalidate it.
  app.get('/sw.js', async (c) => {
    const worker = await pages.worker();
    if (worker === null) return c.notFound();
    return c.body(worker, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
  });
}

/** Serves assets; lets other requests pass once their origin, person, rate, address and size are accepted. */
function admitRequests(
  app: Hono<Env>,
  { config, base: { db, now }, identity, pages, processSettings, contextOf }: Requests,
  renderPage: RenderPage,
): void {
  const inTurn = limitConcurrency(answersAtOnce);
  app.use(async (c, next) => {
    const asset = await pages.asset(c.req.raw);
    if (asset) return asset;
    const requestId = c.get('requestId');
    // Email clients and SAML providers post here, so cookies are ignored.
    const fromOutside = c.req.path === oneClickPath || samlResponsePath.test(c.req.path);
    const address = trustedAddress(
      c.env.incoming.socket.remoteAddress ?? '',
      c.req.header('x-forwarded-for') ?? null,
      config.trustedProxies,
    );
    // Programs send no Origin; their cookies don’t count.
    if (!fromOutside && !isOfProgram(c.req.raw) && !isSameOrigin(c.req.raw, config.appUrl)) {
      const refused = new AppError('forbidden', 'foreign_origin');
      const ctx = contextOf({ kind: 'guest' }, requestId, address);
      await inTurn(networkOf(address), () => noteRefusal(ctx, 'other_site', refused.reason));
      return refusal(refused, requestId);
    }
    // Before identifying the sender: a body held back for an hour would outlive their session or role.
    if (!uploadOf(c.req.raw)) c.req.raw = await received(c.req.raw);
    const identify = async () => {
      // Counts wrong API tokens, so in turn.
      const caller = isOfProgram(c.req.raw)
        ? await inTurn(`token ${networkOf(address)}`, () => identity.callerOf(c.req.raw.headers, address))
        : null;
      c.set('caller', caller);
      const actor: Actor = fromOutside
        ? { kind: 'guest' }
        : (caller?.actor ?? (await identity.actorOf(c.req.raw.headers)));
      const session: Partial<Ctx> = caller
        ? {}
        : identity.sessionOf(c.req.raw.headers, (token) => c.set('sessionToken', token));
      c.set('ctx', { ...contextOf(actor, requestId, address), ...session });
      return senderOf({ actor: caller?.kind === 'machine' ? caller.owner : actor, address });
    };
    const sender = await identify();
    const admit = async (waited: boolean) => {
      requireWaiting(c.req.raw);
      // Their session or role may have ended meanwhile.
      if (waited) await identify();
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
        const [kind, perMinute] = allowanceOf(c.req.raw);
        if (!(await countAttempt(db, `${kind}:${sender}`, perMinute * config.rateLimitFactor, 60, now())))
          return refusal(new AppError('rate_limited', 'too_many_changes'), requestId);
      }
      await next();
    };
    // Files may take an hour to arrive.
    const isLong = uploadOf(c.req.raw) !== null || c.req.path.startsWith('/storage/v1/');
    const refused = await (isLong ? admit(false) : inTurn(sender, admit));
    if (refused) return refused;
    const token = c.get('sessionToken');
    if (token !== undefined) c.res.headers.append('set-cookie', identity.sessionCookie(token));
  });
  // Libraries print undecodable URLs in errors, and a URL may contain a token.
  app.use((c, next) => {
    if (isDecodable(new URL(c.req.url).pathname)) return next();
    if (!isForPage(c.req.raw)) throw new AppError('invalid', 'address');
    return Promise.resolve(c.redirect('/not-found', 303));
  });
  app.use(async (c, next) => {
    const ctx = c.get('ctx');
    // A page just notified of a change may request before this process has applied it.
    await processSettings.settled();
    if (!processSettings.maintenance || !isClosed(ctx.actor, c.req.path)) return next();
    const answer = isForPage(c.req.raw)
      ? await renderPage(c.req.raw, ctx, 'maintenance')
      : refusal(new AppError('unavailable', 'maintenance'), ctx.requestId);
    answer.headers.set('retry-after', String(retryAfterSeconds));
    return answer;
  });
}

function answerApi(
  app: Hono<Env>,
  { config, identity, log }: Requests,
  router: ReturnType<typeof apiRouter>,
): void {
  const api = apiHandler(router, log);
  app.use('/api/*', async (c, next) => {
    const upload = uploadOf(c.req.raw);
    requireLength(c.req.raw, upload ? Infinity : maxBody);
    if (upload)
      return receive(upload, c.req.raw, c.get('ctx'), () => requireSame(identity, c.req.raw, c.get('ctx')));
    return next();
  });
  app.all('/storage/v1/*', (c) => {
    const { raw: request } = c.req;
    const ctx = c.get('ctx');
    return answerStorage(
      {
        ctx,
        request,
        caller: c.get('caller')!,
        requireSender: () => requireSame(identity, request, ctx),
        note: (by, error, input) => logRefusal(by, 'storage', error, input),
      },
      log,
    );
  });
  app.all('/realtime/v1/*', (c) => {
    const sent = { ctx: c.get('ctx'), request: c.req.raw, caller: c.get('caller')! };
    return answerBroadcast(sent, { channels, frames }, log);
  });
  app.all('/auth/v1/*', (c) =>
    identity.programs(c.req.raw, {
      ...c.get('ctx'),
      caller: c.get('caller')!,
      administration: (ctx) => inProcess(router, ctx),
    }),
  );
  app.all('/api/auth/*', (c) => identity.handler(c.req.raw, c.get('ctx')));
  // Expensive, so built once on first request.
  let description: Promise<unknown> | undefined;
  app.get('/api/openapi.json', async (c) => {
    description ??= apiDescription(router, { title: 'iTalk', version: '1' });
    return compressed(c.req.raw, c.json(await description));
  });
  app.on(['GET', 'POST'], oneClickPath, (c) => answerOneClick(c.get('ctx'), c.req.raw, config.authSecret));
  for (const download of downloads)
    app.get(`/api${download.path}`, async (c) => {
      const ctx = c.get('ctx');
      try {
        return await answerDownload(download, ctx, c.req.raw);
      } catch (error) {
        if (error instanceof AppError && error.code === 'forbidden')
          await noteRefusal(ctx, `download.${download.path.slice(1)}`, error.reason);
        throw error;
      }
    });
  for (const [folder, action, answer] of [
    ['conversations/attachments', 'attachment.read', answerAttachment],
    ['application/documents', 'document.read', answerDocument],
  ] as const)
    app.get(`/api/${folder}/:id`, (c) => {
      const ctx = c.get('ctx');
      return logGuess(ctx, action, answer(ctx, c.req.raw, c.req.param('id')));
    });
  app.all('/api/*', async (c) => {
    const caller = c.get('caller');
    const ctx = c.get('ctx');
    // Only here, where the contract limits it by scope, an API token opens anything.
    const asked = caller?.kind === 'machine' ? { ...ctx, actor: caller.owner } : ctx;
    return compressed(c.req.raw, await api(c.req.raw, asked));
  });
}

/** Not found unless a SAML provider is configured. */
function answerSaml(app: Hono<Env>, { config, identity }: Requests): void {
  if (config.samlProviders.length === 0) return;
  app.get('/saml/:id/metadata', async (c) =>
    c.body(await identity.samlMetadata(c.req.param('id')), 200, {
      'content-type': 'application/samlmetadata+xml',
    }),
  );
  app.post('/saml/:id/acs', async (c) => {
    requireLength(c.req.raw, maxBody);
    return identity.receiveSaml({ id: c.req.param('id'), form: await c.req.raw.text() }, c.get('ctx'));
  });
}

function answerFiles(app: Hono<Env>, { config, pages }: Requests): void {
  app.get('/files/:id/:name?', (c) => {
    const ctx = c.get('ctx');
    return logGuess(ctx, 'file.read', serveFile(ctx, c.req.raw, c.req.param('id'), linkWorks));
  });
  app.get('/calendar/:file{[^/]+\\.ics}', (c) => {
    const ctx = c.get('ctx');
    const token = c.req.param('file').slice(0, -'.ics'.length);
    const ifNoneMatch = c.req.header('if-none-match') ?? null;
    return logGuess(ctx, 'feed.read', answerFeed(ctx, { token, ifNoneMatch }, config));
  });
  app.get('/.well-known/change-password', (c) => c.redirect('/profile?tab=settings'));
  app.get('/:file{[a-z0-9-]+\\.(?:txt|xml|webmanifest)}', async (c, next) => {
    const answer = await siteFile(c.get('ctx'), c.req.path, { appUrl: config.appUrl, pages });
    return answer ?? next();
  });
}

/** Logs signed-in people who try what isn't theirs; calendar apps send no session cookie. */
async function logGuess(ctx: Ctx, action: string, answer: Promise<Response>): Promise<Response> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found' && ctx.actor.kind === 'person')
      await noteRefusal(ctx, action, error.reason);
    throw error;
  }
}

function pageRenderer({ config, log, pages }: Requests, router: ReturnType<typeof apiRouter>): RenderPage {
  const renderPage: RenderPage = async (request, ctx, closed) => {
    let down = false;
    const page = await pages.render(request, {
      api: inProcess(router, ctx),
      requestId: ctx.requestId,
      appUrl: config.appUrl,
      demo: config.mode === 'demo',
      closed,
      report: (error) => {
        down ||= error instanceof DatabaseDown;
        log.error({ err: error, requestId: ctx.requestId }, 'a page failed');
      },
    });
    // The router renders thrown errors as ordinary error pages, so outages need a second render.
    return down ? renderPage(new Request(request.url, { headers: request.headers }), ctx, 'outage') : page;
  };
  return renderPage;
}

/**
 * Programs use `/auth/v1`, `/storage/v1` and `/realtime/v1`, and an access or API token for the API. The browser's
 * sign-in needs cookies and our own origin.
 */
function isOfProgram({ url, headers }: Request): boolean {
  const { pathname } = new URL(url);
  if (/^\/(?:auth|storage|realtime)\/v1\//.test(pathname)) return true;
  return (
    pathname.startsWith('/api/') &&
    !pathname.startsWith('/api/auth/') &&
    bearerIn(headers.get('authorization')) !== null
  );
}

/** Rejects by headers alone: a partly read body would block the connection. */
function requireLength({ headers }: Request, max: number): void {
  if (headers.has('transfer-encoding')) throw new AppError('invalid', 'length_required');
  if (Number(headers.get('content-length') ?? 0) > max) throw new AppError('invalid', 'body_too_large');
}

/** Too many changes must not keep anyone signed in, so signing out counts separately. */
function allowanceOf({ url }: Request): [kind: string, perMinute: number] {
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/auth/v1/token' && searchParams.get('grant_type') === 'refresh_token')
    return ['refreshes', refreshesPerMinute];
  const signsOut = ['/api/auth/sign-out', '/auth/v1/logout'].includes(pathname);
  return [signsOut ? 'sign-outs' : 'writes', writesPerMinute];
}

/** An id, or a guest's network. */
function senderOf({ actor, address }: Pick<Ctx, 'actor' | 'address'>): string {
  return 'id' in actor ? actor.id : networkOf(address ?? '');
}

/** Throws invalid `broken_off` if the sender left while waiting for their turn. */
function requireWaiting({ signal }: Request): void {
  if (signal.aborted) throw new AppError('invalid', 'broken_off');
}

/** Throws unauthenticated `sign_in_required` unless the sender is still the same person in the same role. */
async function requireSame(identity: Identity, request: Request, { actor, address }: Ctx): Promise<void> {
  if (!isDeepStrictEqual(await actorOf(identity, request, address), actor))
    throw new AppError('unauthenticated', 'sign_in_required');
}

async function actorOf(identity: Identity, request: Request, address: string | null): Promise<Actor> {
  const { headers } = request;
  return isOfProgram(request) ? (await identity.callerOf(headers, address)).actor : identity.actorOf(headers);
}

function refusal(error: unknown, requestId: string): Response {
  const problem = problemOf(error, requestId);
  return Response.json(problem, {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    },
  });
}

/** Returns a request with its whole body, unless that is too long. Throws invalid `broken_off`. */
async function received(request: Request): Promise<Request> {
  const { url, method, headers, signal } = request;
  const length = Number(headers.get('content-length') ?? 0);
  if (['GET', 'HEAD', 'TRACE'].includes(method) || !(length > 0 && length <= maxBody)) return request;
  const body = await request.arrayBuffer().catch(() => {
    throw new AppError('invalid', 'broken_off');
  });
  return new Request(url, { method, headers, body, signal });
}

function isDecodable(path: string): boolean {
  try {
    // The bundler drops calls whose result is unused.
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}
