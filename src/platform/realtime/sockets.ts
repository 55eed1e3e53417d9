import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';
import type { Connection, FrameResult } from './frames.ts';
import type { Notice } from './notices.ts';
import { socketWriter, type SocketWriter } from './socket-writer.ts';
import { openFrameLimits } from './frame-limits.ts';
import { readFrames } from './socket-reader.ts';
import { openTopics } from './topics.ts';

export interface Grant {
  personId: string;
  topics: readonly string[];
  /** Handles frames sequentially. */
  hear(text: string, connection: Connection): Promise<FrameResult>;
  context(): Ctx;
  rateLimitFactor: number;
}

export interface Sockets {
  crowded(personId: string): boolean;
  join(socket: WebSocket, raw: Duplex, grant: Grant): void;
  deliver(notice: Notice): void;
  sweep(): void;
  /** Resolves after all close handlers finish. */
  settled(): Promise<void>;
}

export function openSockets(tell: (notice: Notice) => void, log: Log): Sockets {
  const topics = openTopics<SocketWriter>();
  const limits = openFrameLimits(() => performance.now());
  const leaving = new Set<Promise<void>>();

  function join(socket: WebSocket, raw: Duplex, grant: Grant): void {
    const { personId } = grant;
    const writer = socketWriter(socket, raw);
    const { connection, leave } = connectionOf(socket, writer, grant.topics);
    limits.joined(personId);
    const framesHandled = readFrames(socket, {
      allowed: () => limits.speak(personId, grant.rateLimitFactor),
      hear: (text) =>
        grant.hear(text, connection).catch((error: unknown) => {
          log.error({ err: error }, 'a frame could not be heard');
          return 'heard';
        }),
      answer: (text) => writer.write(text),
    });
    // The library itself closes sockets after protocol errors, such as oversized frames.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      limits.left(personId);
      const left = leave(framesHandled, grant.context).finally(() => leaving.delete(left));
      leaving.add(left);
    });
  }

  function connectionOf(socket: WebSocket, writer: SocketWriter, first: readonly string[]) {
    const granted = new Set<string>();
    const farewells = new Map<string, (ctx: Ctx) => Promise<void>>();
    const connection: Connection = {
      id: randomUUID(),
      grant(topic) {
        // The last frame's handler may outlive the socket.
        if (socket.readyState === WebSocket.CLOSED) return;
        granted.add(topic);
        topics.grant(topic, writer);
      },
      withdraw(topic) {
        granted.delete(topic);
        topics.withdraw(topic, writer);
      },
      send: (message) => writer.write(JSON.stringify(message)),
      tell: (to, message) => tell({ topics: [...to], message }),
      onClose: (key, act) => void farewells.set(key, act),
    };
    for (const topic of first) connection.grant(topic);

    async function leave(framesHandled: () => Promise<void>, context: () => Ctx): Promise<void> {
      for (const topic of granted) topics.withdraw(topic, writer);
      await framesHandled();
      for (const act of farewells.values()) {
        await act(context()).catch((error: unknown) => log.error({ err: error }, 'a farewell failed'));
      }
    }
    return { connection, leave };
  }

  return {
    crowded: (personId) => limits.crowded(personId),
    join,
    deliver({ topics: to, message }) {
      const text = message && JSON.stringify(message);
      for (const writer of topics.listeners(to)) {
        if (text === null) writer.end();
        else writer.write(text);
      }
    },
    sweep: () => limits.sweep(),
    async settled() {
      while (leaving.size > 0) await Promise.all(leaving);
    },
  };
}
