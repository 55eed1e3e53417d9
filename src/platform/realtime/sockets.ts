import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Ctx } from '../context.ts';
import type { Log } from '../log.ts';
import type { Connection, Hearing } from './frames.ts';
import type { Notice } from './notices.ts';
import { outletOf, type Outlet } from './outlet.ts';
import { openPeople } from './people.ts';
import { hearSpeech } from './speech.ts';
import { openTopics } from './topics.ts';

export interface Grant {
  personId: string;
  topics: readonly string[];
  /** Handles frames sequentially. */
  hear(text: string, connection: Connection): Promise<Hearing>;
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
  const topics = openTopics<Outlet>();
  const people = openPeople(() => performance.now());
  const leaving = new Set<Promise<void>>();

  function join(socket: WebSocket, raw: Duplex, grant: Grant): void {
    const { personId } = grant;
    const outlet = outletOf(socket, raw);
    const { connection, leave } = connectionOf(socket, outlet, grant.topics);
    people.joined(personId);
    const heard = hearSpeech(socket, {
      allowed: () => people.speak(personId, grant.rateLimitFactor),
      hear: (text) =>
        grant.hear(text, connection).catch((error: unknown) => {
          log.error({ err: error }, 'a frame could not be heard');
          return 'heard';
        }),
      answer: (text) => outlet.say(text),
    });
    // The library itself closes sockets after protocol errors, such as oversized frames.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      people.left(personId);
      const left = leave(heard, grant.context).finally(() => leaving.delete(left));
      leaving.add(left);
    });
  }

  function connectionOf(socket: WebSocket, outlet: Outlet, first: readonly string[]) {
    const granted = new Set<string>();
    const farewells = new Map<string, (ctx: Ctx) => Promise<void>>();
    const connection: Connection = {
      id: randomUUID(),
      grant(topic) {
        // The last frame's handler may outlive the socket.
        if (socket.readyState === WebSocket.CLOSED) return;
        granted.add(topic);
        topics.grant(topic, outlet);
      },
      withdraw(topic) {
        granted.delete(topic);
        topics.withdraw(topic, outlet);
      },
      send: (message) => outlet.say(JSON.stringify(message)),
      tell: (to, message) => tell({ topics: [...to], message }),
      onClose: (key, act) => void farewells.set(key, act),
    };
    for (const topic of first) connection.grant(topic);

    async function leave(heard: () => Promise<void>, context: () => Ctx): Promise<void> {
      for (const topic of granted) topics.withdraw(topic, outlet);
      await heard();
      for (const act of farewells.values()) {
        await act(context()).catch((error: unknown) => log.error({ err: error }, 'a farewell failed'));
      }
    }
    return { connection, leave };
  }

  return {
    crowded: (personId) => people.crowded(personId),
    join,
    deliver({ topics: to, message }) {
      const text = message && JSON.stringify(message);
      for (const outlet of topics.listeners(to)) {
        if (text === null) outlet.end();
        else outlet.say(text);
      }
    },
    sweep: () => people.sweep(),
    async settled() {
      while (leaving.size > 0) await Promise.all(leaving);
    },
  };
}
