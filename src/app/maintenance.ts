import type { Actor } from '#/kernel/actor.ts';

/** `Retry-After` for browsers and API clients. */
export const retryAfterSeconds = 300;

/** Paths administrators need to sign in: the portal and identity routes, except sign-up. */
const open = /^\/(?:(?:admin\/settings|adminsettings)(?:\.data)?$|api\/auth\/(?!sign-up\/))/;

/** Non-page requests, answered with problem+json. */
const spoken = /^\/(?:api|(?:auth|storage|realtime)\/v1|files|calendar)\/|\.(?:data|txt|xml|webmanifest)$/;

export function isClosed(actor: Actor, path: string): boolean {
  return !(actor.kind === 'person' && actor.role === 'super_admin') && !open.test(path);
}

export function isForPage({ method, url }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !spoken.test(new URL(url).pathname);
}
