import { AppError } from '#/kernel/errors.ts';
import { parseBody } from '#/platform/http/json-body.ts';
import type { ReturnTo } from '../identity/contract.ts';
import { returnInputs } from '../program-returns/contract.ts';

/** Returns the first provider with this id or domain. Throws `not_found` (`sso_provider`) if none with domains has. */
export function requireSsoProvider(
  providers: readonly { id: string; domains: readonly string[] }[],
  { provider_id: sent, domain = '' }: { provider_id?: string | undefined; domain?: string | undefined },
): { id: string } {
  const provider = providers.find(
    ({ id, domains }) => domains.includes(domain) || (id === sent && domains.length > 0),
  );
  if (!provider) throw new AppError('not_found', 'sso_provider');
  return provider;
}

/**
 * Returns where a program waits for a code; null if it sent no challenge, or the site returns to no programs. Only a whole
 * registered address counts; without one, the first. Throws invalid `redirect_unregistered`.
 */
export function returnToOf(
  redirects: readonly string[],
  sent: unknown,
  redirectTo: string | null,
): ReturnTo | null {
  const { code_challenge: challenge } = parseBody(returnInputs.challenge, sent);
  const [first] = redirects;
  if (!challenge || first === undefined) return null;
  const redirect = redirectTo ?? first;
  if (!redirects.includes(redirect)) throw new AppError('invalid', 'redirect_unregistered');
  return { challenge, redirect };
}

/** Like `returnToOf`, and throws invalid `not_enabled` where that is null. */
export function requireReturnTo(
  redirects: readonly string[],
  sent: unknown,
  redirectTo: string | null,
): ReturnTo {
  const returnTo = returnToOf(redirects, sent, redirectTo);
  if (!returnTo) throw new AppError('invalid', 'not_enabled');
  return returnTo;
}
