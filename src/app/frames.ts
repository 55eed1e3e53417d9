import type { Actor } from '#/kernel/actor.ts';
import { AppError, isLogged } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import type { Connection, Frame, FrameResult } from '#/platform/realtime/frames.ts';
import { logRefusal } from './refusals.ts';

export type Person = Extract<Actor, { kind: 'person' }>;

/** Milliseconds between checks of a socket's person. */
const knownMs = 60_000;

/** Whether a socket's person is unchanged. */
type Speaker = () => Promise<'same' | Exclude<FrameResult, 'handled' | 'garbage'>>;

interface ReceivedFrame {
  connection: Connection;
  context(): Ctx;
  log: Log;
  speaker: Speaker;
}

/** Dispatches a frame to its handler. What fails is answered with `refused`. */
export async function handleFrame(
  frames: readonly Frame[],
  text: string,
  { connection, context, log, speaker }: ReceivedFrame,
): Promise<FrameResult> {
  const ctx = context();
  const { type, ...said } = readFrame(text);
  const refuse = (code: string, reason: string) =>
    connection.send({ type: 'refused', id: ctx.requestId, data: { type: nameOf(type), code, reason } });
  const found = frames.find((one) => one.type === type);
  const input = found?.schema.safeParse(said);
  if (!found || !input?.success) {
    refuse('invalid', 'bad_frame');
    return 'garbage';
  }
  try {
    const who = await speaker();
    if (who !== 'same') return who;
    await found.handle(ctx, input.data, connection);
  } catch (error) {
    if (isLogged(error)) log.error({ err: error, requestId: ctx.requestId }, 'a frame failed');
    if (error instanceof AppError) refuse(error.code, error.reason);
    else refuse('internal', 'internal');
    await logRefusal(ctx, `frame.${found.type}`, error, input.data);
  }
  return 'handled';
}

/**
 * Returns a socket's current person, rechecked at most once a minute. Distinguishes an expired sign-in session from a
 * changed role, since socket permissions depend on both.
 */
export function speakerOf(
  opened: Person,
  ask: () => Promise<Actor>,
  clock = () => performance.now(),
): Speaker {
  let knownAt = clock();
  return async () => {
    if (clock() - knownAt < knownMs) return 'same';
    const actor = await ask();
    knownAt = clock();
    if (actor.kind !== 'person' || actor.sessionId !== opened.sessionId) return 'ended';
    return actor.role === opened.role ? 'same' : 'changed';
  };
}

/** Returns the frame's type if it's a short string; nothing else is echoed back. */
function nameOf(type: unknown): string | null {
  return typeof type === 'string' && type.length <= 100 ? type : null;
}

function readFrame(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
