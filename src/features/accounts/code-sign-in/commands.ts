import { randomBytes } from 'node:crypto';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { leastTime } from '#/platform/least-time.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { lockAccount } from '../commands.ts';
import type { Viewer } from '../contract.ts';
import {
  awaitCode,
  codeAwaited,
  countTry,
  isRightCode,
  consumeCode,
  uncountTry,
  type SignInCode,
} from '../emailed-codes/commands.ts';
import {
  callLibrary,
  deviceOf,
  setBrowserCookie,
  requestEmail,
  secureName,
  type EndpointCall,
  type EndpointInput,
} from '../identity/commands.ts';
import type { IdentityAnswer, ReturnTo } from '../identity/contract.ts';
import { proveSecondPasskey } from '../passkey-sign-in/commands.ts';
import { personOf } from '../queries.ts';
import { codeMinutes, isDeleted, linkExpiry, safeReturnPath, opensByCode, opensByLink } from '../rules.ts';
import { cookieValue } from '../session/commands.ts';
import { holderOfNumber, phoneOf } from '../texted-codes/queries.ts';
import { answerRefusal, emailSignInLink } from '../sign-in/commands.ts';
import { emailVerification } from '../sign-up/commands.ts';
import { countText, requireNumber, requireTexts } from '../texted-codes/commands.ts';
import { allowances } from '../tries/rules.ts';
import { awaitReturn } from '../waiting-sign-ins/commands.ts';

type CodeInput = EndpointInput<'/sign-in/code'>;

declare module '#/platform/context.ts' {
  interface Events {
    /** `next` is the page after sign-in; null in a program, which has none. */
    'accounts.sign_in_code_requested': { codeId: string; next: string | null };
  }
}

/** Browsers by cookie, programs by network. */
export interface CodeAsker {
  device: string;
  network: string | null;
}

/**
 * Emails a code that only the asking browser can use: a cookie with `device` identifies it. Accounts that a code can't
 * open get the email that helps instead. Throws forbidden `sign_in_code_off`, rate_limited `too_many_tries`.
 */
export async function requestSignInCode(
  call: EndpointCall,
  { email, next }: EndpointInput<'/request-sign-in-code'>,
  { device, network }: CodeAsker = newAsker(),
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  await requireOffered(ctx);
  let due = false;
  const answer = await requestEmail(call, email, 'sign-in code', async (tx, user) => {
    due = true;
    const holder = user && (await personOf(tx, user.id));
    const person = holder && !isDeleted(holder, tx.now()) ? holder : undefined;
    const opens = person !== undefined && opensByCode(person, server.adminEmails);
    if (opens && call.returnTo) return emailReturn(tx, call.returnTo, person.id);
    const address = server.tries.keyOf('code address', email);
    const codeId = await awaitCode(tx, { address, device, network, userId: opens ? person.id : null });
    if (!opens) return emailAlternative(tx, call, person, { email, next: safeReturnPath(next) });
    await recordDone(tx, { action: 'sign_in_code_requested', subject: { kind: 'person', id: person.id } });
    await tx.emit(tx, 'accounts.sign_in_code_requested', {
      codeId,
      next: call.byProgram ? null : safeReturnPath(next),
    });
  });
  // Without an email, this browser would wait for nothing; an earlier request's code still works.
  if (!due) throw new AppError('rate_limited', 'too_many_tries');
  setBrowserCookie(call, 'sign_in_code', device, codeMinutes * 60);
  return answer;
}

/** Emails a link instead of a code, for a program that it returns to. */
async function emailReturn(tx: TxCtx, returnTo: ReturnTo, userId: string): Promise<void> {
  const expiresAt = linkExpiry('sign-in', tx.now());
  const signInId = await awaitReturn(tx, returnTo, { method: 'otp', userId, expiresAt });
  await emailSignInLink(tx, userId, signInId);
}

/**
 * Texts a code that only the asker can use, if the number is of an account with a password. Throws forbidden
 * `texted_codes_off`, invalid `phone` like `requireNumber`, rate_limited `too_many_texts`.
 */
export async function requestTextedCode(
  call: EndpointCall,
  { phone }: EndpointInput<'/request-texted-code'>,
  askerOf: (number: string) => CodeAsker = newAsker,
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const sms = await requireTexts(ctx, server);
  const number = await requireNumber(sms, phone);
  const uncount = await countText(ctx, server, sms, { to: 'sign_in', whose: [number] });
  const asker = askerOf(number);
  const work = async () => {
    const opens = await transact(ctx, (tx) => awaitTextedCode(tx, call, number, asker));
    if (!opens) await uncount();
  };
  await Promise.all([work(), leastTime.passed()]);
  setBrowserCookie(call, 'sign_in_code', asker.device, codeMinutes * 60);
  return { signedIn: false };
}

/** Returns whether the number opens an account, which gets a text. */
async function awaitTextedCode(
  tx: TxCtx,
  { server, byProgram = false }: EndpointCall,
  number: string,
  asker: CodeAsker,
): Promise<boolean> {
  const id = await holderOfNumber(tx, number);
  const holder = id === undefined ? undefined : await personOf(tx, id);
  const opens =
    holder !== undefined &&
    holder.hasPassword &&
    !isDeleted(holder, tx.now()) &&
    opensByCode(holder, server.adminEmails);
  const address = server.tries.keyOf('code phone', number);
  const codeId = await awaitCode(tx, { ...asker, address, userId: opens ? holder.id : null });
  if (!opens) return false;
  await recordDone(tx, { action: 'sign_in_code_requested', subject: { kind: 'person', id: holder.id } });
  await tx.emit(tx, 'accounts.texted_code_requested', { codeId, byProgram });
  return true;
}

function newAsker(): CodeAsker {
  return { device: randomBytes(24).toString('base64url'), network: null };
}

/** Sends what helps if a code doesn't: a verification link, or how the account signs in. */
async function emailAlternative(
  tx: TxCtx,
  call: EndpointCall,
  person: Viewer | undefined,
  { email, next }: { email: string; next: string },
): Promise<void> {
  if (person?.emailVerified) return emailSignInLink(tx, person.id);
  const user = person && { id: person.id, email_verified: false };
  return emailVerification(tx, call, { email, user, next });
}

/** Throws like `enterCode`. */
export async function signInByCode(call: EndpointCall, input: CodeInput): Promise<IdentityAnswer> {
  const { ctx, server, request } = call;
  const cookie = cookieValue(request.headers.get('cookie'), secureName(server, 'sign_in_code'));
  return enterCode(call, input, await codeAwaited(ctx, cookie));
}

/**
 * Throws precondition `code_expired` or `code_spent`, invalid `wrong_code` for the field `emailCode`, and what signing in
 * with a password throws.
 */
export async function enterCode(
  call: EndpointCall,
  input: CodeInput,
  awaited: SignInCode | undefined,
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  await requireOffered(ctx);
  if (!awaited) throw new AppError('precondition', 'code_expired');
  const user = awaited.user_id === null ? undefined : { id: awaited.user_id };
  const device = await deviceOf(call, user);
  const byAsker = awaited.network === null || awaited.network === networkKey(call);
  const kind = byAsker ? 'emailed codes' : 'emailed codes elsewhere';
  const tried = server.tries.keyOf(kind, device ?? awaited.address);
  // Strangers can't use up a known device's attempts.
  if (device) return tryCode(call, input, awaited, { byAsker, counted: [tried] });
  return server.tries.countedByNetwork(ctx, 'codes', (key) =>
    tryCode(call, input, awaited, { byAsker, counted: [tried, key] }),
  );
}

/** Identifies the network that a program calls from. */
export function networkKey({ ctx, server }: EndpointCall): string {
  return server.tries.keyOf('code network', networkOf(ctx.address ?? ''));
}

/**
 * `counted` are keys to refund when the code is right; the first is yet to be counted. Only the asker can use up the
 * code's tries, so strangers who know the address can't lock its owner out.
 */
async function tryCode(
  call: EndpointCall,
  { emailCode, ...second }: CodeInput,
  awaited: SignInCode,
  { byAsker, counted }: { byAsker: boolean; counted: readonly [string, ...string[]] },
): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const tried = byAsker ? await countTry(ctx, awaited.id) : { isLast: false };
  if (!tried) throw new AppError('precondition', 'code_spent');
  await server.tries.limit(ctx, counted[0], allowances.emailedCodes);
  const { user_id: userId } = awaited;
  if (!isRightCode(ctx, awaited, emailCode) || userId === null) {
    await recordRefused(ctx, {
      action: 'signed_in',
      ...(userId === null ? {} : { subject: { kind: 'person', id: userId } }),
      details: { reason: 'wrong_code' },
    });
    throw tried.isLast ? new AppError('precondition', 'code_spent') : invalidField('emailCode', 'wrong_code');
  }
  if (byAsker) await uncountTry(ctx, awaited.id);
  for (const key of counted) await uncountAttempt(ctx.db, key);
  return enter(call, { codeId: awaited.id, userId, second });
}

interface Entry {
  codeId: string;
  userId: string;
  second: Pick<CodeInput, 'code' | 'passkey'>;
}

/** Signs in after a right code. Codes of the second step are counted together with those after a password. */
export async function enter(call: EndpointCall, { codeId, userId, second }: Entry): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const { email } = await personOf(ctx, userId);
  const device = await deviceOf(call, { id: userId });
  const secondCodes = server.tries.keyOf('code', device ?? email);
  try {
    if (second.code !== undefined) await server.tries.limit(ctx, secondCodes, allowances.passwords);
    const { backupCodes } = await transact(ctx, (tx) =>
      openAccount({ ...call, ctx: tx }, tx, { codeId, userId, second }),
    );
    await uncountAttempt(ctx.db, secondCodes);
    setBrowserCookie(call, 'sign_in_code', '', 0);
    return { signedIn: true, ...(backupCodes ? { backupCodes } : {}) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return answerRefusal(call, thrown, { id: userId }, []);
  }
}

/** The second step's refusal rolls this back, so the code still works with it. */
async function openAccount(
  call: EndpointCall,
  tx: TxCtx,
  { codeId, userId, second: { code, passkey } }: Entry,
): Promise<{ backupCodes?: string[] }> {
  // Locks in the order of `endLinks`.
  await lockAccount(tx, userId);
  const taken = await consumeCode(tx, codeId);
  const person = await personOf(tx, userId);
  if (!taken || isDeleted(person, tx.now()) || !opensByCode(person, call.server.adminEmails))
    throw new AppError('precondition', 'code_expired');
  const phone = await phoneOf(tx, userId);
  return callLibrary(
    call,
    '/sign-in/link',
    {},
    {
      userId,
      code,
      passkey: passkey && proveSecondPasskey(call, passkey),
      byPhone: phone && taken.address === call.server.tries.keyOf('code phone', phone.number),
      // The same as for sign-in links.
      fresh: opensByLink(person),
      tellsOfNewDevice: !call.server.demo,
    },
  );
}

async function requireOffered(ctx: Ctx): Promise<void> {
  if (!(await siteSettings(ctx)).sign_in_code) throw new AppError('forbidden', 'sign_in_code_off');
}
