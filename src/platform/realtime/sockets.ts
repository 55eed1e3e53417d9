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

/** What a signed-in person's socket may hear; decided by the server, never asked for. */
export interface Grant {
  personId: string;
  topics: readonly string[];
  /** Takes in what the browser says, one after the other. */
  hear(text: string, connection: Connection): Promise<Hearing>;
  /** Of the person, for what is to be done once the socket is closed. */
  context(): Ctx;
  /** Multiplies how much the person may say: 1 but for load tests. */
  rateLimitFactor: number;
}

/** The sockets of this process. */
export interface Sockets {
  /** Whether the person has as many as one may have. */
  crowded(personId: string): boolean;
  /** Takes a socket that has just been opened on `raw`. */
  join(socket: WebSocket, raw: Duplex, grant: Grant): void;
  /** Hands a notice to all who were granted one of its topics. */
  deliver(notice: Notice): void;
  /** To be called at each beat: forgets what has become useless. */
  sweep(): void;
  /** Resolves once all that was to be done for the sockets that have closed is done. */
  settled(): Promise<void>;
}

/** Keeps the sockets of this process; `tell` says something to every process. */
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
    // The library closes a socket on which it hears what it can't read, such as a frame that is too long.
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
        // What was heard last may still be under way when the socket is gone.
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
