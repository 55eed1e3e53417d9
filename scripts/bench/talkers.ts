import { once } from 'node:events';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { AppError } from '#/kernel/errors.ts';
import type { Message } from '#/features/messaging/contract.ts';
import { newId } from '#/platform/clock.ts';
import type { Person } from '../../tests/support/people.ts';
import { get, post } from './visitors.ts';

/** How long one who was cut off waits before the next try, in milliseconds: less than a browser, so that the load goes on. */
const backoffMs = 100;
/** How long one tries, in milliseconds: as long as a server takes to start, on a machine that does much else. */
const patience = 60_000;

/** Somebody with a session, at one of several server processes. */
export interface Entrant extends Person {
  cookie: string;
}

/** Opens somebody's socket at a server; throws if it isn't let in. */
export async function openSocket(url: string, cookie: string): Promise<WebSocket> {
  const { origin } = new URL(url);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, { headers: { cookie, origin } });
  await once(socket, 'open');
  return socket;
}

interface Page {
  messages: Message[];
  more: boolean;
}

/** One of the two of a conversation, with a browser that does as ours does. */
export interface Talker {
  /** All messages in the order in which they came. */
  got: Message[];
  /** Sends messages one after the other, each until it is stored, and some again although it was. */
  sendAll(count: number, sent: () => void): Promise<void>;
  /** Cuts the line without a word; it is opened anew, at the next server if this one is gone. */
  cut(): void;
  ask<T>(path: string): Promise<T>;
  say(path: string, body: object): Promise<unknown>;
  close(): void;
}

/**
 * Lets somebody talk in a conversation: hears by the socket that something has come, and only then asks for what lies
 * after the last message that is there.
 */
export function talkerIn(
  conversationId: string,
  { entrant, urls, agent }: { entrant: Entrant; urls: readonly string[]; agent: Agent },
): Talker {
  const got: Message[] = [];
  const path = `/api/conversations/${conversationId}/messages`;
  const life = { closed: false };
  let socket: WebSocket | null = null;
  let at = 0;
  let asking = false;
  let askAgain = false;

  /** Asks until it is answered, at the next server after a failure; a refusal is thrown. */
  async function untilAnswered<T>(request: (url: string) => Promise<unknown>): Promise<T> {
    for (const end = performance.now() + patience; ;) {
      try {
        return (await request(urls[at % urls.length]!)) as T;
      } catch (error) {
        if (error instanceof AppError || life.closed || performance.now() > end) throw error;
        at++;
        await sleep(backoffMs);
      }
    }
  }
  const ask = <T>(what: string) => untilAnswered<T>((url) => get(agent, `${url}${what}`, entrant.cookie));
  const say = (what: string, body: object) =>
    untilAnswered((url) => post(agent, `${url}${what}`, entrant.cookie, body));

  async function catchUp(): Promise<void> {
    askAgain = true;
    if (asking) return;
    asking = true;
    try {
      while (askAgain && !life.closed) {
        askAgain = false;
        const after = got.at(-1)?.seq ?? 0;
        const { messages, more } = await ask<Page>(`${path}?after=${after}&limit=200`);
        got.push(...messages);
        askAgain ||= more;
      }
    } catch {
      // What is missing then is counted at the end.
    }
    asking = false;
  }

  async function listen(): Promise<void> {
    while (!life.closed) {
      try {
        socket = await openSocket(urls[at % urls.length]!, entrant.cookie);
        socket.on('message', (data: Buffer) => {
          const { type } = JSON.parse(data.toString()) as { type: string };
          if (type === 'messages.changed') void catchUp();
        });
        void catchUp();
        await once(socket, 'close');
      } catch {
        at++;
      }
      await sleep(backoffMs);
    }
  }
  void listen();

  return {
    got,
    async sendAll(count, sent) {
      for (let n = 0; n < count; n++) {
        const message = { messageId: newId(), text: `${entrant.id} ${n}` };
        await say(path, message);
        // As after an answer that was lost on its way.
        if (n % 50 === 0) await say(path, message);
        sent();
      }
    },
    cut: () => socket?.terminate(),
    ask,
    say,
    close() {
      life.closed = true;
      socket?.terminate();
    },
  };
}
