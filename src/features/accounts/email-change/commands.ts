import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone, type AuditedAction } from '#/features/audit/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import type { KnownPassword } from '#/platform/password-hash.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { mailboxOf } from '#/platform/tokens.ts';
import { changeOwnAddress } from '../address-change/commands.ts';
import { lockAccount, requireFullyFresh, requireLinkToken, signedIn } from '../commands.ts';
import { discardExports } from '../export/commands.ts';
import { requireSamePassword } from '../password/commands.ts';
import { emailChangeOf, personOf, type EmailChangeRequest } from '../queries.ts';
import { linkExpiry } from '../rules.ts';
import type { countAttempts } from '../tries/commands.ts';
import { allowances } from '../tries/rules.ts';
import { notifyAdministrators, type AccountEffects } from '../users/commands.ts';
import {
  emailChangeSides,
  type ConfirmedEmailChange,
  type EmailChange,
  type EmailChangeSide,
  type LinkedEmailChange,
} from './contract.ts';
import { requireChangeable, requireOwnChange } from './policies.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.email_change_requested': { requestId: string };
  }
}

interface EmailChangeServer {
  tries: ReturnType<typeof countAttempts>;
}

export async function ownEmailChange(ctx: Ctx): Promise<EmailChange | null> {
  const request = await emailChangeOf(ctx, { userId: signedIn(ctx).id });
  return request ? viewOf(request) : null;
}

/**
 * Answers the same if another account has the address. `known` is the password just verified, instead of a fresh
 * confirmation. Throws like `requireFullyFresh`, `requireSamePassword` and `requireChangeable`, rate_limited
 * `too_many_tries`.
 */
export async function requestEmailChange(
  ctx: Ctx,
  server: EmailChangeServer,
  { email }: { email: string },
  known?: KnownPassword,
): Promise<EmailChange> {
  const { id, sessionId } = signedIn(ctx);
  if (!known) await requireFullyFresh(ctx);
  await requireChangeable(ctx, id, email);
  await countRequest(ctx, server, id, email);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    await (known ? requireSamePassword(tx, known) : requireFullyFresh(tx));
    await requireChangeable(tx, id, email);
    const request: EmailChangeRequest = {
      user_id: id,
      id: tx.newId(),
      address: email,
      session_id: sessionId,
      former_confirmed_at: null,
      new_confirmed_at: null,
      created_at: new Date(tx.now().epochMilliseconds),
      expires_at: expiry(tx),
    };
    await tx.db
      .insertInto('email_change_requests')
      .values(request)
      .onConflict((on) => on.column('user_id').doUpdateSet(request))
      .execute();
    await mailLinks(tx, request);
    return viewOf(request);
  });
}

/** Throws not_found `email_change`, rate_limited `too_many_tries`. */
export async function resendEmailChange(ctx: Ctx, server: EmailChangeServer): Promise<EmailChange> {
  const { id } = signedIn(ctx);
  const { address } = await requireOwnChange(ctx, id);
  await countRequest(ctx, server, id, address);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    const request = { ...(await requireOwnChange(tx, id)), expires_at: expiry(tx) };
    await tx.db
      .updateTable('email_change_requests')
      .set({ expires_at: request.expires_at })
      .where('id', '=', request.id)
      .execute();
    await mailLinks(tx, request);
    return viewOf(request);
  });
}

/** Throws not_found `email_change`. */
export async function cancelEmailChange(ctx: Ctx): Promise<null> {
  const { id } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    const request = await requireOwnChange(tx, id);
    await tx.db.deleteFrom('email_change_requests').where('id', '=', request.id).execute();
    await noteChange(tx, id, 'email_change_canceled');
    return null;
  });
}

/** Throws precondition `link_expired`. */
export async function readEmailChange(
  ctx: Ctx,
  { tries }: EmailChangeServer,
  token: string,
): Promise<LinkedEmailChange> {
  return tries.openLink(ctx, async () => {
    const { request, side } = await linkedChange(ctx, token);
    return { address: request.address, side };
  });
}

/**
 * Confirms one address by its link; the second confirmation changes the email. Signs nobody in. Throws precondition
 * `link_expired` or `administrator_address`, conflict `address_taken`, forbidden `address_changed`.
 */
export async function confirmEmailChange(
  ctx: Ctx,
  server: EmailChangeServer & { effects: AccountEffects },
  token: string,
): Promise<ConfirmedEmailChange> {
  return server.tries.openLink(ctx, async () => {
    try {
      return await transact(ctx, (tx) => confirm(tx, server.effects, token));
    } catch (error) {
      if (sqlState(error) === '23505') throw new AppError('conflict', 'address_taken');
      throw error;
    }
  });
}

async function confirm(tx: TxCtx, effects: AccountEffects, token: string): Promise<ConfirmedEmailChange> {
  await lockAccount(tx, (await linkedChange(tx, token)).request.user_id);
  // Of two concurrent clicks, the second finds nothing.
  const { request, side } = await linkedChange(tx, token);
  const { id, user_id: userId, address } = request;
  await tx.db.deleteFrom('verifications').where('value', '=', linkValue(side, id)).execute();
  const { former_confirmed_at: former, new_confirmed_at: confirmed } = await tx.db
    .updateTable('email_change_requests')
    .set({ [columns[side]]: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', id)
    .returning(['former_confirmed_at', 'new_confirmed_at'])
    .executeTakeFirstOrThrow(() => new AppError('precondition', 'link_expired'));
  const changed = former !== null && confirmed !== null;
  await noteChange(tx, userId, 'email_change_confirmed', { side });
  if (changed) await complete(tx, effects, request);
  return { address, side, changed };
}

async function complete(
  tx: TxCtx,
  effects: AccountEffects,
  { user_id: userId, address, session_id }: EmailChangeRequest,
): Promise<void> {
  const before = await personOf(tx, userId);
  await requireChangeable(tx, userId, address);
  // Its owner may have confirmed a stranger's request, and the account would administer the site.
  if (effects.adminEmails.includes(address)) throw new AppError('conflict', 'address_taken');
  const outcome = await changeOwnAddress(tx, { userId, to: address, exceptSession: session_id });
  await discardExports(tx, userId);
  await effects.tellAddresses(tx, userId, { from: before.email, to: address }, outcome);
  await noteChange(tx, userId, 'email_changed');
  await notifyAdministrators(tx, userId);
}

const columns = { former: 'former_confirmed_at', new: 'new_confirmed_at' } as const satisfies Record<
  EmailChangeSide,
  unknown
>;

export function linkValue(side: EmailChangeSide, requestId: string): string {
  return `${side}:${requestId}`;
}

/** Per person, and per new address, whoever asks. */
async function countRequest(
  ctx: Ctx,
  { tries }: EmailChangeServer,
  userId: string,
  address: string,
): Promise<void> {
  for (const [kind, whose] of [
    ['email change', userId],
    ['email change to', mailboxOf(address)],
  ] as const) {
    if (!(await tries.countMail(ctx, kind, whose, { perNetwork: 'email changes' })))
      throw new AppError('rate_limited', 'too_many_tries');
    await tries.limit(ctx, tries.keyOf(`${kind} day`, whose), allowances.emailChangesDay);
  }
}

async function mailLinks(tx: TxCtx, { id, user_id: userId }: EmailChangeRequest): Promise<void> {
  await noteChange(tx, userId, 'email_change_requested');
  await tx.emit(tx, 'accounts.email_change_requested', { requestId: id });
}

async function noteChange(
  tx: TxCtx,
  userId: string,
  action: Extract<Action, `email_change${string}`>,
  details?: AuditedAction['details'],
): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: userId }, ...(details && { details }) });
  await publish(tx, [`person:${userId}`], { type: 'accounts.profile_changed', id: userId });
}

function expiry(tx: TxCtx): Date {
  return new Date(linkExpiry('email-change', tx.now()).epochMilliseconds);
}

function viewOf({
  address,
  former_confirmed_at: former,
  new_confirmed_at: confirmed,
  expires_at,
}: EmailChangeRequest): EmailChange {
  return {
    address,
    formerConfirmed: former !== null,
    newConfirmed: confirmed !== null,
    expiresAt: expires_at.toISOString(),
  };
}

/** Throws precondition `link_expired`. */
async function linkedChange(
  ctx: Ctx,
  token: string,
): Promise<{ request: EmailChangeRequest; side: EmailChangeSide }> {
  const value = await requireLinkToken(ctx, 'email-change', token);
  const [named, id] = value.split(':');
  const side = emailChangeSides.find((one) => one === named);
  const request = side && id ? await emailChangeOf(ctx, { id }) : undefined;
  if (!side || !request) throw new AppError('precondition', 'link_expired');
  return { request, side };
}
