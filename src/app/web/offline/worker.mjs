/*
 * The service worker: caches the built files, whose names contain their hashes, and the offline page. Pages are always
 * requested from the server, and nothing personal is cached. The server writes this build's version and files into
 * this script, so each build has a new worker.
 */
const version = '__VERSION__';
const shell = JSON.parse('__SHELL__');

const cacheName = `italk-${version}`;
const offlinePage = '/offline';

self.addEventListener('install', (event) => {
  event.waitUntil(install());
});

async function install() {
  const cache = await caches.open(cacheName);
  // Fetched without cookies, so it contains no personal data.
  const page = await fetch(new Request(offlinePage, { credentials: 'omit', cache: 'reload' }));
  if (!page.ok || page.redirected) throw new Error('the offline page could not be loaded');
  const html = await page.clone().text();
  const linked = [...html.matchAll(/<link[^>]+href="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
  await cache.addAll([...new Set([...shell, ...linked])]);
  await cache.put(offlinePage, page);
  await self.skipWaiting();
}

self.addEventListener('activate', (event) => {
  event.waitUntil(activate());
});

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith('italk-') && name !== cacheName) await caches.delete(name);
  }
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(answerOf(event, url));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

/** A page from the server; without a network the offline page, at its own address. */
async function answerOf(event, url) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const kept = await caches.match(offlinePage);
    if (!kept) return Response.error();
    if (url.pathname === offlinePage) return kept;
    return Response.redirect(`${offlinePage}?from=${encodeURIComponent(url.pathname + url.search)}`);
  }
}

/** A built file never changes under its name. */
async function asset(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const copy = answer.clone();
    caches
      .open(cacheName)
      .then((cache) => cache.put(request, copy))
      .catch(() => undefined);
  }
  return answer;
}
