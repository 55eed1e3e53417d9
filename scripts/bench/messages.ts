import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import type { Kysely } from 'kysely';
import type { WebSocket } from 'ws';
import type { Message } from '#/features/messaging/contract.ts';
import { sealed } from '#/features/messaging/queries.ts';
import { newId } from '#/platform/clock.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { connect } from '#/platform/db/database.ts';
import type { Database } from '#/platform/context.ts';
import { addClients, addProvider } from '../../tests/support/people.ts';
import type { Figure } from './figure.ts';
import { loadMessages, type LoadTarget } from './message-load.ts';
import { benchRelay } from './relay.ts';
import { openSocket, type Entrant } from './talkers.ts';
import { cookiesOf, get, post } from './visitors.ts';

const idleSockets = 1_000;
const deliveries = 500;
const longHistory = 100_000;
const firstLists = 500;
const warmUp = 100;

export interface MessagesTarget extends LoadTarget {
  pid: number;
  encryptionKeys: string;
}

interface Bench extends MessagesTarget {
  db: Kysely<Database>;
  agent: Agent;
}

/**
 * Measures messages and sockets across two processes, then checks under load for lost, duplicated or miscounted
 * messages. Reports figures as they come.
 */
export async function benchMessages(
  target: MessagesTarget,
  say: (figures: readonly Figure[]) => void,
): Promise<void> {
  const { db } = connect(target.databaseUrl, 5);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const bench: Bench = { ...target, db, agent };
  try {
    say(await delivered(bench));
    say([await listed(bench)]);
    say(await benchRelay(target.databaseUrl));
    say(await loadMessages(target));
  } finally {
    agent.destroy();
    await db.destroy();
  }
}

async function delivered(bench: Bench): Promise<Figure[]> {
  const { db, authSecret, urls, pid } = bench;
  const cookies = await cookiesOf(db, await addClients(db, idleSockets + warmUp), authSecret);
  // Warms up shared memory before the first reading.
  for (const socket of await openAll(urls[0], cookies.slice(idleSockets))) socket.terminate();
  const before = await residentKilobytes(pid);
  const idle = await openAll(urls[0], cookies.slice(0, idleSockets));
  const after = await residentKilobytes(pid);
  const pair = await conversing(bench);
  await deliver(bench, pair, warmUp);
  const times = await deliver(bench, pair, deliveries);
  for (const socket of idle) socket.terminate();
  const each = before === null || after === null ? null : (after - before) / idleSockets;
  return [
    {
      name: `memory of each of ${idleSockets} idle sockets`,
      value: each === null ? 'not measured on this system' : `${each.toFixed(1)} kB`,
      aim: 'under 64 kB',
      met: each === null || each < 64,
    },
    {
      name: `a message sent at one process until it was heard of and fetched at the other, with ${idleSockets} idle sockets`,
      value: spread(times),
      aim: 'p99 under 50 ms',
      met: at(times, 0.99) < 50,
    },
  ];
}

async function openAll(url: string, cookies: readonly string[]): Promise<WebSocket[]> {
  const opened: WebSocket[] = [];
  for (let n = 0; n < cookies.length; n += 50)
    opened.push(...(await Promise.all(cookies.slice(n, n + 50).map((cookie) => openSocket(url, cookie)))));
  return opened;
}

/** Resident memory in kilobytes; null without Linux's `/proc`. */
async function residentKilobytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  return found && Number(found[1]);
}

interface Pair {
  conversationId: string;
  client: Entrant;
  provider: Entrant;
}

async function conversing({ db, authSecret, urls, agent }: Bench): Promise<Pair> {
  const people = [...(await addClients(db, 1)), await addProvider(db)];
  const cookies = await cookiesOf(db, people, authSecret);
  const [client, provider] = people.map((person, index) => ({ ...person, cookie: cookies[index]! }));
  const conversationId = newId();
  const first = { messageId: newId(), text: 'first', subject: 'Bench' };
  const opening = { ...first, conversationId, withId: provider!.id };
  await post(agent, `${urls[0]}/api/conversations`, client!.cookie, opening);
  return { conversationId, client: client!, provider: provider! };
}

async function deliver({ urls, agent }: Bench, pair: Pair, count: number): Promise<number[]> {
  const { conversationId, client, provider } = pair;
  const path = `/api/conversations/${conversationId}/messages`;
  const socket = await openSocket(urls[1], provider.cookie);
  const times: number[] = [];
  const { lastSeq } = (await get(
    agent,
    `${urls[1]}/api/conversations/${conversationId}`,
    provider.cookie,
  )) as {
    lastSeq: number;
  };
  for (let after = lastSeq; after < lastSeq + count; after++) {
    const text = 'How was your week? I have thought about what you said, and would like to hear more.';
    const received = once(socket, 'message');
    const began = performance.now();
    const sent = post(agent, `${urls[0]}${path}`, client.cookie, { messageId: newId(), text });
    await received;
    const answer = await get(agent, `${urls[1]}${path}?after=${after}`, provider.cookie);
    times.push(performance.now() - began);
    if ((answer as { messages: Message[] }).messages.length !== 1) throw new Error('expected one message');
    await sent;
  }
  socket.terminate();
  return times;
}

async function listed(bench: Bench): Promise<Figure> {
  const pair = await conversing(bench);
  await fill(bench, pair);
  const url = `${bench.urls[0]}/api/conversations/${pair.conversationId}/messages`;
  const times: number[] = [];
  for (let n = 0; n < warmUp + firstLists; n++) {
    const began = performance.now();
    const { messages } = (await get(bench.agent, url, pair.provider.cookie)) as { messages: Message[] };
    if (n >= warmUp) times.push(performance.now() - began);
    if (messages.at(-1)?.seq !== longHistory) throw new Error('the last message is missing from the list');
  }
  return {
    name: `the first list of a conversation with ${longHistory.toLocaleString('en')} messages`,
    value: spread(times),
    aim: 'p99 under 50 ms',
    met: at(times, 0.99) < 50,
  };
}

async function fill(
  { db, encryptionKeys }: Bench,
  { conversationId, client, provider }: Pair,
): Promise<void> {
  const keyring = openKeyring(encryptionKeys);
  const begun = Date.now() - longHistory * 1000;
  for (let from = 2; from <= longHistory; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, longHistory - from + 1) }, (_, index) => {
      const [id, seq] = [newId(), from + index];
      return {
        id,
        conversation_id: conversationId,
        seq,
        client_id: client.id,
        provider_id: provider.id,
        from_client: seq % 2 === 0,
        text: sealed.text.seal(
          keyring,
          id,
          `What was said as number ${seq}, and some words more. `.repeat(3),
        ),
        sent_at: new Date(begun + seq * 1000),
      };
    });
    await db.insertInto('messages').values(rows).execute();
  }
  await db
    .updateTable('conversations')
    .set({ last_seq: longHistory, last_at: new Date() })
    .where('id', '=', conversationId)
    .execute();
}

function at(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)]!;
}

function spread(times: readonly number[]): string {
  return `p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms`;
}
