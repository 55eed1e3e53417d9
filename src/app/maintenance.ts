import type { Actor } from '#/kernel/actor.ts';

/** After how many seconds browsers and programs may ask again. */
export const retryAfterSeconds = 300;

/** By what administrators come in: the portal with its gate, and the identity routes, but for making accounts. */
const open = /^\/(?:(?:admin\/settings|adminsettings)(?:\.data)?$|api\/auth\/(?!sign-up\/))/;

/** What isn't a page that somebody looks at: it is answered by a problem. */
const spoken = /^\/(?:api|files|calendar)\/|\.(?:data|txt|xml|webmanifest)$/;

/** Whether a closed site is closed to this person and path. */
export function isShut(actor: Actor, path: string): boolean {
  return !(actor.kind === 'person' && actor.role === 'super_admin') && !open.test(path);
}

/** Whether a request is for a page, which can tell a person that the site is closed. */
export function isForPage({ method, url }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !spoken.test(new URL(url).pathname);
}
