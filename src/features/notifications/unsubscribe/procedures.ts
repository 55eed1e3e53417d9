import { AppError } from '#/kernel/errors.ts';
import { bind } from '#/platform/http/procedures.ts';
import type { Ctx } from '#/platform/context.ts';
import { mailChoice, setMailChoice } from './commands.ts';
import { unsubscribeContract } from './contract.ts';

export interface UnsubscribeConfig {
  authSecret: string;
}

export function unsubscribeProcedures({ authSecret }: UnsubscribeConfig) {
  const os = bind(unsubscribeContract);
  return os.router({
    get: os.get.handler(({ context, input }) => mailChoice(context, authSecret, input.token)),
    set: os.set.handler(({ context, input }) => setMailChoice(context, authSecret, input)),
  });
}

/** Body limit in bytes; email clients send a single field. */
const mostBytes = 1_000;
/** That field, URL-encoded or multipart. */
const pressed = /(?:^|&)List-Unsubscribe=One-Click(?:&|$)|name="?List-Unsubscribe"?\r\n\r\nOne-Click\r\n/m;

/**
 * Handles one-click unsubscribe (RFC 8058). Requests carry no cookie or origin, so the token alone authorizes them; all
 * it can do is unsubscribe. Browsers opening the URL are redirected to the confirmation page.
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
