import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import type { Connection, Frame } from '#/platform/realtime/frames.ts';

/** What the browser of a signed-in person said on its socket, and whose it is. */
interface Said {
  connection: Connection;
  context(): Ctx;
  log: Log;
}

/** Lets the one who takes in frames of that type have what a browser said; what can't be taken is answered `refused`. */
export async function takeIn(
  frames: readonly Frame[],
  text: string,
  { connection, context, log }: Said,
): Promise<void> {
  const ctx = context();
  const { type, ...said } = readFrame(text);
  try {
    const found = frames.find((one) => one.type === type);
    const input = found?.schema.safeParse(said);
    if (!found || !input?.success) throw new AppError('invalid', 'bad_frame');
    await found.handle(ctx, input.data, connection);
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, requestId: ctx.requestId }, 'a frame failed');
    const { code, reason } = error instanceof AppError ? error : { code: 'internal', reason: 'internal' };
    connection.send({ type: 'refused', id: ctx.requestId, data: { type, code, reason } });
  }
}

/** Nothing that a browser sends is trusted to be JSON, or an object. */
function readFrame(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
