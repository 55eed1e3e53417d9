import { AppError, invalidField, isLogged } from '#/kernel/errors.ts';
import type { Actor } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { parseBody } from '#/platform/http/json-body.ts';
import type { Log } from '#/platform/log.ts';
import type { Channel, Presence } from '#/platform/realtime/channels.ts';
import type { Connection, FrameResult, ProgramConnection } from '#/platform/realtime/frames.ts';
import type { RealtimeMessage } from '#/platform/realtime/notices.ts';
import {
  readPhoenix,
  textOfBinary,
  writePhoenix,
  type PhoenixMessage,
  type PhoenixVersion,
} from '#/platform/realtime/phoenix.ts';
import type { Grant } from '#/platform/realtime/sockets.ts';
import { speakerOf, type Person } from './frames.ts';
import { programInputs } from './program-inputs.ts';
import { logRefusal } from './refusals.ts';
import {
  inputOf,
  nameOf,
  own,
  channelOf,
  runFrame,
  handleBroadcast,
  type ProgramParts,
} from './program-topics.ts';

/** Milliseconds that a socket may go without a token. */
const waitMs = 10_000;
const maxChannels = 100;
interface Parts extends ProgramParts {
  version: PhoenixVersion;
  /** Returns a token's person and expiry (epoch milliseconds); `noted` counts as session use. Throws. */
  verify(token: string, use: { noted: boolean }): Promise<{ actor: Person; expires: number }>;
  contextOf(actor: Actor): Ctx;
  log: Log;
}

/** A topic that the socket joined. */
interface Joined {
  topic: string;
  joinRef: string | null;
  channel: Channel | null;
  id: string;
  /** Receives its own broadcasts. */
  self: boolean;
  /** Receives presence. */
  watches: boolean;
  /** People present, by ref; null while this person is absent. */
  there: ReadonlyMap<string, Presence> | null;
  /** Presence changed since the last read. */
  stale: boolean;
}

/** Handles the protocol of `@supabase/realtime-js` on one socket, which has no person until the first join. */
export function programSocket(
  parts: Parts,
): Required<Pick<Grant, 'onFrame' | 'context' | 'opened' | 'textOf' | 'take'>> {
  const { channels, frames, version, verify, contextOf, log } = parts;
  const joined = new Map<string, Joined>();
  let who: { actor: Person; token: string; speaker: ReturnType<typeof speakerOf> } | null = null;
  let connection!: ProgramConnection;
  let deadline: NodeJS.Timeout | undefined;
  /** Keeps presence reads in order. */
  let reading = Promise.resolve();

  const context = () => contextOf(who?.actor ?? { kind: 'guest' });

  function endIn(ms: number): void {
    clearTimeout(deadline);
    deadline = setTimeout(() => connection.end(), ms);
  }

  async function identify(given: string | null | undefined): Promise<void> {
    if (!given) throw new AppError('unauthenticated', 'no_token');
    const { actor, expires } = await verify(given, { noted: false });
    if (!who) {
      if (!connection.moveTo(actor.id)) throw new AppError('rate_limited', 'too_many_sockets');
      for (const topic of [`person:${actor.id}`, `session:${actor.sessionId}`, `role:${actor.role}`])
        connection.grant(topic);
      // A sign-out may have come in between.
      await verify(given, { noted: false }).catch((error: unknown) => {
        connection.end();
        throw error;
      });
    } else if (actor.sessionId !== who.actor.sessionId || actor.role !== who.actor.role) {
      connection.end();
      return;
    }
    who = { actor, token: given, speaker: speakerOf(actor, () => currentActor({ noted: true })) };
    endIn(expires - context().now().epochMilliseconds);
  }

  /** Returns a guest once the token is invalid. */
  async function currentActor(use: { noted: boolean }): Promise<Actor> {
    try {
      return (await verify(who!.token, use)).actor;
    } catch (error) {
      if (isLogged(error)) throw error;
      return { kind: 'guest' };
    }
  }

  /** Ends a socket whose person may no longer use programs. */
  async function recheck(): Promise<void> {
    try {
      if ((await currentActor({ noted: false })).kind === 'guest') connection.end();
    } catch (error) {
      log.error({ err: error }, 'a program’s socket could not be checked');
      connection.end();
    }
  }

  function push({ topic, joinRef }: Joined, event: string, payload: unknown) {
    connection.write(writePhoenix({ join_ref: joinRef, ref: null, topic, event, payload }, version));
  }

  async function handleFrame(type: string, one: Joined): Promise<void> {
    await runFrame(frames, context(), { type, input: { [one.channel!.idField]: one.id } }, connection);
  }

  async function join({ topic, join_ref, payload }: PhoenixMessage) {
    const { config, access_token } = parseBody(programInputs.join, payload);
    if (!who || (access_token && access_token !== who.token)) await identify(access_token);
    const { channel, id } = channelOf(channels, nameOf(topic));
    const { broadcast, presence } = config;
    if (presence?.key && presence.key !== who?.actor.id)
      throw invalidField('config.presence.key', 'not_an_option');
    if (joined.size >= maxChannels && !joined.has(topic))
      throw new AppError('rate_limited', 'too_many_channels');
    await channel?.authorize(context(), id);
    const before = joined.get(topic);
    if (before) {
      await leave(before);
      push(before, 'phx_close', {});
    }
    const self = broadcast?.self ?? false;
    const watches = presence?.enabled ?? false;
    const one = { topic, joinRef: join_ref, channel, id, self, watches, there: null, stale: false };
    joined.set(topic, one);
    return () => {
      if (watches) push(one, 'presence_state', {});
    };
  }

  async function leave(one: Joined | undefined): Promise<void> {
    if (one?.there) await untrack(one);
    if (one) joined.delete(one.topic);
  }

  async function track(one: Joined): Promise<void> {
    const presence = one.channel?.presence;
    if (!presence) throw invalidField('event', 'not_an_option');
    if ([...joined.values()].some((other) => other.there && other !== one))
      throw new AppError('conflict', 'present_elsewhere');
    const before = one.there;
    // Set first: notices may arrive before the answer.
    one.there ??= new Map();
    await handleFrame(presence.enter, one).catch((error: unknown) => {
      one.there = before;
      throw error;
    });
  }

  async function untrack(one: Joined): Promise<void> {
    if (!one.there) return;
    await handleFrame(one.channel!.presence!.leave, one);
    show(one, []);
    one.there = null;
  }

  function show(one: Joined, present: readonly Presence[]): void {
    const before = one.there!;
    const now = new Map(present.map((presence) => [presence.ref, presence]));
    const joins = present.filter(({ ref }) => !before.has(ref));
    const leaves = [...before.values()].filter(({ ref }) => !now.has(ref));
    one.there = now;
    if (!one.watches || joins.length + leaves.length === 0) return;
    push(one, 'presence_diff', { joins: statesOf(joins), leaves: statesOf(leaves) });
  }

  function read(one: Joined): void {
    if (!one.there || one.stale) return;
    one.stale = true;
    reading = reading.then(() => readNow(one));
  }

  async function readNow(one: Joined): Promise<void> {
    one.stale = false;
    try {
      const present = one.there ? await one.channel!.presence!.read(context(), one.id) : [];
      if (one.there) show(one, present);
    } catch (error) {
      if (isLogged(error)) return log.error({ err: error }, 'presence could not be read');
      // The person may no longer see presence.
      joined.delete(one.topic);
      push(one, 'phx_close', {});
    }
  }

  async function say(one: Joined, payload: unknown): Promise<void> {
    const { event, payload: said } = parseBody(programInputs.broadcast, payload);
    const echoing: Connection = {
      ...connection,
      tell(topics, message) {
        connection.tell(topics, message);
        if (one.self) take(message);
      },
    };
    await handleBroadcast(parts, context(), { name: nameOf(one.topic), event, payload: said }, echoing);
  }

  /** Returns what to do after the answer. */
  async function act(message: PhoenixMessage): Promise<(() => void) | void> {
    const { topic, event, payload } = message;
    const one = joined.get(topic);
    if (topic === 'phoenix' && event === 'heartbeat') return;
    if (event === 'phx_join') return join(message);
    if (event === 'phx_leave') return leave(one);
    if (!one) throw new AppError('not_found', 'topic');
    if (event === 'access_token') return identify(parseBody(programInputs.token, payload).access_token);
    if (event === 'broadcast') return say(one, payload);
    if (event !== 'presence') throw invalidField('event', 'not_an_option');
    return parseBody(programInputs.presence, payload).event === 'track' ? track(one) : untrack(one);
  }

  async function onFrame(text: string): Promise<FrameResult> {
    const message = readPhoenix(text, version);
    const { join_ref, ref, topic, event } = message ?? {
      join_ref: null,
      ref: null,
      topic: 'phoenix',
      event: '',
    };
    const answer = (status: 'ok' | 'error', response: object) =>
      connection.write(
        writePhoenix({ join_ref, ref, topic, event: 'phx_reply', payload: { status, response } }, version),
      );
    if (!message) {
      answer('error', { code: 'invalid', reason: 'bad_frame' });
      return 'garbage';
    }
    try {
      const known = who && ['broadcast', 'presence'].includes(event) ? await who.speaker() : 'same';
      if (known !== 'same') return known;
      const after = await act(message);
      answer('ok', {});
      after?.();
      return 'handled';
    } catch (error) {
      const { requestId } = context();
      if (isLogged(error)) log.error({ err: error, requestId }, 'a frame failed');
      answer('error', refusalOf(error));
      await logRefusal(context(), 'realtime', error, inputOf(topic));
      return error instanceof AppError && error.code === 'invalid' ? 'garbage' : 'handled';
    }
  }

  function take(message: RealtimeMessage): void {
    const { type, id, data } = message;
    if (type === 'site.changed' && who) void recheck();
    const channel = channels.find(({ events }) => Object.values(events).includes(type));
    const one = joined.get(`realtime:${channel ? `${channel.name}:${id}` : own}`);
    if (!one) return;
    const [event = type] = Object.entries(channel?.events ?? {}).find(([, meant]) => meant === type) ?? [];
    const payload = { id, ...(data as object | undefined) };
    push(one, 'broadcast', { type: 'broadcast', event, payload });
    if (type === channel?.presence?.changed) read(one);
  }

  return {
    onFrame,
    context,
    textOf: textOfBinary,
    take,
    opened(line) {
      connection = line;
      endIn(waitMs);
      connection.onClose('deadline', () => Promise.resolve(clearTimeout(deadline)));
    },
  };
}

function statesOf(present: readonly Presence[]): Record<string, { metas: object[] }> {
  const byKey = Map.groupBy(present, ({ key }) => key);
  return Object.fromEntries(
    byKey
      .entries()
      .map(([key, those]) => [key, { metas: those.map(({ ref, shown }) => ({ phx_ref: ref, ...shown })) }]),
  );
}

function refusalOf(error: unknown): object {
  if (!(error instanceof AppError)) return { code: 'internal', reason: 'internal' };
  return { code: error.code, reason: error.reason, ...error.fields[0] };
}
