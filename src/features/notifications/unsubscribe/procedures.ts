import { AppError } from '#/kernel/errors.ts';
import { bind } from '#/platform/http/procedures.ts';
import type { Ctx } from '#/platform/context.ts';
import { mailChoice, setMailChoice } from './commands.ts';
import { unsubscribeContract } from './contract.ts';

/** What configuration the links that stop mails are proved by. */
export interface UnsubscribeConfig {
  authSecret: string;
}

/** Binds the procedures behind the links that stop mails. */
export function unsubscribeProcedures({ authSecret }: UnsubscribeConfig) {
  const os = bind(unsubscribeContract);
  return os.router({
    get: os.get.handler(({ context, input }) => mailChoice(context, authSecret, input.token)),
    set: os.set.handler(({ context, input }) => setMailChoice(context, authSecret, input)),
  });
}

/** What mail programs send, in bytes: one field. */
const mostBytes = 1_000;
/** That field, as a form or in parts. */
const pressed = /(?:^|&)List-Unsubscribe=One-Click(?:&|$)|name="?List-Unsubscribe"?\r\n\r\nOne-Click\r\n/m;

/**
 * Answers a mail program's one press (RFC 8058). It has no cookie and names no origin: the token alone decides, and all
 * that it can do is stop these mails. Who opens the address in a browser is led to the page that asks.
 */
export async function answerOneClick(ctx: Ctx, request: Request, authSecret: string): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    const location = `/unsubscribe?token=${encodeURIComponent(token)}`;
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
  }
  const size = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(size <= mostBytes)) throw new AppError('invalid', 'body_too_large');
  if (!pressed.test(await request.text())) throw new AppError('invalid', 'malformed');
  await setMailChoice(ctx, authSecret, { token, on: false });
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}
