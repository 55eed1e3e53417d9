import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { systemNow } from '#/platform/clock.ts';
import { accepts, compressed } from '#/platform/http/compression.ts';
import { contentSecurityPolicy, securityHeaders } from '#/platform/http/headers.ts';
import {
  isAnonymous,
  maxAgeMs,
  openPageCache,
  withNonce,
  type CachedPage,
} from '#/platform/http/page-cache.ts';
import { shareRenderings } from '#/platform/http/shared-rendering.ts';
import { digest } from '#/platform/tokens.ts';
import { isDocument, withScriptDeferred } from './documents.ts';
import type { PageRequest } from './web/contexts.ts';

/** Public pages identical for every guest. Pages with open times aren't among them, since those change any moment. */
const cacheable =
  /^\/(services|therapists\/match|resources|about|faq|contact|join|devotional|devotional\/\d\d-\d\d|resources\/[0-9a-f-]{36}|service\/[a-z0-9-]{1,60})?$/;

type Visit = Omit<PageRequest, 'nonce'>;

interface SharedRendering {
  drawn: Response | CachedPage;
  /** Reports of its loaders. */
  failures: readonly unknown[];
}

export interface Pages {
  asset(request: Request): Promise<Response | null>;
  /** Answers a guest's request from the cache, bypassing all middleware; returns false on a miss. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  render(request: Request, page: Visit): Promise<Response>;
  /** Caches texts shared by all visitors. */
  kept(key: string, make: () => Promise<ReadonlyMap<string, string>>): Promise<ReadonlyMap<string, string>>;
  /** The build's service worker; null in development. */
  worker(): Promise<string | null>;
  forget(): void;
  develop?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}

export interface Build {
  load(): Promise<ServerBuild>;
  worker: string | null;
  assets: Pages['asset'];
  develop?: Pages['develop'];
}

/** Vite's hot-reload socket, allowed by the CSP. */
const reloadSocket = ' ws://localhost:24678';

export function pagesOf({ load, assets, worker, develop }: Build): Pages {
  const cache = openPageCache();
  const share = shareRenderings<SharedRendering>();
  const texts = new Map<string, CachedTexts>();
  // Placeholder in cached pages for the response's nonce; random, so page content can't contain it.
  const placeholder = randomBytes(18).toString('base64url');
  return {
    asset: assets,
    develop,
    forget() {
      cache.clear();
      texts.clear();
    },
    async kept(key, make) {
      const now = systemNow().epochMilliseconds;
      const known = texts.get(key);
      if (known && now - known.at < maxAgeMs) return known.made;
      // Concurrent calls share one promise; failures aren't cached.
      const made = make();
      texts.set(key, { at: now, made });
      made.catch(() => texts.delete(key));
      return made;
    },
    worker: async () => worker && workerOf(worker, (await load()).assets),
    answer({ method = '', url = '', headers }, response) {
      const page = isGuest(method, headers.cookie) && cache.get(url, systemNow().epochMilliseconds);
      if (!page) return false;
      const answer = answerOf(page, headers['accept-encoding']);
      response
        .writeHead(200, { ...answer.headers, 'content-length': answer.body.byteLength })
        .end(answer.body);
      return true;
    },
    async render(request, page) {
      const url = new URL(request.url);
      const guest = isGuest(request.method, request.headers.get('cookie'));
      const reads = guest && isDocument(url);
      const key = url.pathname + url.search;
      const keeps = guest && cacheable.test(key);
      const drawn = reads ? drawDocument : draw;
      if ((!reads && !keeps) || page.closed !== null) return sent(request, await drawn(request, page));
      return drawShared(key, request, page, { draw: drawn, keeps });
    },
  };

  /** Guests who ask at once share one rendering. */
  async function drawShared(
    key: string,
    request: Request,
    page: Visit,
    how: { draw: typeof draw; keeps: boolean },
  ): Promise<Response> {
    const { drawn, failures } = await share(key, async () => {
      const known = how.keeps && cache.get(key, systemNow().epochMilliseconds);
      if (known) return { drawn: known, failures: [] };
      const drops = cache.drops();
      const failed: unknown[] = [];
      // Without its signal: others wait too when the guest who asked first leaves.
      const unsignaled = new Request(request.url, { headers: request.headers });
      const made = await how.draw(unsignaled, { ...page, report: (error) => failed.push(error) });
      if (!how.keeps || !isWhole(made)) return { drawn: made, failures: failed };
      const at = systemNow().epochMilliseconds;
      return { drawn: cache.set(key, await made.text(), placeholder, at, drops), failures: failed };
    });
    for (const failure of failures) page.report(failure);
    if (drawn instanceof Response) return sent(request, drawn.clone());
    const { body, headers } = answerOf(drawn, request.headers.get('accept-encoding'));
    return new Response(body, { headers });
  }

  async function drawDocument(request: Request, page: Visit): Promise<Response> {
    const response = await draw(request, page);
    return isWhole(response) ? new Response(withScriptDeferred(await response.text()), response) : response;
  }

  function isGuest(method: string, cookie: string | null | undefined): boolean {
    return !develop && method === 'GET' && isAnonymous(cookie);
  }

  async function draw(request: Request, page: Visit): Promise<Response> {
    const build = await load();
    const { pageRequest } = build.entry.module as unknown as typeof import('./web/contexts.ts');
    const context = new RouterContextProvider();
    context.set(pageRequest, { ...page, nonce: placeholder });
    return createRequestHandler(build, develop ? 'development' : 'production')(request, context);
  }

  async function sent(request: Request, response: Response): Promise<Response> {
    response.headers.set('cache-control', 'no-store');
    if (!isPage(response)) return compressed(request, response);
    const nonce = newNonce();
    response.headers.set('content-security-policy', contentSecurityPolicy(nonce, develop && reloadSocket));
    const html = (await response.text()).replaceAll(placeholder, nonce);
    return compressed(request, new Response(html, response));
  }
}

function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** True for complete pages, alike for all guests. */
function isWhole(response: Response): boolean {
  return isPage(response) && response.status === 200 && !response.headers.has('set-cookie');
}

interface CachedTexts {
  at: number;
  made: Promise<ReadonlyMap<string, string>>;
}

function workerOf(source: string, { version, url, entry, routes }: ServerBuild['assets']): string {
  const parts = ['root', 'routes/offline'].flatMap((id) => {
    const route = routes[id];
    return route ? [route.module, ...(route.imports ?? []), ...(route.css ?? [])] : [];
  });
  const shell = JSON.stringify([...new Set([url, entry.module, ...entry.imports, ...parts, '/icon.svg'])]);
  const stamp = digest(`${version} ${shell} ${source}`).slice(0, 16);
  return source.replace('__VERSION__', stamp).replace('__SHELL__', shell);
}

function answerOf(
  page: CachedPage,
  acceptEncoding: string | null | undefined,
): { body: Buffer<ArrayBuffer>; headers: Record<string, string> } {
  const nonce = newNonce();
  const gzip = accepts(acceptEncoding, 'gzip');
  return {
    body: withNonce(page, nonce, gzip),
    headers: {
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(nonce),
      'cache-control': 'no-store',
      vary: 'accept-encoding, cookie',
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    },
  };
}

function newNonce(): string {
  return randomBytes(16).toString('base64url');
}
