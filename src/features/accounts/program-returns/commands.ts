import type { z } from 'zod';
import { recordRefused } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { lockAccount, consumeLinkToken } from '../commands.ts';
import {
  callLibrary,
  isOfSecondStep,
  retryOnce,
  type EndpointCall,
  type EndpointInput,
} from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { useNonce } from '../openid/commands.ts';
import { requireProvider } from '../openid/policies.ts';
import { finishLink } from '../program-identities/commands.ts';
import { openProgramSession } from '../program-sessions/commands.ts';
import type { ProgramAnswer } from '../program-sessions/contract.ts';
import { ownerOf, requireIdentity } from '../provider-sign-in/commands.ts';
import { personOf } from '../queries.ts';
import { opensByCode, opensByLink } from '../rules.ts';
import { confirmSignUp } from '../sign-up/commands.ts';
import {
  awaitFactor,
  endWaitingSignIn,
  issueCode,
  signInReturned,
  type ReturnedSignIn,
  type WaitingSignIn,
} from '../waiting-sign-ins/commands.ts';
import { wallet, walletOwner } from '../wallet-sign-in/commands.ts';
import { originsOf, proveWallet } from '../wallets/commands.ts';
import { readMessage } from '../wallets/rules.ts';
import type { returnInputs } from './contract.ts';

/** Answers an emailed link with the address of the program that asked for it. Throws like `consumeLinkToken`. */
export function returnToProgram(
  { ctx, server }: EndpointCall,
  { token }: EndpointInput<'/return-to-program'>,
): Promise<IdentityAnswer> {
  return server.tries.openLink(ctx, () =>
    transact(ctx, async (tx) => ({
      signedIn: false,
      continueAt: await issueCode(tx, await consumeLinkToken(tx, 'program', token)),
    })),
  );
}

/**
 * Exchanges a code once, with the verifier of the program that asked. Throws precondition `return_expired`, invalid
 * `wrong_verifier`, and what signing in with a password throws.
 */
export function exchangeCode(
  call: EndpointCall,
  { auth_code: code, code_verifier: verifier }: z.output<typeof returnInputs.exchange>,
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  return server.tries.proveByProgram(ctx, async () => {
    const signIn = await signInReturned(ctx, code);
    if (!signIn) throw new AppError('precondition', 'return_expired');
    const action = signIn.session_id === null ? 'signed_in' : 'identity_connected';
    return refusalsRecorded(call, { action, userId: signIn.user_id }, async () => {
      if (digest(verifier) === signIn.challenge)
        return signIn.session_id === null
          ? open(call, (tx) => confirmReturned(tx, call, signIn))
          : finishLink(call, signIn);
      await endWaitingSignIn(ctx, signIn);
      throw new AppError('invalid', 'wrong_verifier');
    });
  });
}

/** Confirms a sign-up only for the program that started it and the mailbox's owner together. */
async function confirmReturned(
  tx: TxCtx,
  { server: { adminEmails } }: EndpointCall,
  signIn: ReturnedSignIn,
): Promise<Proven> {
  const { method, identity_id: identityId, sign_up_id: signUpId } = signIn;
  // Locks in the order of `endLinks`.
  if (signIn.user_id !== null) await lockAccount(tx, signIn.user_id);
  const taken = await endWaitingSignIn(tx, signIn);
  const userId = taken && signUpId !== null ? await confirmSignUp(tx, signUpId, adminEmails) : signIn.user_id;
  const expired = new AppError('precondition', 'return_expired');
  if (!taken || userId === null) throw expired;
  if (identityId === null && !opensByCode(await personOf(tx, userId), adminEmails)) throw expired;
  return { userId, method, identityId };
}

/**
 * Signs in with an ID token that the program got from a provider, by the rules of `signInByProvider`. Throws invalid
 * `not_enabled`, and like `readIdToken` and `signInByProvider`.
 */
export function signInByIdToken(
  call: EndpointCall,
  { provider: id, id_token: token, nonce }: z.output<typeof returnInputs.idToken>,
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  const provider = requireProvider(server.openId, id);
  if (provider.programClientIds.length === 0) throw new AppError('invalid', 'not_enabled');
  return server.tries.proveByProgram(ctx, () =>
    refusalsRecorded(call, signingIn, async () => {
      const proof = await server.openId.readIdToken(provider, token, nonce);
      return open(call, async (tx) => {
        await useNonce(tx, proof, nonce);
        const owner = await ownerOf(tx, call, provider, proof);
        await lockAccount(tx, owner.userId);
        await requireIdentity(tx, call, { provider, owner });
        return { userId: owner.userId, method: 'oauth', identityId: owner.identityId };
      });
    }),
  );
}

/**
 * Signs in with a message that a connected wallet signed for one of the programs' sites. Throws
 * unauthenticated `wallet_refused`, precondition `provider_expired`, and like `signInByWallet`.
 */
export function signInByProgramWallet(
  call: EndpointCall,
  signed: z.output<typeof returnInputs.web3>,
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  return server.tries.proveByProgram(ctx, () =>
    refusalsRecorded(call, signingIn, async () => {
      const read = readMessage(signed.message, {
        origins: originsOf(server.programRedirects),
        now: ctx.now(),
      });
      if (!read) throw new AppError('unauthenticated', 'wallet_refused');
      const proof = await proveWallet({ ...signed, address: read.address });
      return open(call, async (tx) => {
        await useNonce(tx, proof, `${proof.subject} ${read.once}`);
        const owner = await walletOwner(tx, proof);
        await lockAccount(tx, owner.userId);
        await requireIdentity(tx, call, { provider: wallet, owner });
        return { userId: owner.userId, method: 'web3', identityId: owner.identityId };
      });
    }),
  );
}

type Proven = Pick<WaitingSignIn, 'userId' | 'method' | 'identityId'>;

/** Opens a session, or a sign-in that waits for the second factor. `take` uses the proof up. */
async function open(call: EndpointCall, take: (tx: TxCtx) => Promise<Proven>): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  const entered = <T>(enter: (inside: EndpointCall, proven: Proven) => Promise<T>) =>
    retryOnce(() => transact(ctx, async (tx) => enter({ ...call, ctx: tx }, await take(tx))));
  try {
    const method = await entered(async (inside, { userId, identityId, method: by }) => {
      // The same as for sign-in links.
      const fresh = identityId === null && opensByLink(await personOf(inside.ctx, userId));
      const how = { userId, identityId, fresh, tellsOfNewDevice: !server.demo };
      await callLibrary(inside, '/sign-in/link', {}, how);
      return by;
    });
    return await openProgramSession(call, { method, withFactor: false });
  } catch (error) {
    if (!(error instanceof AppError) || !isOfSecondStep(error.reason)) throw error;
    return entered((inside, proven) => awaitFactor(inside, { ...proven, password: null, codeId: null }));
  }
}

const signingIn = { action: 'signed_in', userId: null } as const;

async function refusalsRecorded(
  { ctx }: EndpointCall,
  { action, userId }: { action: 'signed_in' | 'identity_connected'; userId: string | null },
  enter: () => Promise<ProgramAnswer>,
): Promise<ProgramAnswer> {
  try {
    return await enter();
  } catch (error) {
    if (error instanceof AppError)
      await recordRefused(ctx, {
        action,
        ...(userId === null ? {} : { subject: { kind: 'person', id: userId } }),
        details: { reason: error.reason },
      });
    throw error;
  }
}
