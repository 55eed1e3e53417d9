import { randomBytes } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import { takeRequest, type OpenIdRequest, type Proof } from '../openid/commands.ts';
import { requestMinutes, type Purpose } from '../openid/rules.ts';
import { isCanonical, walletIssuer } from './rules.ts';

type WalletPurpose = Exclude<Purpose, 'link'>;

const statements: Readonly<Record<WalletPurpose, typeof m.accounts_wallet_statement>> = {
  sign_in: m.accounts_wallet_statement,
  connect: m.identities_wallet_statement,
};

/** Returns the message for a wallet to sign (EIP-4361). Its hash is the request's state, so any change is refused. */
export async function newMessage(
  { now }: Ctx,
  { appUrl, purpose, address }: { appUrl: string; purpose: WalletPurpose; address: string },
): Promise<string> {
  // Only sites with wallets load it.
  const { createSiweMessage } = await import('viem/siwe');
  return createSiweMessage({
    domain: new URL(appUrl).host,
    uri: appUrl,
    address: address as `0x${string}`,
    statement: statements[purpose]({}, { locale: baseLocale }),
    version: '1',
    chainId: 1,
    nonce: randomBytes(24).toString('hex'),
    issuedAt: new Date(now().epochMilliseconds),
    expirationTime: new Date(now().add({ minutes: requestMinutes }).epochMilliseconds),
  });
}

/** Returns the sites among the programs' addresses: other schemes have no origin. */
export function originsOf(redirects: readonly string[]): string[] {
  return redirects.map((redirect) => new URL(redirect).origin).filter((origin) => origin !== 'null');
}

/**
 * Checks the signature of a message that `newMessage` made, once: right or wrong, it's used up. Throws precondition
 * `provider_expired`, and like `proveWallet`.
 */
export async function takeSignature(
  ctx: Ctx,
  request: OpenIdRequest,
  { message, signature }: { message: string; signature: string },
): Promise<Proof> {
  await takeRequest(ctx, request);
  const { parseSiweMessage } = await import('viem/siwe');
  return proveWallet({ address: parseSiweMessage(message).address!, message, signature });
}

/** Throws invalid `wallet_contract`, unauthenticated `wallet_refused` unless the address's key signed the message. */
export async function proveWallet({
  address,
  message,
  signature,
}: {
  address: string;
  message: string;
  signature: string;
}): Promise<Proof> {
  // Checking contract signatures needs a chain (EIP-1271, ERC-6492).
  if (signature.length > 132) throw new AppError('invalid', 'wallet_contract');
  const { getAddress, verifyMessage } = await import('viem/utils');
  const signed = { address, message, signature } as Parameters<typeof verifyMessage>[0];
  if (!isCanonical(signature) || !(await verifyMessage(signed).catch(() => false)))
    throw new AppError('unauthenticated', 'wallet_refused');
  return {
    issuer: walletIssuer,
    subject: getAddress(address),
    email: null,
    emailVerified: false,
    name: null,
  };
}
