import { randomBytes } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';
import { consumeRequest, type OpenIdRequest, type Proof } from '../openid/commands.ts';
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
  const { addr } = await ethereum();
  const time = (instant: Temporal.Instant) => new Date(instant.epochMilliseconds).toISOString();
  return [
    `${new URL(appUrl).host} wants you to sign in with your Ethereum account:`,
    addr.addChecksum(address),
    '',
    statements[purpose](),
    '',
    `URI: ${appUrl}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${randomBytes(24).toString('hex')}`,
    `Issued At: ${time(now())}`,
    `Expiration Time: ${time(now().add({ minutes: requestMinutes }))}`,
  ].join('\n');
}

/** Only sites with wallets load it. */
const ethereum = () => import('micro-eth-signer');

/** Returns the sites among the programs' addresses: other schemes have no origin. */
export function originsOf(redirects: readonly string[]): string[] {
  return redirects.map((redirect) => new URL(redirect).origin).filter((origin) => origin !== 'null');
}

/**
 * Checks the signature of a message that `newMessage` made, once: right or wrong, it's used up. Throws precondition
 * `provider_expired`, and like `proveWallet`.
 */
export async function consumeSignature(
  ctx: Ctx,
  request: OpenIdRequest,
  { message, signature }: { message: string; signature: string },
): Promise<Proof> {
  await consumeRequest(ctx, request);
  const [, address = ''] = message.split('\n');
  return proveWallet({ address, message, signature });
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
  const { addr, eip191Signer } = await ethereum();
  const subject = addr.addChecksum(address);
  const signer = () => {
    try {
      return eip191Signer.recoverAddress(signature.toLowerCase(), message);
    } catch {
      return null;
    }
  };
  if (!isCanonical(signature) || signer() !== subject)
    throw new AppError('unauthenticated', 'wallet_refused');
  return {
    issuer: walletIssuer,
    subject,
    email: null,
    emailVerified: false,
    name: null,
  };
}
