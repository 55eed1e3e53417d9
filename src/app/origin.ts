/** CSRF check; safe methods always pass. */
export function isSameOrigin(request: Request, appUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  return isOwnOrigin(request.headers.get('origin'), new URL(request.url).host, appUrl);
}

/** Accepts the public origin, or the requested loopback host when the public URL isn't https. */
export function isOwnOrigin(origin: string | null, host: string, appUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false;
  const seen = new URL(appUrl);
  if (origin === seen.origin) return true;
  return seen.protocol === 'http:' && new URL(origin).host === host && isLoopback(host);
}

function isLoopback(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}
