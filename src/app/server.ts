import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Actor } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { problemOf } from '#/kernel/problem.ts';
import type { Identity } from '#/features/accounts/identity/commands.ts';
import { answerFeed } from '#/features/appointments/feed/commands.ts';
import { answerAttachment } from '#/features/messaging/attachments/queries.ts';
import { answerOneClick } from '#/features/notifications/unsubscribe/commands.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx, ProcessContext } from '#/platform/context.ts';
import { DatabaseDown, isLogged } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { answerDocument } from '#/features/providers/documents/commands.ts';
import { serveFile } from '#/platform/files/serve.ts';
import { networkOf, trustedAddress } from '#/platform/http/address.ts';
import { compressed } from '#/platform/http/compression.ts';
import { answerDownload } from '#/platform/http/downloads.ts';
import { isFailure, noteFailure } from '#/platform/http/failures.ts';
import { securityHeaders, strictTransport } from '#/platform/http/headers.ts';
import { hit } from '#/platform/http/limits.ts';
import type { Scheduler } from '#/platform/jobs/scheduler.ts';
import type { Log } from '#/platform/log.ts';
import type { Hub } from '#/platform/realtime/hub.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import {
  apiDescription,
  apiHandler,
  apiRouter,
  downloads,
  frames,
  inProcess,
  noteRefusal,
  uploads,
} from './api.ts';
import { speakerOf, takeIn } from './frames.ts';
import { isForPage, isShut, retryAfterSeconds } from './maintenance.ts';
import { followSettings } from './process-settings.ts';
import type { Pages } from './pages.ts';
import { readiness } from './readiness.ts';
import { siteFile } from './site-files.ts';
import type { ClosedFor } from './web/contexts.ts';
import { receive, uploadFinder } from './uploads.ts';

/** Milliseconds in-flight requests may take during shutdown. */
const lastRequestsMs = 10_000;
const outageRetrySeconds = 5;
const writesPerMinute = 120;
/** Bytes accepted by API requests other than uploads; the longest booking is a small fraction. */
const maxBody = 64 * 1024;
/** One-click unsubscribe endpoint (RFC 8058). */
const oneClickPath = '/api/unsubscribe';

export interface Parts {
  config: Config;
  base: ProcessContext;
  hub: Hub;
  identity: Identity;
  pages: Pages;
  log: Log;
  schedules: Scheduler['states'];
}

export interface Server {
  /** Returns the bound port. */
  listen(): Promise<number>;
  /**
   * Reports not ready, keeps serving while load balancers drain, then stops accepting and finishes in-flight requests.
   */
  close(): Promise<void>;
}

type Env = { Bindings: HttpBindings; Variables: { requestId: string; ctx: Ctx } };

/** Composes the HTTP server: health, files, identity, API, pages and sockets on one port. */
export function createApp(parts: Parts): Server {
  const { config, base, hub, identity, pages, log, schedules } = parts;
  const { db, files, newId, now } = base;
  const site = {
    demo: config.mode === 'demo',
    openDemo: config.openDemo,
    hipaaAttested: config.hipaaAttested,
    supportPhone: config.supportPhone,
  };
  const router = apiRouter({
    ...site,
    authSecret: config.authSecret,
    adminEmails: config.adminEmails,
    backupDir: config.backupDir,
    appUrl: config.appUrl,
    relay: config.relay,
    rateLimitFactor: config.rateLimitFactor,
    mailTray: site.demo,
    dataDir: config.dataDir,
    sendsMail: config.smtpUrl !== null,
    schedules,
  });
  const api = apiHandler(router, log);
  const uploadOf = uploadFinder(uploads);
  const https = config.appUrl.startsWith('https://');
  let closing = false;

  const contextOf = (actor: Actor, requestId: string, address: string): Ctx => ({
    ...base,
    actor,
    requestId,
    address,
  });

  const { processSettings, begin } = followSettings({
    context: () => ({ ...contextOf({ kind: 'system' }, newId(), ''), address: null }),
    hub,
    log,
  });

  const app = new Hono<Env>();

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
      if (name !== 'referrer-policy' || !c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  });
  app.use(async (c, next) => {
    await next();
    if (!isFailure(c.res.status)) return;
    noteFailure(db, now()).catch((error: unknown) =>
      log.error({ err: error, requestId: c.get('requestId') }, 'a failed answer could not be counted'),
    );
  });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const checks = { ...(await readiness(db, files)), accepting: !closing };
    return c.json(checks, Object.values(checks).every(Boolean) ? 200 : 503);
  });
  // Fixed file name, so browsers must revalidate it.
  app.get('/sw.js', async (c) => {
    const worker = await pages.worker();
    if (worker === null) return c.notFound();
    return c.body(worker, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
  });
  app.use(async (c, next) => {
    const asset = await pages.asset(c.req.raw);
    if (asset) return asset;
    const requestId = c.get('requestId');
    // Email clients send one-click unsubscribe without an Origin header; the token authorizes it.
    const oneClick = c.req.path === oneClickPath;
    if (!oneClick && !sameOrigin(c.req.raw, config.appUrl))
      return refusal(new AppError('forbidden', 'foreign_origin'), requestId);
    const address = trustedAddress(
      c.env.incoming.socket.remoteAddress ?? '',
      c.req.header('x-forwarded-for') ?? null,
      config.trustedProxies,
    );
    const actor: Actor = oneClick ? { kind: 'guest' } : await identity.actorOf(c.req.raw.headers);
    c.set('ctx', contextOf(actor, requestId, address));
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      const key = `writes:${actor.kind === 'person' ? actor.id : networkOf(address)}`;
      if (!(await hit(db, key, writesPerMinute * config.rateLimitFactor, 60, now()))) {
        return refusal(new AppError('rate_limited', 'too_many_changes'), requestId);
      }
    }
    return next();
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
    if (!processSettings.maintenance || !isShut(ctx.actor, c.req.path)) return next();
    const answer = isForPage(c.req.raw)
      ? await renderPage(c.req.raw, ctx, 'maintenance')
      : refusal(new AppError('unavailable', 'maintenance'), ctx.requestId);
    answer.headers.set('retry-after', String(retryAfterSeconds));
    return answer;
  });
  // Rejected by headers alone: a partly read body would block the connection.
  app.use('/api/*', async (c, next) => {
    if (c.req.header('transfer-encoding')) throw new AppError('invalid', 'length_required');
    const upload = uploadOf(c.req.raw);
    if (upload) return receive(upload, c.req.raw, c.get('ctx'));
    if (Number(c.req.header('content-length') ?? 0) > maxBody)
      throw new AppError('invalid', 'body_too_large');
    return next();
  });
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
    app.get(`/api/${folder}/:id`, async (c) => {
      const ctx = c.get('ctx');
      try {
        return await answer(ctx, c.req.raw, c.req.param('id'));
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found' && ctx.actor.kind === 'person')
          await noteRefusal(ctx, action, error.reason);
        throw error;
      }
    });
  app.all('/api/*', async (c) => compressed(c.req.raw, await api(c.req.raw, c.get('ctx'))));
  app.get('/files/:id/:name?', (c) => serveFile(c.get('ctx'), c.req.raw, c.req.param('id')));
  app.get('/calendar/:file{[^/]+\\.ics}', async (c) => {
    const ctx = c.get('ctx');
    const token = c.req.param('file').slice(0, -'.ics'.length);
    const ifNoneMatch = c.req.header('if-none-match') ?? null;
    try {
      return await answerFeed(ctx, { token, ifNoneMatch }, config);
    } catch (error) {
      // Calendar apps send no session cookie; a signed-in person guessing feed URLs is logged.
      if (error instanceof AppError && error.code === 'not_found' && ctx.actor.kind === 'person')
        await noteRefusal(ctx, 'feed.read', error.reason);
      throw error;
    }
  });
  app.get('/:file{[a-z0-9-]+\\.(?:txt|xml|webmanifest)}', async (c, next) => {
    const answer = await siteFile(c.get('ctx'), c.req.path, { appUrl: config.appUrl, pages });
    return answer ?? next();
  });
  const renderPage = async (request: Request, ctx: Ctx, closed: ClosedFor | null): Promise<Response> => {
    let down = false;
    const page = await pages.render(request, {
      api: inProcess(router, ctx),
      requestId: ctx.requestId,
      appUrl: config.appUrl,
      demo: site.demo,
      closed,
      report: (error) => {
        down ||= error instanceof DatabaseDown;
        log.error({ err: error, requestId: ctx.requestId }, 'a page failed');
      },
    });
    // The router renders thrown errors as ordinary error pages, so outages need a second render.
    return down ? renderPage(new Request(request.url, { headers: request.headers }), ctx, 'outage') : page;
  };
  app.all('*', (c) => renderPage(c.req.raw, c.get('ctx'), null));
  app.onError((error, c) => {
    const requestId = c.get('requestId');
    if (isLogged(error)) log.error({ err: error, requestId }, 'a request failed');
    if (error instanceof DatabaseDown && (isForPage(c.req.raw) || c.req.path.endsWith('.data')))
      return renderPage(c.req.raw, contextOf({ kind: 'guest' }, requestId, ''), 'outage');
    return refusal(error, requestId);
  });

  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => {
    if (https) outgoing.setHeader('strict-transport-security', strictTransport);
    // Reused connections could close mid-request during shutdown.
    if (closing) outgoing.setHeader('connection', 'close');
    if (!processSettings.maintenance && pages.answer(incoming, outgoing)) return;
    if (pages.develop) pages.develop(incoming, outgoing, () => void listener(incoming, outgoing));
    else void listener(incoming, outgoing);
  });
  server.keepAliveTimeout = 65_000;
  // Allows large uploads over slow connections, while idle connections time out sooner.
  server.requestTimeout = 3_600_000;
  server.timeout = 120_000;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Upgraded sockets have no other error listener, and an unhandled error crashes the process.
    socket.on('error', () => socket.destroy());
    if (URL.parse(request.url ?? '', config.appUrl)?.pathname !== '/realtime') {
      // Vite's development socket has its own listener.
      if (!pages.develop) socket.destroy();
      return;
    }
    upgrade(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'a socket could not be opened');
      if (error instanceof DatabaseDown) socket.end(unavailable(outageRetrySeconds));
      else socket.destroy();
    });
  });

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const headers = new Headers();
    if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
    const ours = isOwnOrigin(request.headers.origin ?? null, request.headers.host ?? '', config.appUrl);
    const actor: Actor = ours ? await identity.actorOf(headers) : { kind: 'guest' };
    if (actor.kind !== 'person') {
      socket.end(`HTTP/1.1 ${ours ? '401 Unauthorized' : '403 Forbidden'}\r\nConnection: close\r\n\r\n`);
      return;
    }
    if (processSettings.maintenance && isShut(actor, '/realtime')) {
      socket.end(unavailable(retryAfterSeconds));
      return;
    }
    const address = trustedAddress(
      request.socket.remoteAddress ?? '',
      String(request.headers['x-forwarded-for'] ?? '') || null,
      config.trustedProxies,
    );
    const context = () => contextOf(actor, newId(), address);
    const speaker = speakerOf(actor, () => identity.actorOf(headers));
    hub.accept(request, socket, head, {
      personId: actor.id,
      topics: [`person:${actor.id}`, `session:${actor.sessionId}`, `role:${actor.role}`],
      hear: async (text, connection) => {
        const who = await speaker();
        return who === 'same' ? takeIn(frames, text, { connection, context, log }) : who;
      },
      context,
      rateLimitFactor: config.rateLimitFactor,
    });
    try {
      await closeIfSignedOut(actor, headers, address);
    } catch (error) {
      // After the handshake, an HTTP response would be read as frames.
      socket.destroy();
      throw error;
    }
  }

  /** Closes the gap between the session check and socket registration: a sign-out could fall between. */
  async function closeIfSignedOut(
    actor: Extract<Actor, { kind: 'person' }>,
    headers: Headers,
    address: string,
  ): Promise<void> {
    const still = await identity.actorOf(headers);
    if (still.kind === 'person' && still.role === actor.role) return;
    await transact(contextOf({ kind: 'system' }, newId(), address), (tx) =>
      closeSockets(tx, `session:${actor.sessionId}`),
    );
  }

  return {
    async listen() {
      await begin();
      return new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.port, config.host, () => {
          server.off('error', reject);
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : config.port);
        });
      });
    },
    close: async () => {
      closing = true;
      await sleep(config.drainSeconds * 1_000);
      const closed = new Promise((resolve) => server.close(resolve));
      await hub.close();
      // Keep-alive connections turn idle after their last response, so close them repeatedly.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => server.closeAllConnections(), lastRequestsMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(late);
    },
  };
}

function unavailable(retrySeconds: number): string {
  return `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${retrySeconds}\r\nConnection: close\r\n\r\n`;
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

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** CSRF check; safe methods always pass. */
function sameOrigin(request: Request, appUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  return isOwnOrigin(request.headers.get('origin'), new URL(request.url).host, appUrl);
}

/** Accepts the public origin, or the requested loopback host when the public URL isn't https. */
function isOwnOrigin(origin: string | null, host: string, appUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false;
  const seen = new URL(appUrl);
  if (origin === seen.origin) return true;
  return seen.protocol === 'http:' && new URL(origin).host === host && isLoopback(host);
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}
