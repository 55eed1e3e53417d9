/** Provider id of wallets, as in the published client. */
export const walletProvider = 'web3';

/** Providers that linked identities may use. */
export interface OfferedIds {
  providers: readonly { id: string }[];
  walletSignIn?: boolean;
}

export function isOffered({ providers, walletSignIn = false }: OfferedIds, provider: string): boolean {
  return provider === walletProvider ? walletSignIn : providers.some(({ id }) => id === provider);
}

/** Minutes from asking a provider to the session. */
export const requestMinutes = 10;

/** Prefix of a request's state, for the returning page only: the server doesn't rely on it. */
export type Purpose = 'sign_in' | 'connect';

export function purposeOf(state: string): Purpose {
  return state.startsWith('connect.') ? 'connect' : 'sign_in';
}

/** Returns true if a provider without domains, or one of them, may vouch for this address. */
export function isOfDomains(email: string | null, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  return email !== null && domains.includes(email.slice(email.lastIndexOf('@') + 1));
}
