import { once } from 'node:events';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { AppError } from '#/kernel/errors.ts';
import type { Message } from '#/features/messaging/contract.ts';
import { newId } from '#/platform/clock.ts';
import type { Person } from '../../tests/support/people.ts';
import { get, post } from './visitors.ts';

/** Reconnect delay in milliseconds; shorter than a browser's, to keep up the load. */
const backoffMs = 100;
/** Retry limit in milliseconds: long enough for a server restart on a busy machine. */
const patience = 60_000;

export interface Entrant extends Person {
  cookie: string;
}

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

/** One participant of a conversation, with a client that behaves like our browser code. */
export interface Talker {
  got: Message[];
  /** Sends messages in sequence, retrying each until stored and repeating some already stored. */
  sendAll(count: number, sent: () => void): Promise<void>;
  /** Terminates the socket without a close frame; it reconnects, to the next server if needed. */
  cut(): void;
  ask<T>(path: string): Promise<T>;
  say(path: string, body: object): Promise<unknown>;
  close(): void;
}

/** Joins a conversation: socket events only trigger fetching messages after the last known one. */
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

  /** Retries on the next server after connection failures; throws refusals. */
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
    } catch {}
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
        // Repeats a message, like after a lost response.
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
