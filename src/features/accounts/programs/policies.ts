import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ReturnTo } from '../identity/contract.ts';
import { isOffered } from '../program-sessions/queries.ts';

/** Returns what answers a route. Throws `not_found` (`no_such_route`) if nothing does, or programs are off for everyone. */
export async function requireRoute<Route>(
  ctx: Ctx,
  routes: Readonly<Record<string, Route>>,
  route: string,
): Promise<Route> {
  const answer = Object.hasOwn(routes, route) ? routes[route] : undefined;
  if (!answer || !(await isOffered(ctx))) throw new AppError('not_found', 'no_such_route');
  return answer;
}

/** Returns the SAML provider of an id or a domain. Throws `not_found` (`saml_provider`) for any other. */
export function requireSamlProvider(
  providers: readonly { id: string; domains: readonly string[] }[],
  { provider_id: id, domain = '' }: { provider_id?: string | undefined; domain?: string | undefined },
): { id: string } {
  const provider = providers.find((one) => one.id === id || one.domains.includes(domain));
  if (!provider) throw new AppError('not_found', 'saml_provider');
  return provider;
}

/**
 * Returns where a program waits for a code; null if it sent no challenge, or the site returns to no programs. Only a whole
 * registered address counts; without one, the first. Throws invalid `redirect_unregistered`.
 */
export function returnToOf(
  redirects: readonly string[],
  challenge: string | null | undefined,
  redirectTo: string | null,
): ReturnTo | null {
  const [first] = redirects;
  if (!challenge || first === undefined) return null;
  const redirect = redirectTo ?? first;
  if (!redirects.includes(redirect)) throw new AppError('invalid', 'redirect_unregistered');
  return { challenge, redirect };
}
