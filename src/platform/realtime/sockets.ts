import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import type { FrameResult, ProgramConnection } from './frames.ts';
import type { Notice, RealtimeMessage } from './notices.ts';
import { dismiss } from './closing.ts';

export interface Grant {
  /** The person whose limits the socket counts toward. */
  personId: string;
  /** People who share that limit; 1 by default. */
  people?: number;
  topics: readonly string[];
  /** When the server rendered the page, in epoch milliseconds; null after a reconnect. */
  since: number | null;
  /** Handles frames sequentially. */
  onFrame(text: string, connection: ProgramConnection): Promise<FrameResult>;
  context(): Ctx;
  rateLimitFactor: number;
  opened?(connection: ProgramConnection): void;
  /** Reads binary frames, which are otherwise malformed. */
  textOf?(bytes: Buffer): string;
  /** Sends messages, by default as JSON. */
  take?(message: RealtimeMessage): void;
}

type Owner = Required<Pick<Grant, 'personId' | 'people'>>;

export interface Sockets {
  crowded(grant: Pick<Grant, 'personId' | 'people'>): boolean;
  join(socket: WebSocket, raw: Duplex, grant: Grant): void;
  deliver(notice: Notice): void;
  /** Call when notices were missed. */
  restart(): void;
  sweep(): void;
  /** Resolves after all close handlers finish. */
  settled(): Promise<void>;
}

export function openSockets(tell: (notice: Notice) => void, log: Log): Sockets {
  const topics = openTopics<Subscriber>();
  const news = openNews(Date.now);
  const limits = openFrameLimits(() => performance.now());
  const leaving = new Set<Promise<void>>();

  function join(socket: WebSocket, raw: Duplex, grant: Grant): void {
    const owner = { personId: grant.personId, people: grant.people ?? 1 };
    const writer = socketWriter(socket, raw);
    const { connection, leave } = connectionOf(socket, writer, grant, owner);
    limits.joined(owner.personId);
    grant.opened?.(connection);
    if (grant.since !== null && news.anySince(grant.since, grant.topics)) writer.write(missed);
    const framesHandled = readFrames(socket, {
      allowed: () => limits.speak(owner.personId, grant.rateLimitFactor * owner.people),
      textOf: (bytes) => grant.textOf?.(bytes) ?? '',
      onFrame: (text) =>
        grant.onFrame(text, connection).catch((error: unknown) => {
          log.error({ err: error }, 'a frame could not be handled');
          return 'handled';
        }),
      answer: (text) => writer.write(text),
    });
    // The library itself closes sockets after protocol errors, such as oversized frames.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      limits.left(owner.personId);
      const left = leave(framesHandled, grant.context).finally(() => leaving.delete(left));
      leaving.add(left);
    });
  }

  function connectionOf(socket: WebSocket, writer: SocketWriter, grant: Grant, owner: Owner) {
    const granted = new Set<string>();
    const farewells = new Map<string, (ctx: Ctx) => Promise<void>>();
    const subscriber: Subscriber = {
      deliver: (message, text) => (grant.take ? grant.take(message) : writer.write(text)),
      end: () => writer.end(),
    };
    const connection: ProgramConnection = {
      id: randomUUID(),
      grant(topic) {
        // The last frame's handler may outlive the socket.
        if (socket.readyState === WebSocket.CLOSED) return;
        granted.add(topic);
        topics.grant(topic, subscriber);
      },
      withdraw(topic) {
        granted.delete(topic);
        topics.withdraw(topic, subscriber);
      },
      send: (message) => subscriber.deliver(message, JSON.stringify(message)),
      write: (text) => writer.write(text),
      end: () => writer.end(),
      moveTo(personId) {
        // A closed socket has left its share.
        if (limits.crowded(personId) || socket.readyState === WebSocket.CLOSED) return false;
        limits.left(owner.personId);
        limits.joined(personId);
        Object.assign(owner, { personId, people: 1 });
        return true;
      },
      tell: (to, message) => tell({ topics: [...to], message }),
      onClose: (key, act) => void farewells.set(key, act),
    };
    for (const topic of grant.topics) connection.grant(topic);

    async function leave(framesHandled: () => Promise<void>, context: () => Ctx): Promise<void> {
      for (const topic of granted) topics.withdraw(topic, subscriber);
      await framesHandled();
      for (const act of farewells.values()) {
        await act(context()).catch((error: unknown) => log.error({ err: error }, 'a close handler failed'));
      }
    }
    return { connection, leave };
  }

  return {
    crowded: ({ personId, people }) => limits.crowded(personId, people),
    join,
    deliver({ topics: to, message }) {
      const text = JSON.stringify(message);
      news.told(to);
      for (const subscriber of topics.listeners(to)) {
        if (message === null) subscriber.end();
        else subscriber.deliver(message, text);
      }
    },
    restart: () => news.restart(),
    sweep() {
      limits.sweep();
      news.sweep();
    },
    async settled() {
      while (leaving.size > 0) await Promise.all(leaving);
    },
  };
}

/** Pending frames per socket before reading pauses. */
const maxWaiting = 32;
/** Malformed frames allowed per socket. */
const maxGarbage = 20;
/** Answered ahead of pending frames. */
const beat = '{"type":"beat"}';
const beatAnswer = '{"type":"beat","id":""}';

interface FrameListener {
  allowed(): boolean;
  textOf(bytes: Buffer): string;
  onFrame(text: string): Promise<FrameResult>;
  answer(text: string): void;
}

/**
 * Handles a socket's frames sequentially until it closes; the returned function waits for the current one. Pauses
 * reading under load and closes sockets above the rate limit.
 */
function readFrames(socket: WebSocket, listener: FrameListener): () => Promise<void> {
  let waiting = 0;
  let garbage = 0;
  let handled = Promise.resolve();

  async function handleNext(before: Promise<void>, text: string): Promise<void> {
    await before;
    if (socket.readyState === WebSocket.OPEN) {
      const how = await listener.onFrame(text);
      if (how === 'ended') dismiss(socket, 'ended');
      if (how === 'changed') dismiss(socket, 'restart');
      if (how === 'garbage' && ++garbage >= maxGarbage) dismiss(socket, 'flood');
    }
    if (--waiting === maxWaiting / 2) socket.resume();
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!listener.allowed()) return dismiss(socket, 'flood');
    const text = isBinary ? listener.textOf(data) : data.toString();
    if (text === beat) return listener.answer(beatAnswer);
    if (++waiting === maxWaiting) socket.pause();
    handled = handleNext(handled, text);
  });
  return () => handled;
}

/** Send buffer limit per browser, in bytes; slower sockets are closed and refetch after reconnecting. */
const maxBuffered = 256 * 1024;

interface SocketWriter {
  write(text: string): void;
  end(): void;
}

interface Subscriber {
  /** `text` is the message as JSON. */
  deliver(message: RealtimeMessage, text: string): void;
  end(): void;
}

/** Wraps a socket; corks `raw` to write everything sent in one tick at once. */
function socketWriter(socket: WebSocket, raw: Duplex): SocketWriter {
  function gather(): void {
    if (raw.writableCorked > 0) return;
    raw.cork();
    process.nextTick(() => raw.uncork());
  }
  return {
    write(text) {
      if (socket.readyState !== WebSocket.OPEN) return;
      if (socket.bufferedAmount > maxBuffered) return dismiss(socket, 'slow');
      gather();
      socket.send(text);
    },
    end: () => dismiss(socket, 'ended'),
  };
}

const maxSockets = 20;
/** Frame rate limits per person and process: burst and per second. Starting a six-person call stays below them. */
const burst = 200;
const aSecond = 40;

interface Share {
  sockets: number;
  /** Remaining frames as of `at`. */
  left: number;
  /** Monotonic time in milliseconds. */
  at: number;
}

interface FrameLimits {
  /** `people` share the limit. */
  crowded(personId: string, people?: number): boolean;
  joined(personId: string): void;
  left(personId: string): void;
  /** Counts a frame; returns false above the limit. `factor` multiplies the limit: 1 except in load tests. */
  speak(personId: string, factor: number): boolean;
  sweep(): void;
}

function openFrameLimits(clock: () => number): FrameLimits {
  const shares = new Map<string, Share>();
  const shareOf = (personId: string): Share => {
    const share = shares.get(personId) ?? { sockets: 0, left: burst, at: clock() };
    shares.set(personId, share);
    return share;
  };
  const refilled = ({ left, at }: Share) => Math.min(burst, left + ((clock() - at) / 1000) * aSecond);
  return {
    crowded: (personId, people = 1) => (shares.get(personId)?.sockets ?? 0) >= maxSockets * people,
    joined: (personId) => void shareOf(personId).sockets++,
    left: (personId) => void shareOf(personId).sockets--,
    speak(personId, factor) {
      const share = shareOf(personId);
      const left = refilled(share) - 1 / factor;
      if (left < 0) return false;
      Object.assign(share, { left, at: clock() });
      return true;
    },
    sweep() {
      for (const [personId, share] of shares)
        if (share.sockets === 0 && refilled(share) === burst) shares.delete(personId);
    },
  };
}

/** Tells a page that messages may have been missed between its rendering and its connection. */
const missed = '{"type":"missed","id":""}';

/** How long a page may take from its rendering to its connection, in milliseconds. */
const newsMs = 60_000;
/** By how much the clock of the process that rendered the page may be ahead, in milliseconds. */
const aheadMs = 5_000;

interface News {
  told(topics: readonly string[]): void;
  /** Whether these topics may have had messages since then, in epoch milliseconds. */
  anySince(at: number, topics: readonly string[]): boolean;
  restart(): void;
  sweep(): void;
}

function openNews(clock: () => number): News {
  const last = new Map<string, number>();
  let listeningSince = clock();
  return {
    told(topics) {
      for (const topic of topics) last.set(topic, clock());
    },
    anySince(at, topics) {
      const from = at - aheadMs;
      if (from < listeningSince || from < clock() - newsMs) return true;
      return topics.some((topic) => (last.get(topic) ?? 0) >= from);
    },
    restart: () => void (listeningSince = clock()),
    sweep() {
      for (const [topic, at] of last) if (at < clock() - newsMs) last.delete(topic);
    },
  };
}

interface Topics<Listener> {
  grant(topic: string, listener: Listener): void;
  withdraw(topic: string, listener: Listener): void;
  listeners(topics: readonly string[]): Set<Listener>;
}

function openTopics<Listener>(): Topics<Listener> {
  const byTopic = new Map<string, Set<Listener>>();
  return {
    grant(topic, listener) {
      byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(listener));
    },
    withdraw(topic, listener) {
      const listeners = byTopic.get(topic);
      listeners?.delete(listener);
      if (listeners?.size === 0) byTopic.delete(topic);
    },
    listeners: (topics) => new Set(topics.flatMap((topic) => [...(byTopic.get(topic) ?? [])])),
  };
}
