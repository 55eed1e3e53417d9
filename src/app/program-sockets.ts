import { AppError, invalidField, isLogged } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { parseBody } from '#/platform/http/json-body.ts';
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
import { programInputs } from './program-inputs.ts';
import { ProgramPerson, type PersonParts } from './program-person.ts';
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

const maxChannels = 100;

interface Parts extends ProgramParts, PersonParts {
  version: PhoenixVersion;
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
  let socket!: ProgramSocket;
  return {
    onFrame: (text) => socket.handleFrame(text),
    context: () => socket.context(),
    textOf: textOfBinary,
    take: (message) => socket.take(message),
    opened(connection) {
      socket = new ProgramSocket(parts, connection);
    },
  };
}

class ProgramSocket {
  readonly #parts: Parts;
  readonly #connection: ProgramConnection;
  readonly #person: ProgramPerson;
  readonly #joined = new Map<string, Joined>();
  /** Keeps presence reads in order. */
  #reading = Promise.resolve();

  constructor(parts: Parts, connection: ProgramConnection) {
    this.#parts = parts;
    this.#connection = connection;
    this.#person = new ProgramPerson(parts, connection);
  }

  context(): Ctx {
    return this.#person.context();
  }

  async handleFrame(text: string): Promise<FrameResult> {
    const { version, log } = this.#parts;
    const message = readPhoenix(text, version);
    const { join_ref, ref, topic, event } = message ?? {
      join_ref: null,
      ref: null,
      topic: 'phoenix',
      event: '',
    };
    const answer = (status: 'ok' | 'error', response: object) =>
      this.#connection.write(
        writePhoenix({ join_ref, ref, topic, event: 'phx_reply', payload: { status, response } }, version),
      );
    if (!message) {
      answer('error', { code: 'invalid', reason: 'bad_frame' });
      return 'garbage';
    }
    try {
      const { who } = this.#person;
      const known = who && ['broadcast', 'presence'].includes(event) ? await who.speaker() : 'same';
      if (known !== 'same') return known;
      const after = await this.#act(message);
      answer('ok', {});
      after?.();
      return 'handled';
    } catch (error) {
      const { requestId } = this.context();
      if (isLogged(error)) log.error({ err: error, requestId }, 'a frame failed');
      answer('error', refusalOf(error));
      await logRefusal(this.context(), 'realtime', error, inputOf(topic));
      return error instanceof AppError && error.code === 'invalid' ? 'garbage' : 'handled';
    }
  }

  take(message: RealtimeMessage): void {
    const { channels } = this.#parts;
    const { type, id, data } = message;
    if (type === 'site.changed' && this.#person.who) void this.#person.recheck();
    const channel = channels.find(({ events }) => Object.values(events).includes(type));
    const one = this.#joined.get(`realtime:${channel ? `${channel.name}:${id}` : own}`);
    if (!one) return;
    const [event = type] = Object.entries(channel?.events ?? {}).find(([, meant]) => meant === type) ?? [];
    const payload = { id, ...(data as object | undefined) };
    this.#push(one, 'broadcast', { type: 'broadcast', event, payload });
    if (type === channel?.presence?.changed) this.#read(one);
  }

  /** Returns what to do after the answer. */
  async #act(message: PhoenixMessage): Promise<(() => void) | void> {
    const { topic, event, payload } = message;
    const one = this.#joined.get(topic);
    if (topic === 'phoenix' && event === 'heartbeat') return;
    if (event === 'phx_join') return this.#join(message);
    if (event === 'phx_leave') return this.#leave(one);
    if (!one) throw new AppError('not_found', 'topic');
    if (event === 'access_token')
      return this.#person.identify(parseBody(programInputs.token, payload).access_token);
    if (event === 'broadcast') return this.#broadcast(one, payload);
    if (event !== 'presence') throw invalidField('event', 'not_an_option');
    return parseBody(programInputs.presence, payload).event === 'track'
      ? this.#track(one)
      : this.#untrack(one);
  }

  async #join({ topic, join_ref, payload }: PhoenixMessage) {
    const { config, access_token } = parseBody(programInputs.join, payload);
    const { who } = this.#person;
    if (!who || (access_token && access_token !== who.token)) await this.#person.identify(access_token);
    const { channel, id } = channelOf(this.#parts.channels, nameOf(topic));
    const { broadcast, presence } = config;
    if (presence?.key && presence.key !== this.#person.who?.actor.id)
      throw invalidField('config.presence.key', 'not_an_option');
    if (this.#joined.size >= maxChannels && !this.#joined.has(topic))
      throw new AppError('rate_limited', 'too_many_channels');
    await channel?.authorize(this.context(), id);
    const before = this.#joined.get(topic);
    if (before) {
      await this.#leave(before);
      this.#push(before, 'phx_close', {});
    }
    const self = broadcast?.self ?? false;
    const watches = presence?.enabled ?? false;
    const one = { topic, joinRef: join_ref, channel, id, self, watches, there: null, stale: false };
    this.#joined.set(topic, one);
    return () => {
      if (watches) this.#push(one, 'presence_state', {});
    };
  }

  async #leave(one: Joined | undefined): Promise<void> {
    if (one?.there) await this.#untrack(one);
    if (one) this.#joined.delete(one.topic);
  }

  async #broadcast(one: Joined, payload: unknown): Promise<void> {
    const { event, payload: said } = parseBody(programInputs.broadcast, payload);
    const echoing: Connection = {
      ...this.#connection,
      tell: (topics, message) => {
        this.#connection.tell(topics, message);
        if (one.self) this.take(message);
      },
    };
    const broadcast = { name: nameOf(one.topic), event, payload: said };
    await handleBroadcast(this.#parts, this.context(), broadcast, echoing);
  }

  async #track(one: Joined): Promise<void> {
    const presence = one.channel?.presence;
    if (!presence) throw invalidField('event', 'not_an_option');
    if ([...this.#joined.values()].some((other) => other.there && other !== one))
      throw new AppError('conflict', 'present_elsewhere');
    const before = one.there;
    // Set first: notices may arrive before the answer.
    one.there ??= new Map();
    await this.#runFrame(presence.enter, one).catch((error: unknown) => {
      one.there = before;
      throw error;
    });
  }

  async #untrack(one: Joined): Promise<void> {
    if (!one.there) return;
    await this.#runFrame(one.channel!.presence!.leave, one);
    this.#show(one, []);
    one.there = null;
  }

  async #runFrame(type: string, one: Joined): Promise<void> {
    const frame = { type, input: { [one.channel!.idField]: one.id } };
    await runFrame(this.#parts.frames, this.context(), frame, this.#connection);
  }

  #read(one: Joined): void {
    if (!one.there || one.stale) return;
    one.stale = true;
    this.#reading = this.#reading.then(() => this.#readNow(one));
  }

  async #readNow(one: Joined): Promise<void> {
    one.stale = false;
    try {
      const present = one.there ? await one.channel!.presence!.read(this.context(), one.id) : [];
      if (one.there) this.#show(one, present);
    } catch (error) {
      if (isLogged(error)) return this.#parts.log.error({ err: error }, 'presence could not be read');
      // The person may no longer see presence.
      this.#joined.delete(one.topic);
      this.#push(one, 'phx_close', {});
    }
  }

  #show(one: Joined, present: readonly Presence[]): void {
    const before = one.there!;
    const now = new Map(present.map((presence) => [presence.ref, presence]));
    const joins = present.filter(({ ref }) => !before.has(ref));
    const leaves = [...before.values()].filter(({ ref }) => !now.has(ref));
    one.there = now;
    if (!one.watches || joins.length + leaves.length === 0) return;
    this.#push(one, 'presence_diff', { joins: statesOf(joins), leaves: statesOf(leaves) });
  }

  #push({ topic, joinRef }: Joined, event: string, payload: unknown): void {
    const message = { join_ref: joinRef, ref: null, topic, event, payload };
    this.#connection.write(writePhoenix(message, this.#parts.version));
  }
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
