import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#/platform/clock.ts';
import { connect } from '#/platform/db/database.ts';
import type { Database } from '#/platform/context.ts';
import type { Kysely } from 'kysely';
import { addClients, addProvider } from '../../tests/support/people.ts';
import type { Figure } from './figure.ts';
import { talkerIn, type Entrant, type Talker } from './talkers.ts';
import { cookiesOf, post } from './visitors.ts';

export interface LoadSize {
  senders: number;
  messages: number;
  cuts: number;
}

const whole: LoadSize = { senders: 20, messages: 1_000, cuts: 10 };
/** Maximum delivery time of the final message, in milliseconds; far longer than a reconnect. */
const patience = 15_000;

export interface LoadTarget {
  urls: readonly [string, string];
  databaseUrl: string;
  authSecret: string;
  /** Kills the second process with SIGKILL and restarts it at the same URL. */
  crash(): Promise<void>;
}

interface Conversation {
  id: string;
  /** Client first. */
  talkers: [Talker, Talker];
  entrants: [Entrant, Entrant];
}

/**
 * Pairs message each other concurrently across both processes while sockets drop and one process crashes. Only the
 * throughput aim may be missed.
 */
export async function loadMessages(target: LoadTarget, size = whole): Promise<Figure[]> {
  const { db } = connect(target.databaseUrl, 5);
  const agent = new Agent({ keepAlive: true, maxSockets: size.senders * 2 });
  const conversations: Conversation[] = [];
  try {
    for (let n = 0; n < size.senders / 2; n++) conversations.push(await opened(db, { target, agent }));
    const talkers = conversations.flatMap((one) => one.talkers);
    const began = performance.now();
    await disturbed(talkers, target, size);
    const seconds = (performance.now() - began) / 1000;
    const each = 1 + 2 * size.messages;
    await until(() => talkers.every(({ got }) => got.length >= each));
    const total = size.senders * size.messages;
    return [
      {
        name: `${size.senders} people send ${size.messages} messages each over two processes, ${size.cuts} lines cut, one process killed`,
        value: `${Math.round(total / seconds)} messages a second, each caught up by both`,
        aim: 'printed',
        met: true,
      },
      lost(conversations, size),
      doubled(conversations),
      await ordered(db, conversations),
      await unread(conversations, size),
    ];
  } finally {
    for (const { talkers } of conversations) for (const talker of talkers) talker.close();
    agent.destroy();
    await db.destroy();
  }
}

async function opened(
  db: Kysely<Database>,
  { target, agent }: { target: LoadTarget; agent: Agent },
): Promise<Conversation> {
  const people = [...(await addClients(db, 1)), await addProvider(db)];
  const cookies = await cookiesOf(db, people, target.authSecret);
  const entrants = people.map((person, index) => ({ ...person, cookie: cookies[index]! })) as [
    Entrant,
    Entrant,
  ];
  const id = newId();
  const first = { messageId: newId(), text: 'first', subject: 'Load' };
  const opening = { ...first, conversationId: id, withId: entrants[1].id };
  await post(agent, `${target.urls[0]}/api/conversations`, entrants[0].cookie, opening);
  const talkers = entrants.map((entrant, index) => {
    const urls = index === 0 ? target.urls : target.urls.toReversed();
    return talkerIn(id, { entrant, urls, agent });
  }) as [Talker, Talker];
  return { id, talkers, entrants };
}

/** Everyone sends concurrently while sockets drop in turn; the process crashes halfway through. */
async function disturbed(talkers: readonly Talker[], target: LoadTarget, size: LoadSize): Promise<void> {
  const total = talkers.length * size.messages;
  let [sent, cut] = [0, 0];
  const crashes: Promise<void>[] = [];
  const noted = () => {
    sent++;
    if (cut < size.cuts && sent > (total * (cut + 0.5)) / size.cuts)
      talkers[(cut++ * 3) % talkers.length]!.cut();
    if (sent > total / 2 && crashes.length === 0) crashes.push(target.crash());
  };
  await Promise.all(talkers.map((talker) => talker.sendAll(size.messages, noted)));
  await Promise.all(crashes);
}

/** Gives up silently after `patience`: the figures then show the missing messages. */
async function until(done: () => boolean): Promise<void> {
  const end = performance.now() + patience;
  while (!done() && performance.now() < end) await sleep(50);
}

function lost(conversations: readonly Conversation[], { messages }: LoadSize): Figure {
  let missing = 0;
  for (const { talkers, entrants } of conversations) {
    for (const { got } of talkers) {
      const texts = new Set(got.map(({ text }) => text));
      for (const { id } of entrants)
        for (let n = 0; n < messages; n++) if (!texts.has(`${id} ${n}`)) missing++;
    }
  }
  return must('messages lost', missing);
}

function doubled(conversations: readonly Conversation[]): Figure {
  const talkers = conversations.flatMap((one) => one.talkers);
  const extra = talkers.map(({ got }) => got.length - new Set(got.map(({ text }) => text)).size);
  return must(
    'messages doubled',
    extra.reduce((sum, one) => sum + one, 0),
  );
}

/** Both sides match the stored order without gaps, and each sender's messages keep their sending order. */
async function ordered(db: Kysely<Database>, conversations: readonly Conversation[]): Promise<Figure> {
  let wrong = 0;
  for (const { id, talkers, entrants } of conversations) {
    const stored = await db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', id)
      .orderBy('seq')
      .execute();
    const orders = talkers.map(({ got }) => got.map((message) => message.id).join());
    const gapless = talkers.every(({ got }) => got.every(({ seq }, index) => seq === index + 1));
    const own = entrants.every((entrant) => inOwnOrder(talkers[0], entrant));
    const same = orders.every((order) => order === stored.map((message) => message.id).join());
    if (!(same && gapless && own)) wrong++;
  }
  return must('conversations in which the order isn’t one', wrong);
}

function inOwnOrder({ got }: Talker, { id }: Entrant): boolean {
  const numbers = got.filter(({ text }) => text.startsWith(id)).map(({ text }) => Number(text.split(' ')[1]));
  return numbers.every((number, index) => number === index);
}

async function unread(conversations: readonly Conversation[], { messages }: LoadSize): Promise<Figure> {
  let wrong = 0;
  const read = Math.ceil(messages / 2);
  for (const { id, talkers } of conversations) {
    for (const [index, talker] of talkers.entries()) {
      const theirs = (after: number) => talker.got.filter(({ mine, seq }) => !mine && seq > after).length;
      const counts = async () => {
        const all = await talker.ask<{ messages: number }>('/api/conversations/unread');
        const { unread: here } = await talker.ask<{ unread: number }>(`/api/conversations/${id}`);
        return [all.messages, here];
      };
      if ((await counts()).some((count) => count !== theirs(0) || count !== messages + index)) wrong++;
      await talker.say(`/api/conversations/${id}/read`, { seq: read });
      if ((await counts()).some((count) => count !== theirs(read))) wrong++;
    }
  }
  return must('wrong counts of what is unread', wrong);
}

function must(name: string, count: number): Figure {
  return { name, value: String(count), aim: '0', met: count === 0, must: true };
}
