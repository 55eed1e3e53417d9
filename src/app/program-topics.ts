import { AppError, invalidField } from '#/kernel/errors.ts';
import { isUuid } from '#/kernel/ids.ts';
import type { Ctx } from '#/platform/context.ts';
import { parseBody } from '#/platform/http/json-body.ts';
import type { Channel } from '#/platform/realtime/channels.ts';
import type { Connection, Frame } from '#/platform/realtime/frames.ts';

export interface ProgramParts {
  frames: readonly Frame[];
  channels: readonly Channel[];
}

/** Name of the topic of the person's notices. */
export const own = 'me';

/** Handles a broadcast like the matching browser frame. Throws like its handler. */
export async function handleBroadcast(
  { frames, channels }: ProgramParts,
  ctx: Ctx,
  { name, event, payload }: { name: string; event: string; payload: Readonly<Record<string, unknown>> },
  connection: Connection,
): Promise<void> {
  const { channel, id } = channelOf(channels, name);
  if (!channel || !Object.hasOwn(channel.events, event)) throw invalidField('event', 'not_an_option');
  const input = { ...payload, [channel.idField]: id };
  await runFrame(frames, ctx, { type: channel.events[event]!, input }, connection);
}

/** Handles a frame on a program's behalf. Throws invalid `event` for unknown types. */
export async function runFrame(
  frames: readonly Frame[],
  ctx: Ctx,
  { type, input }: { type: string; input: unknown },
  connection: Connection,
): Promise<void> {
  const frame = frames.find((one) => one.type === type);
  if (!frame) throw invalidField('event', 'not_an_option');
  await frame.handle(ctx, parseBody(frame.schema, input), connection);
}

/** A topic's id, for the refusal log. */
export function inputOf(name: string): { id: string } {
  return { id: name.split(':').at(-1)! };
}

/** Returns a topic's name, empty for another protocol's. */
export function nameOf(topic: string): string {
  return topic.startsWith('realtime:') ? topic.slice('realtime:'.length) : '';
}

/** Returns a topic's channel and id; no channel for personal notices. Throws `not_found` (`topic`). */
export function channelOf(
  channels: readonly Channel[],
  name: string,
): { channel: Channel | null; id: string } {
  if (name === own) return { channel: null, id: '' };
  const [kind, id = ''] = name.split(/:(.*)/s);
  const channel = channels.find((one) => one.name === kind);
  // Messages name ids in lower case.
  if (!channel || !isUuid(id) || id !== id.toLowerCase()) throw new AppError('not_found', 'topic');
  return { channel, id };
}
