import { AppError } from '#/kernel/errors.ts';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import type { TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { provePassword } from '#/platform/password-hash.ts';
import { confirmAddress, lockAccount, makeLinkToken, consumeLinkToken } from '../commands.ts';
import { deviceCookie, rememberDevice } from '../known-devices/commands.ts';
import {
  callLibrary,
  deviceOf,
  deviceTokenIn,
  isOfSecondStep,
  requestEmail,
  secureName,
  setBrowserCookie,
  userByEmail,
  type EndpointCall,
  type EndpointInput,
} from '../identity/commands.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { mayTrustDevices } from '../known-devices/rules.ts';
import { proveSecondPasskey, requestSecondPasskey } from '../passkey-sign-in/commands.ts';
import { personOf, requireNotHeld } from '../queries.ts';
import { nameFromAddress, opensByLink } from '../rules.ts';
import { beginDemandedFactor } from '../second-factor/commands.ts';
import type { SetUp } from '../second-factor/contract.ts';
import { needsSecondStep } from '../second-factor/queries.ts';
import { cookieValue, signed, signedValue } from '../session/commands.ts';
import { signUp, signUpProofIn } from '../sign-up/commands.ts';
import { signUpBy } from '../sign-up/queries.ts';
import { allowances } from '../tries/rules.ts';
import { isByPasskey } from '../webauthn/queries.ts';

/** Until then, a reloaded page resumes it. */
const setUpMinutes = 30;

type PasswordInput = EndpointInput<'/sign-in/email'>;

export async function signInByPassword(call: EndpointCall, input: PasswordInput): Promise<IdentityAnswer> {
  const user = await userByEmail(call.ctx, input.email);
  const device = await deviceOf(call, user);
  // Strangers can't use up a known device's attempts.
  if (user && device) return tryPassword(call, input, { user, whose: device, counted: [] });
  return call.server.tries.countedByNetwork(call.ctx, 'password', (networkKey) =>
    tryPassword(call, input, { user, whose: input.email, counted: [networkKey] }),
  );
}

interface Try {
  user: { id: string } | undefined;
  /** Whose rate limit applies. */
  whose: string;
  /** Keys to refund when the password is right. */
  counted: string[];
}

/** Checks a password against the `whose` rate limit. Success refunds that and the `counted` keys. */
async function tryPassword(call: EndpointCall, input: PasswordInput, attempt: Try): Promise<IdentityAnswer> {
  const { ctx, server } = call;
  const { user, whose, counted } = attempt;
  const { email, password, code, passkey } = input;
  const [account, codes] = [server.tries.keyOf('password', whose), server.tries.keyOf('code', whose)];
  try {
    await requireTriesLeft(call, email, account, attempt);
    // The demo creates clients for unknown emails.
    if (server.demo && !user) await signUp(call, { email, password, name: nameFromAddress(email) });
    if (code !== undefined) await server.tries.limit(ctx, codes, allowances.passwords);
    // Demo passwords are public, so new-device emails would be constant.
    const how = {
      code,
      passkey: passkey && proveSecondPasskey(call, passkey),
      tellsOfNewDevice: !server.demo,
    };
    const { backupCodes } =
      server.demo && !user ? {} : await callLibrary(call, '/sign-in/email', { email, password }, how);
    await Promise.all(
      [account, ...(code === undefined ? [] : [codes]), ...counted].map((key) => uncountAttempt(ctx.db, key)),
    );
    return { signedIn: true, ...(backupCodes ? { backupCodes } : {}) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return answerRefusal(call, await explainRefusal(call, thrown, input), user, [account, ...counted]);
  }
}

/** Finishes a sign-in whose first step passed in an earlier request, which `take` uses up. */
export async function enterSecondStep(
  call: EndpointCall,
  first: {
    userId: string;
    /** That the password matched. */
    passwordHash: string | undefined;
    identityId: string | null;
    code: string;
    take: (tx: TxCtx) => Promise<void>;
  },
): Promise<IdentityAnswer> {
  const { take, ...who } = first;
  const { userId } = who;
  const { ctx, server } = call;
  const { email } = await personOf(ctx, userId);
  const codes = server.tries.keyOf('code', email);
  try {
    await server.tries.limit(ctx, codes, allowances.passwords);
    const how = { ...who, tellsOfNewDevice: !server.demo };
    const { backupCodes } = await transact(ctx, async (tx) => {
      await lockAccount(tx, userId);
      await take(tx);
      return callLibrary({ ...call, ctx: tx }, '/sign-in/link', {}, how);
    });
    await uncountAttempt(ctx.db, codes);
    return { signedIn: true, ...(backupCodes ? { backupCodes } : {}) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return answerRefusal(call, thrown, { id: userId }, []);
  }
}

async function requireTriesLeft(
  { ctx, server }: EndpointCall,
  email: string,
  account: string,
  { user, whose }: Try,
): Promise<void> {
  if (await server.tries.allows(ctx, account, allowances.passwords)) return;
  if (whose !== email) throw new AppError('rate_limited', 'too_many_tries');
  if (user) await server.tries.tellOfLock(ctx, user.id);
  throw new AppError('rate_limited', 'sign_in_locked');
}

/** For a correct password in the browser with a pending sign-up, replaces the error with `email_unverified`. */
async function explainRefusal(
  call: EndpointCall,
  error: AppError,
  { email, password }: PasswordInput,
): Promise<AppError> {
  if (error.reason !== 'wrong_credentials') return error;
  const waiting = await signUpBy(call.ctx, email, signUpProofIn(call));
  const matches = waiting && (await provePassword(password, waiting.password));
  return matches ? new AppError('forbidden', 'email_unverified') : error;
}

/** Asks for the second step, or records the refusal and throws it. `counted` is refunded for a right password. */
export async function answerRefusal(
  call: EndpointCall,
  error: AppError,
  user: { id: string } | undefined,
  counted: string[],
): Promise<IdentityAnswer> {
  const { ctx } = call;
  const { reason } = error;
  const passwordWasRight =
    isOfSecondStep(reason) ||
    isWrongCode(error) ||
    isOfPasskey(reason) ||
    ['email_unverified', 'feature_off'].includes(reason);
  if (passwordWasRight) await Promise.all(counted.map((key) => uncountAttempt(ctx.db, key)));
  if (user && reason === 'second_factor_required')
    return {
      signedIn: false,
      secondStep: {
        setUp: null,
        passkey: await requestSecondPasskey(call, user.id),
        ...((await isByPasskey(ctx, user.id)) ? { byPasskey: true } : {}),
        ...(mayTrustDevices(await personOf(ctx, user.id)) ? { mayTrust: true } : {}),
      },
    };
  if (user && reason === 'second_factor_missing')
    return call.byProgram
      ? { signedIn: false }
      : { signedIn: false, secondStep: { setUp: await beginSetUp(call, user.id) } };
  await recordRefused(ctx, {
    action: 'signed_in',
    ...(user ? { subject: { kind: 'person', id: user.id } } : {}),
    details: { reason: isWrongCode(error) ? 'wrong_code' : reason },
  });
  // Verification is impossible while sign-in is blocked after an email change.
  if (user && reason === 'email_unverified') await requireNotHeld(ctx, user.id);
  throw error;
}

/** A stranger with the password gets another secret. */
async function beginSetUp(call: EndpointCall, userId: string): Promise<SetUp> {
  const { ctx, server, request } = call;
  const cookie = cookieValue(request.headers.get('cookie'), secureName(server, 'set_up'));
  const [kind, known] = (cookie && signedValue(cookie, server.secret)?.split(':')) || [];
  const { id, setUp } = await beginDemandedFactor(ctx, userId, kind === 'set_up' ? known! : null);
  setBrowserCookie(
    call,
    'set_up',
    encodeURIComponent(signed(`set_up:${id}`, server.secret)),
    setUpMinutes * 60,
  );
  return setUp;
}

/** Checked only after the password. */
function isOfPasskey(reason: string): boolean {
  return ['wrong_passkey', 'passkey_copied', 'passkey_expired', 'passkeys_off'].includes(reason);
}

function isWrongCode(error: AppError): boolean {
  return error.fields.some(({ reason }) => reason === 'wrong_code');
}

export function requestSignInLink(
  call: EndpointCall,
  { email }: EndpointInput<'/request-sign-in-link'>,
): Promise<IdentityAnswer> {
  return requestEmail(call, email, 'sign-in', async (tx, user) => {
    if (user) await emailSignInLink(tx, user.id);
  });
}

/** `signInId` is the program's sign-in that the link continues. */
export async function emailSignInLink(tx: TxCtx, userId: string, signInId?: string): Promise<void> {
  await recordDone(tx, { action: 'sign_in_link_requested', subject: { kind: 'person', id: userId } });
  await tx.emit(tx, 'accounts.sign_in_link_requested', { userId, signInId });
}

export function signInByLink(
  call: EndpointCall,
  { token }: EndpointInput<'/sign-in/link'>,
): Promise<IdentityAnswer> {
  const { adminEmails, tries } = call.server;
  return tries.openLink(call.ctx, () =>
    transact(call.ctx, async (tx) => {
      const user = await personOf(tx, await consumeLinkToken(tx, 'sign-in', token));
      if (!opensByLink(user) || adminEmails.includes(user.email)) return { signedIn: false };
      await confirmAddress(tx, user.id, adminEmails);
      if (await needsSecondStep(tx, user))
        return { signedIn: false, resetToken: await makeLinkToken(tx, 'reset-password', user.id) };
      await callLibrary({ ...call, ctx: tx }, '/sign-in/link', {}, { userId: user.id, fresh: true });
      return { signedIn: true };
    }),
  );
}

/** Only makes this browser a known device with its own attempts; guessing gains nothing. */
export function unlockSignIn(
  call: EndpointCall,
  { token }: EndpointInput<'/unlock'>,
): Promise<IdentityAnswer> {
  const { server, request } = call;
  return server.tries.openLink(call.ctx, async () => {
    const device = await transact(call.ctx, async (tx) => {
      const userId = await consumeLinkToken(tx, 'unlock', token);
      await server.tries.forgetLock(tx, userId);
      await recordDone(tx, { action: 'sign_in_unlocked', subject: { kind: 'person', id: userId } });
      return rememberDevice(tx, userId, deviceTokenIn(server, request, userId));
    });
    call.cookies.push(deviceCookie(device, server));
    return { signedIn: false };
  });
}

export async function signOut(call: EndpointCall): Promise<IdentityAnswer> {
  await callLibrary(call, '/sign-out', {});
  return { signedIn: false };
}
