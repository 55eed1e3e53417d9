import { AppError } from '#/kernel/errors.ts';

/** Returns a provider that the site offers. Throws `not_found` (`provider`) for any other. */
export function requireProvider<Provider extends { id: string }>(
  { providers }: { providers: readonly Provider[] },
  id: string,
): Provider {
  const provider = providers.find((one) => one.id === id);
  if (!provider) throw new AppError('not_found', 'provider');
  return provider;
}
