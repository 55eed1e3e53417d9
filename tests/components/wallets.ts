type Asked = { method: string; params?: readonly unknown[] };

export const walletAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

/** A wallet extension in this page (EIP-1193, EIP-6963) that records its requests. */
export function installWallet(name: string, { silent = false } = {}) {
  const asked: Asked[] = [];
  const wallet = {
    asked,
    /** Replaces its response to a method. */
    answers: {} as Record<string, () => unknown>,
    /** Extensions bind nothing. */
    provider: {
      wallet: null as unknown,
      async request(this: { wallet: unknown }, { method, params }: Asked): Promise<unknown> {
        if (this.wallet !== wallet) throw new TypeError('called without its provider');
        asked.push({ method, params: params ?? [] });
        if (wallet.answers[method]) return wallet.answers[method]();
        return method === 'eth_requestAccounts' ? [walletAddress] : '0x5195';
      },
    },
    remove() {
      window.removeEventListener('eip6963:requestProvider', announce);
      delete window.ethereum;
    },
  };
  wallet.provider.wallet = wallet;
  const detail = Object.freeze({ info: { uuid: name, name }, provider: wallet.provider });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  if (silent) window.ethereum = wallet.provider;
  else window.addEventListener('eip6963:requestProvider', announce);
  return wallet;
}
