import { AppError } from '#/kernel/errors.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { lockAccount, requireFullyFresh, signedIn } from '../commands.ts';
import type { EndpointCall, EndpointInput } from '../identity/commands.ts';
import type { IdentityAnswer, ReturnTo } from '../identity/contract.ts';
import { connect, requireConnectable } from '../linked-identities/commands.ts';
import {
  storeProof,
  proofIn,
  requireDomain,
  requireRequest,
  stateIn,
  consumeAnswer,
  consumeProofFor,
  useNonce,
} from '../openid/commands.ts';
import { requireProvider } from '../openid/policies.ts';
import { requestMinutes } from '../openid/rules.ts';
import { personOfClaims, renewSession } from '../program-sessions/commands.ts';
import type { ProgramAnswer } from '../program-sessions/contract.ts';
import { askProvider, awaitBrowser, clearCookie, holderOf } from '../provider-sign-in/commands.ts';
import { allowances } from '../tries/rules.ts';
import {
  awaitReturn,
  endWaitingSignIn,
  issueCode,
  type ReturnedSignIn,
} from '../waiting-sign-ins/commands.ts';

/**
 * Returns an id with which a browser can go to a provider once, to connect an identity to this session's account. It's
 * connected when the program exchanges the code that the browser returns with. Throws like `beginIdentity`.
 */
export async function beginLink(
  { ctx, server }: EndpointCall,
  id: string,
  returnTo: ReturnTo,
): Promise<string> {
  await requireConnectable(ctx, server, id);
  const { id: userId, sessionId } = signedIn(ctx);
  await server.tries.limit(ctx, server.tries.keyOf('links begun', userId), allowances.challenges);
  const expiresAt = ctx.now().add({ minutes: requestMinutes });
  return (await awaitReturn(ctx, returnTo, { method: 'oauth', expiresAt, userId, sessionId }))!;
}

/** Returns the provider's page for this browser. Throws precondition `link_expired`, and like `requestProvider`. */
export async function openLink(
  call: EndpointCall,
  { provider: id, link }: { provider: string; link: string },
): Promise<string> {
  const { ctx } = call;
  await ctx.db
    .selectFrom('program_sign_ins')
    .select('id')
    .where('id', '=', link)
    .where('session_id', 'is not', null)
    .where('code', 'is', null)
    .where('expires_at', '>', new Date(ctx.now().epochMilliseconds))
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'link_expired'));
  const { state, continueAt } = await askProvider(call, id, 'link');
  try {
    await awaitBrowser(call, { state, provider: id, next: '/home', signInId: link }, 'link');
  } catch (error) {
    // A browser went there before.
    throw sqlState(error) === '23505' ? new AppError('precondition', 'link_expired') : error;
  }
  return continueAt;
}

/**
 * Stores the provider's answer to this browser, and returns to the program. Throws not_found `provider`, and like
 * `consumeAnswer` and `issueCode`.
 */
export function answerLink(
  call: EndpointCall,
  { provider: id, answer }: EndpointInput<'/sign-in/provider'>,
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  requireProvider(server, id);
  const state = stateIn(answer);
  return server.tries.countedByNetwork(ctx, 'providers', async (networkKey) => {
    const request = await requireRequest(ctx, holderOf(call, state, 'link'), { state, provider: id });
    const proof = await consumeAnswer(ctx, server, request, answer);
    const continueAt = await transact(ctx, async (tx) => {
      await storeProof(tx, request, proof);
      return issueCode(tx, request.sign_in_id!);
    });
    clearCookie(call, state);
    await uncountAttempt(ctx.db, networkKey);
    return { signedIn: false, continueAt };
  });
}

/**
 * Connects the proven identity to the account of the session that asked, and renews that session. Throws precondition
 * `return_expired` if the session ended, and like `connectIdentity`.
 */
export async function finishLink(call: EndpointCall, signIn: ReturnedSignIn): Promise<ProgramAnswer> {
  const { server } = call;
  const claims = { sub: signIn.user_id!, session_id: signIn.session_id! };
  const actor = await personOfClaims(server, claims, { noted: true });
  const expired = new AppError('precondition', 'return_expired');
  if (!actor) throw expired;
  await transact({ ...call.ctx, actor }, async (tx) => {
    // Locks in the order of `endLinks`.
    await lockAccount(tx, actor.id);
    const request = await consumeProofFor(tx, signIn.id);
    const proof = request && proofIn(request);
    if (!proof || !(await endWaitingSignIn(tx, signIn))) throw expired;
    requireDomain(requireProvider(server, request.provider), proof);
    await connect(tx, server, { provider: request.provider, proof });
  });
  return renewSession(call, actor, { verified: false });
}

/** Connects the identity of an ID token that the program got. Throws like `readIdToken` and `connectIdentity`. */
export async function connectByIdToken(
  call: EndpointCall,
  { provider: id, id_token: token, nonce }: { provider: string; id_token: string; nonce: string },
): Promise<ProgramAnswer> {
  const { ctx, server } = call;
  await requireFullyFresh(ctx);
  const provider = requireProvider(server.openId, id);
  if (provider.programClientIds.length === 0) throw new AppError('invalid', 'not_enabled');
  return server.tries.proveByProgram(ctx, async () => {
    const proof = await server.openId.readIdToken(provider, token, nonce);
    requireDomain(provider, proof);
    await transact(ctx, async (tx) => {
      await useNonce(tx, proof, nonce);
      await connect(tx, server, { provider: id, proof });
    });
    return renewSession(call, signedIn(ctx), { verified: false });
  });
}
