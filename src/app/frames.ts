import type { Actor } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { isLogged } from '#/platform/db/outage.ts';
import type { Log } from '#/platform/log.ts';
import type { Connection, Frame, Hearing } from '#/platform/realtime/frames.ts';

type Person = Extract<Actor, { kind: 'person' }>;

/** How long a socket goes on by who its person was when it was last asked, in milliseconds. */
const knownMs = 60_000;

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
): Promise<'heard' | 'garbage'> {
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
    await found.handle(ctx, input.data, connection);
  } catch (error) {
    if (isLogged(error)) log.error({ err: error, requestId: ctx.requestId }, 'a frame failed');
    if (error instanceof AppError) refuse(error.code, error.reason);
    else refuse('internal', 'internal');
  }
  return 'heard';
}

/**
 * Who speaks on a socket, asked anew once a minute at most: a session that has ended and a role that has changed are
 * told apart, since what the socket was granted hangs on both.
 */
export function speakerOf(
  opened: Person,
  ask: () => Promise<Actor>,
  clock = () => performance.now(),
): () => Promise<'same' | Exclude<Hearing, 'heard' | 'garbage'>> {
  let knownAt = clock();
  return async () => {
    if (clock() - knownAt < knownMs) return 'same';
    const actor = await ask();
    knownAt = clock();
    if (actor.kind !== 'person' || actor.sessionId !== opened.sessionId) return 'ended';
    return actor.role === opened.role ? 'same' : 'changed';
  };
}

/** What a browser called its frame, if it is a name: the rest of what it sent isn't said back. */
function nameOf(type: unknown): string | null {
  return typeof type === 'string' && type.length <= 100 ? type : null;
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
