import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import { networkOf } from '#/platform/http/address.ts';
import { m } from '#/texts/messages.js';
import type { EndpointCall, EndpointInput } from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import type { Proof } from '../openid/commands.ts';
import { findIdentity } from '../openid/queries.ts';
import { walletProvider } from '../openid/rules.ts';
import { answerRequest, awaitBrowser, type Owner } from '../provider-sign-in/commands.ts';
import { allowances } from '../tries/rules.ts';
import { newMessage, consumeSignature } from '../wallets/commands.ts';

/** Its name in refusals. */
export const wallet = {
  id: walletProvider,
  label: m.accounts_wallet_label(),
};

/** Returns a message for this browser's wallet to sign, known or not. Throws rate_limited `too_many_tries`. */
export async function requestWallet(
  call: EndpointCall,
  { address }: EndpointInput<'/request-wallet'>,
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const networkKey = server.tries.keyOf('wallets asked at', networkOf(ctx.address ?? ''));
  await server.tries.limit(ctx, networkKey, allowances.challenges);
  const message = await newMessage(ctx, { appUrl: server.appUrl, purpose: 'sign_in', address });
  await awaitBrowser(call, { state: message, provider: wallet.id, next: '/home' });
  return { signedIn: false, message };
}

/**
 * Signs in with a message that a connected wallet signed in this browser. Throws precondition `provider_expired` for any
 * other message, forbidden `wallet_unknown`, like `proveWallet`, and what signing in with a password throws.
 */
export function signInByWallet(
  call: EndpointCall,
  input: EndpointInput<'/sign-in/wallet'>,
): Promise<IdentityAnswer> {
  return answerRequest(call, {
    provider: wallet,
    state: input.message,
    prove: (request) => consumeSignature(call.ctx, request, input),
    ownerOf: walletOwner,
    input,
  });
}

/** Returns a connected wallet's owner. Wallets never create accounts, because they prove no email address. Throws forbidden `wallet_unknown`. */
export async function walletOwner(tx: TxCtx, proof: Proof): Promise<Owner> {
  const known = await findIdentity(tx, proof);
  if (!known) throw new AppError('forbidden', 'wallet_unknown');
  return { userId: known.user_id, identityId: known.id, email: null };
}
