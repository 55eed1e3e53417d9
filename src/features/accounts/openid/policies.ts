import { AppError } from '#/kernel/errors.ts';
import type { OpenIdProvider } from '#/platform/openid-providers.ts';

/** Returns a provider that the site offers. Throws `not_found` (`provider`) for any other. */
export function requireProvider(
  { providers }: { providers: readonly OpenIdProvider[] },
  id: string,
): OpenIdProvider {
  const provider = providers.find((one) => one.id === id);
  if (!provider) throw new AppError('not_found', 'provider');
  return provider;
}
