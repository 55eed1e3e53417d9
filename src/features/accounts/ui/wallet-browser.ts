import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import type { FailureTexts } from '#/web/failures.ts';
import { identityErrorText } from './identity-call.ts';

/** A wallet in this browser. */
export interface Wallet {
  id: string;
  /** Null if it doesn't announce itself. */
  name: string | null;
  provider: Provider;
}

/** EIP-1193. */
interface Provider {
  request: (asked: { method: string; params?: readonly unknown[] }) => Promise<unknown>;
}

declare global {
  interface Window {
    ethereum?: Provider;
  }
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<{ info: { uuid: string; name: string }; provider: Provider }>;
  }
}

/** Returns announced wallets (EIP-6963), otherwise the older `window.ethereum`. */
export function useWallets(): readonly Wallet[] {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  useEffect(() => {
    const add = (wallet: Wallet) =>
      setWallets((known) =>
        known.some(({ id }) => id === wallet.id)
          ? known
          : [...known.filter(({ name }) => name !== null), wallet],
      );
    const announced = ({ detail: { info, provider } }: WindowEventMap['eip6963:announceProvider']) =>
      add({ id: info.uuid, name: info.name, provider });
    if (window.ethereum) add({ id: '', name: null, provider: window.ethereum });
    window.addEventListener('eip6963:announceProvider', announced);
    window.dispatchEvent(new Event('eip6963:requestProvider'));
    return () => window.removeEventListener('eip6963:announceProvider', announced);
  }, []);
  return wallets;
}

/** A wallet's signed message. */
export interface Signed {
  message: string;
  signature: string;
}

/** Requests an account, then a signature for the server's message. */
export async function signWith(
  { provider }: Wallet,
  newMessage: (address: string) => Promise<string>,
): Promise<Signed> {
  const [address] = (await requestOf(provider, 'eth_requestAccounts')) as string[];
  if (address === undefined) throw new WalletRefusal(undefined);
  const message = await newMessage(address);
  const bytes = new TextEncoder().encode(message);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { message, signature: (await requestOf(provider, 'personal_sign', `0x${hex}`, address)) as string };
}

class WalletRefusal extends Error {
  readonly code: number | undefined;

  constructor(code: number | undefined) {
    super('the wallet refused');
    this.code = code;
  }
}

async function requestOf(provider: Provider, method: string, ...params: readonly string[]): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    // Wallets may throw anything.
    throw new WalletRefusal((error as { code?: number } | undefined)?.code);
  }
}

/** By codes of EIP-1193 and EIP-1474. */
const refusals: Readonly<Record<number, () => string>> = {
  4001: m.accounts_wallet_rejected,
  [-32002]: m.accounts_wallet_pending,
};

export function walletErrorText(error: unknown, general?: FailureTexts): string {
  if (!(error instanceof WalletRefusal)) return identityErrorText(error, general);
  return (refusals[error.code ?? 0] ?? m.accounts_wallet_failed)();
}
