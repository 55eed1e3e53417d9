/** Provider id of wallets in the published client. */
export const walletProvider = 'web3';

/** Providers that linked identities may use. */
export interface OfferedIds {
  providers: readonly { id: string }[];
  walletSignIn?: boolean;
}

export function isOffered({ providers, walletSignIn = false }: OfferedIds, provider: string): boolean {
  return provider === walletProvider ? walletSignIn : providers.some(({ id }) => id === provider);
}

/** Returns the providers of a typed address’s domain. */
export function providersOf<Provider extends { domains: readonly string[] }>(
  typed: string,
  providers: readonly Provider[],
): Provider[] {
  const address = typed.trim().toLowerCase();
  return providers.filter(({ domains }) => domains.some((domain) => address.endsWith(`@${domain}`)));
}

/** Minutes from asking a provider to the session. */
export const requestMinutes = 10;

/** Prefix of a request's state. The holder is bound to it too, so another prefix finds no request. `link` connects for a program. */
export type Purpose = 'sign_in' | 'connect' | 'link';

export function purposeOf(state: string): Purpose {
  const purposes: readonly Purpose[] = ['connect', 'link'];
  return purposes.find((purpose) => state.startsWith(`${purpose}.`)) ?? 'sign_in';
}

/** Returns true if a provider with these domains can vouch for this address. No domains: any address. */
export function isOfDomains(email: string | null, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  return email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
