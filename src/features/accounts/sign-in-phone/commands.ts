import { createHmac } from 'node:crypto';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { SmsRefused } from '#/platform/sms/sms.ts';
import { m } from '#/texts/messages.js';
import { lockAccount, requireFullyFresh, signedIn } from '../commands.ts';
import {
  awaitCode,
  codeAwaited,
  countTry,
  isRightCode,
  makeCode,
  consumeCode,
} from '../emailed-codes/commands.ts';
import { personOf } from '../queries.ts';
import { codeMinutes, type SecurityChange } from '../rules.ts';
import { endOpenedSessions } from '../session/commands.ts';
import { countText, requireNumber, requireTexts, textOf, type TextServer } from '../texted-codes/commands.ts';
import { phoneOf } from '../texted-codes/queries.ts';
import { allowances } from '../tries/rules.ts';
import type { SignInPhoneView } from './contract.ts';
import { requireOwnPhone } from './policies.ts';

export async function ownSignInPhone(ctx: Ctx): Promise<SignInPhoneView | null> {
  const phone = await phoneOf(ctx, signedIn(ctx).id);
  return phone ? { phone: phone.number, createdAt: phone.created_at.toISOString() } : null;
}

/**
 * Texts a code to a number that this session wants to add. Another account's number gets one too, so nobody learns about
 * numbers. Throws like `requireAddable`, `requireNumber` and `countText`, invalid `refused` for `phone`, unavailable
 * `texts_down`.
 */
export async function beginSignInPhone(
  ctx: Ctx,
  server: TextServer,
  { phone }: { phone: string },
): Promise<{ phone: string }> {
  const { id, sessionId } = signedIn(ctx);
  await requireAddable(ctx, id);
  const sms = await requireTexts(ctx, server);
  const number = await requireNumber(sms, phone);
  const uncount = await countText(ctx, server, sms, { to: 'add', whose: [number, id] });
  const made = await transact(ctx, async (tx) => {
    const codeId = await awaitCode(tx, {
      address: server.tries.keyOf('new phone', sessionId),
      device: deviceOf(server, sessionId, number),
      network: null,
      userId: id,
    });
    await recordDone(tx, { action: 'phone_code_requested', subject: { kind: 'person', id } });
    return makeCode(tx, codeId);
  });
  const { code } = made!;
  const words = m.sms_confirm_code({ code, minutes: codeMinutes });
  await sms.send({ to: number, body: textOf(words, code, server.appUrl) }).catch(async (error: unknown) => {
    await uncount();
    throw error instanceof SmsRefused ? invalidField('phone', 'refused') : error;
  });
  return { phone: number };
}

/**
 * Adds the number that got this code. Throws like `requireAddable` and `requireNumber`, precondition `code_expired` or
 * `code_spent`, invalid `wrong_code` for `code`, conflict `phone_taken`.
 */
export async function addSignInPhone(
  ctx: Ctx,
  server: TextServer,
  { phone, code }: { phone: string; code: string },
): Promise<SignInPhoneView> {
  const { id, sessionId } = signedIn(ctx);
  await requireAddable(ctx, id);
  const number = await requireNumber(await requireTexts(ctx, server), phone);
  const awaited = await codeAwaited(ctx, deviceOf(server, sessionId, number));
  if (!awaited) throw new AppError('precondition', 'code_expired');
  const tried = await countTry(ctx, awaited.id);
  if (!tried) throw new AppError('precondition', 'code_spent');
  const counted = server.tries.keyOf('phone codes', id);
  await server.tries.limit(ctx, counted, allowances.emailedCodes);
  const subject = { kind: 'person', id };
  if (!isRightCode(ctx, awaited, code)) {
    await recordRefused(ctx, { action: 'sign_in_phone_added', subject, details: { reason: 'wrong_code' } });
    throw tried.isLast ? new AppError('precondition', 'code_spent') : invalidField('code', 'wrong_code');
  }
  await uncountAttempt(ctx.db, counted);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    // A recovery of the account meanwhile ends this session.
    await requireAddable(tx, id);
    if (!(await consumeCode(tx, awaited.id))) throw new AppError('precondition', 'code_expired');
    const added = await tx.db
      .insertInto('sign_in_phones')
      .values({ user_id: id, number, created_at: new Date(tx.now().epochMilliseconds) })
      .onConflict((on) => on.doNothing())
      .returning('created_at')
      .executeTakeFirstOrThrow(() => new AppError('conflict', 'phone_taken'));
    await noteChange(tx, id, 'sign_in_phone_added', 'phone_added');
    return { phone: number, createdAt: added.created_at.toISOString() };
  });
}

/**
 * Removes the number and ends the other sessions that it opened. Throws precondition `full_reauthentication_required`,
 * not_found `sign_in_phone`.
 */
export async function removeSignInPhone(ctx: Ctx, { tries }: Pick<TextServer, 'tries'>): Promise<null> {
  const { id } = signedIn(ctx);
  await requireFullyFresh(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, id);
    const { number } = await requireOwnPhone(tx, id);
    await tx.db.deleteFrom('sign_in_phones').where('user_id', '=', id).execute();
    await tx.db
      .deleteFrom('sign_in_codes')
      .where('address', '=', tries.keyOf('code phone', number))
      .execute();
    await endOpenedSessions(tx, { by_phone: true });
    await noteChange(tx, id, 'sign_in_phone_removed', 'phone_removed');
    return null;
  });
}

/**
 * A number signs in beside a password, never in place of one: phone companies give numbers to others. Throws precondition
 * `full_reauthentication_required`, `password_missing` or `phone_exists`.
 */
async function requireAddable(ctx: Ctx, userId: string): Promise<void> {
  await requireFullyFresh(ctx);
  if (!(await personOf(ctx, userId)).hasPassword) throw new AppError('precondition', 'password_missing');
  if (await phoneOf(ctx, userId)) throw new AppError('precondition', 'phone_exists');
}

/** Replaces the browser's cookie, so only this session can enter the code, for this number. */
function deviceOf({ secret }: TextServer, sessionId: string, number: string): string {
  return createHmac('sha256', secret).update(`phone ${sessionId} ${number}`).digest('base64url');
}

async function noteChange(
  tx: TxCtx,
  userId: string,
  action: Extract<Action, 'sign_in_phone_added' | 'sign_in_phone_removed'>,
  change: Extract<SecurityChange, 'phone_added' | 'phone_removed'>,
): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: userId } });
  await publish(tx, [`person:${userId}`], { type: 'accounts.sign_in_phone_changed', id: userId });
  await tx.emit(tx, 'accounts.secured', { userId, change });
}
