import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import {
  enter,
  enterCode,
  networkKey,
  requestSignInCode,
  requestTextedCode,
  type CodeAsker,
} from '../code-sign-in/commands.ts';
import { codeAwaited, programCodeAwaited } from '../emailed-codes/commands.ts';
import { userByEmail, type EndpointCall } from '../identity/commands.ts';
import { requestPasswordReset } from '../new-password/commands.ts';
import { openProgramSession, refresh } from '../program-sessions/commands.ts';
import type { ProgramAnswer, ProgramUser } from '../program-sessions/contract.ts';
import { passwordHashOf } from '../queries.ts';
import { nameFromAddress } from '../rules.ts';
import { enterSecondStep, signInByPassword } from '../sign-in/commands.ts';
import { resendVerification, signUpAndWelcome } from '../sign-up/commands.ts';
import { requireNumber, requireTexts } from '../texted-codes/commands.ts';
import { awaitFactor, endWaitingSignIn, type WaitingSignIn } from '../waiting-sign-ins/commands.ts';
import type { signInInputs } from './contract.ts';

type Input<Name extends keyof typeof signInInputs> = z.output<(typeof signInInputs)[Name]>;

/**
 * Signs up. Outside the demo, the answer is the same whether or not the address has an account. The emailed link asks
 * for the password again, because nothing proves that the mailbox's owner signed up in this program.
 */
export async function programSignUp(
  call: EndpointCall,
  { email, password, data }: Input<'signUp'>,
): Promise<ProgramAnswer | ProgramUser> {
  const name = data?.full_name || data?.name || nameFromAddress(email);
  const { signedIn } = await signUpAndWelcome(call, { name, email, password });
  if (signedIn) return openProgramSession(call, { method: 'password', withFactor: false });
  const at = call.ctx.now().toString({ fractionalSecondDigits: 3 });
  return {
    // There is no account yet.
    id: call.ctx.newId(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { full_name: name },
    identities: [],
    factors: [],
    is_anonymous: false,
    created_at: at,
    updated_at: at,
  };
}

export async function programPassword(call: EndpointCall, input: Input<'password'>): Promise<ProgramAnswer> {
  const user = await userByEmail(call.ctx, input.email);
  // Read first: if it changes meanwhile, the waiting sign-in ends.
  const hash = user && (await passwordHashOf(call.ctx, user.id));
  const { signedIn } = await signInByPassword(call, input);
  if (signedIn) return openProgramSession(call, { method: 'password', withFactor: false });
  if (!user || !hash) throw new AppError('unauthenticated', 'wrong_credentials');
  return awaitFactor(call, {
    userId: user.id,
    method: 'password',
    password: digest(hash),
    codeId: null,
    identityId: null,
  });
}

export function programRefresh(call: EndpointCall, input: Input<'refresh'>): Promise<ProgramAnswer> {
  return refresh(call, input.refresh_token);
}

export async function programCode(call: EndpointCall, { email }: Input<'email'>): Promise<object> {
  await requestSignInCode(call, { email }, askingProgram(call, email));
  return {};
}

/** Never creates an account, whatever `create_user` says. */
export async function programText(call: EndpointCall, { phone }: Input<'phone'>): Promise<object> {
  await requestTextedCode(call, { phone }, (number) => askingProgram(call, number));
  return {};
}

export function programVerify(call: EndpointCall, { email, token }: Input<'verify'>): Promise<ProgramAnswer> {
  return verifyCode(call, token, { whose: email, address: call.server.tries.keyOf('code address', email) });
}

export async function programVerifyText(
  call: EndpointCall,
  { phone, token }: Input<'verifyPhone'>,
): Promise<ProgramAnswer> {
  const sms = await requireTexts(call.ctx, call.server);
  const number = await requireNumber(sms, phone);
  return verifyCode(call, token, { whose: number, address: call.server.tries.keyOf('code phone', number) });
}

/** `whose` is the address or number that got the code. Not the network: that may have changed since. */
async function verifyCode(
  call: EndpointCall,
  token: string,
  { whose, address }: { whose: string; address: string },
): Promise<ProgramAnswer> {
  const { ctx } = call;
  const awaited =
    (await codeAwaited(ctx, askingProgram(call, whose).device)) ?? (await programCodeAwaited(ctx, address));
  const { signedIn } = await enterCode(call, { emailCode: token }, awaited);
  if (signedIn) return openProgramSession(call, { method: 'otp', withFactor: false });
  if (!awaited?.user_id) throw new AppError('precondition', 'code_expired');
  const { id: codeId, user_id: userId } = awaited;
  return awaitFactor(call, { userId, method: 'otp', password: null, codeId, identityId: null });
}

export async function programRecover(call: EndpointCall, { email }: Input<'email'>): Promise<object> {
  await requestPasswordReset(call, { email });
  return {};
}

export async function programResend(call: EndpointCall, { email, type }: Input<'resend'>): Promise<object> {
  if (type === 'email') return programCode(call, { email });
  await resendVerification(call, { email });
  return {};
}

/** Passes the second step of a waiting sign-in, and opens its session. */
export async function finishSignIn(
  call: EndpointCall,
  waiting: WaitingSignIn,
  code: string,
): Promise<ProgramAnswer> {
  const { signedIn } = await finishSecondStep(call, waiting, code);
  if (!signedIn) throw new AppError('precondition', 'second_factor_not_begun');
  return openProgramSession(call, { method: waiting.method, withFactor: true });
}

async function finishSecondStep(
  call: EndpointCall,
  waiting: WaitingSignIn,
  code: string,
): Promise<{ signedIn: boolean }> {
  const { userId, password, codeId, identityId } = waiting;
  const ended = new AppError('unauthenticated', 'sign_in_required');
  const take = async (ctx: Ctx) => {
    if (!(await endWaitingSignIn(ctx, waiting))) throw ended;
  };
  if (codeId !== null) {
    const entered = await enter(call, { codeId, userId, second: { code } });
    if (entered.signedIn) await take(call.ctx);
    return entered;
  }
  const passwordHash = password === null ? undefined : await passwordHashOf(call.ctx, userId);
  if (password !== null && (!passwordHash || digest(passwordHash) !== password)) throw ended;
  return enterSecondStep(call, { userId, passwordHash, identityId, code, take });
}

/**
 * The network replaces the browser's cookie, since programs send only the address or number and the code. Codes requested
 * in a browser don't work in programs, nor the reverse.
 */
function askingProgram(call: EndpointCall, whose: string): CodeAsker {
  const network = networkKey(call);
  const device = createHmac('sha256', call.server.secret).update(`program code ${whose} ${network}`);
  return { device: device.digest('base64url'), network };
}
