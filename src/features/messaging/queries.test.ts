import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { bookNew } from '#/features/care/clients/commands.ts';
import { newId } from '#/platform/clock.ts';
import { calling } from '../../../tests/support/callers.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { fillWith } from '../../../tests/support/fill.ts';
import { proving } from '../../../tests/support/prove.ts';
import { scannedBy } from '../../../tests/support/scans.ts';
import { addClient, addClients, addProvider, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { addSession } from '../../../tests/support/sessions.ts';
import { open, send } from './commands.ts';
import { requireMember } from './membership/policies.ts';
import { requireConversation } from './policies.ts';
import { conversationsOf, messagesOf, sealed, unreadOf } from './queries.ts';
import { searchOwn } from './search/queries.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

const asked = (to: Person, text: string) => ({
  conversationId: newId(),
  withId: to.id,
  subject: 'Sleep',
  messageId: newId(),
  text,
  attachmentIds: [],
});
const begun = async (from: Person, to: Person, text = 'Hello') =>
  (await open(as(from), asked(to, text), 1_000)).id;
const say = (who: Person, conversationId: string, text: string) =>
  send(as(who), { conversationId, messageId: newId(), text, attachmentIds: [] }, 1_000);
const list = (who: Person, page: Parameters<typeof conversationsOf>[2]) =>
  conversationsOf(as(who), selfOf(as(who)), page);
const messages = async (who: Person, id: string, page: Parameters<typeof messagesOf>[2]) =>
  messagesOf(as(who), await requireMember(as(who), id), page);
const search = (who: Person, words: string, next?: string) =>
  searchOwn(as(who), selfOf(as(who)), { words, next });

test('pages conversations by latest message, even with equal start times', async () => {
  const provider = await addProvider(db);
  const ids: string[] = [];
  for (const client of await addClients(db, 5)) ids.push(await begun(client, provider));
  setNow('2026-03-02T12:01:00Z');
  await say(provider, ids[2]!, 'First again');
  const seen: string[] = [];
  let page: Parameters<typeof conversationsOf>[2] = { limit: 2 };
  for (let more = true; more;) {
    const found = await list(provider, page);
    seen.push(...found.conversations.map(({ id }) => id));
    more = found.more;
    const last = found.conversations.at(-1)!;
    page = { limit: 2, beforeAt: last.last.sentAt, beforeId: last.id };
  }
  expect(seen).toHaveLength(5);
  expect(seen[0]).toBe(ids[2]);
  expect(new Set(seen)).toEqual(new Set(ids));
  expect(seen.slice(1)).toEqual(seen.slice(1).toSorted().toReversed());
});

test('blocks messages to people without an account', async () => {
  const provider = await addProvider(db);
  const { clientId } = await bookNew(as(provider), await calling(db));
  expect(await refusalOf(begun(provider, { ...provider, id: clientId }))).toMatchObject({
    code: 'not_found',
  });
});

test('keeps a former client’s conversations beside their new ones as a provider', async () => {
  const [counsellor, later] = [await addProvider(db), await addProvider(db)];
  const before: Person = { ...later, role: 'client' };
  const id = await begun(before, counsellor, 'As a client');
  const client = await addClient(db);
  const received = await begun(client, later, 'To a provider');
  const { conversations } = await list(later, { limit: 10 });
  expect(conversations.map((one) => [one.id, one.last.mine, one.unread, one.with.kind])).toEqual(
    [
      [id, true, 0, 'doctor'],
      [received, false, 1, null],
    ].toSorted(([a], [b]) => (a! < b! ? 1 : -1)),
  );
  await say(counsellor, id, 'Answer');
  expect(await unreadOf(as(later), selfOf(as(later)))).toEqual({ messages: 2, conversations: 2 });
});

test('lists messages ascending: latest, before and after one', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const id = await begun(client, provider, '1');
  for (let count = 2; count <= 7; count++) await say(count % 2 ? client : provider, id, `${count}`);
  const seqs = async (page: Parameters<typeof messagesOf>[2]) => {
    const found = await messages(client, id, page);
    return [found.messages.map(({ seq }) => seq), found.more];
  };
  expect(await seqs({ limit: 3 })).toEqual([[5, 6, 7], true]);
  expect(await seqs({ limit: 3, before: 5 })).toEqual([[2, 3, 4], true]);
  expect(await seqs({ limit: 3, before: 2 })).toEqual([[1], false]);
  expect(await seqs({ limit: 3, after: 0 })).toEqual([[1, 2, 3], true]);
  expect(await seqs({ limit: 3, after: 5 })).toEqual([[6, 7], false]);
  expect(await seqs({ limit: 3, after: 7 })).toEqual([[], false]);
});

describe('a search', () => {
  test('finds messages on both sides of one’s own conversations, latest first', async () => {
    const [client, provider, other] = [await addClient(db), await addProvider(db), await addProvider(db)];
    const one = await begun(client, provider, 'The café on Thursday');
    setNow('2026-03-02T12:10:00Z');
    const two = await begun(client, other, 'No cafe, thank you');
    setNow('2026-03-02T12:20:00Z');
    await say(provider, one, 'CAFÉ it is');
    await say(provider, one, 'See you');
    const stranger = await addClient(db);
    await begun(stranger, other, 'A cafe of my own');
    const { found, looked, next } = await search(client, 'cafe');
    expect(found.map(({ conversation, message }) => [conversation.id, message.text, message.mine])).toEqual([
      [one, 'CAFÉ it is', false],
      [two, 'No cafe, thank you', true],
      [one, 'The café on Thursday', true],
    ]);
    expect([looked, next]).toEqual([4, null]);
    expect((await search(other, 'cafe')).found).toHaveLength(2);
    expect((await search(provider, 'thank')).found).toEqual([]);
  });

  test('reads 300 messages per call and continues, even as messages arrive', async () => {
    const [client, provider] = [await addClient(db), await addProvider(db)];
    const id = await begun(client, provider, 'needle 0');
    await fill(id, { client, provider }, 700, (seq) => (seq % 100 === 0 ? `needle ${seq}` : 'hay'));
    const first = await search(client, 'needle');
    expect([first.looked, first.found.length]).toEqual([300, 3]);
    setNow('2026-03-02T14:00:00Z');
    await say(provider, id, 'needle, a new one');
    const second = await search(client, 'needle', first.next!);
    const third = await search(client, 'needle', second.next!);
    expect([second.looked, third.looked, third.next]).toEqual([300, 101, null]);
    const all = [...first.found, ...second.found, ...third.found].map(({ message }) => message.text);
    expect(all).toEqual([700, 600, 500, 400, 300, 200, 100, 0].map((seq) => `needle ${seq}`));
    expect(await refusalOf(search(client, 'needle', 'made up'))).toMatchObject({
      fields: [{ field: 'next', reason: 'bad_format' }],
    });
    // A cursor from another person exposes none of their messages.
    expect((await search(await addClient(db), 'needle', first.next!)).looked).toBe(0);
  });

  test('yields to other work every few milliseconds', { tags: ['long'] }, async () => {
    const [client, provider] = [await addClient(db), await addProvider(db)];
    const id = await begun(client, provider);
    await fill(id, { client, provider }, 300, () => 'Ä lông wörd '.repeat(416));
    await search(client, 'nowhere');
    const longest: number[] = [];
    for (let tries = 0; tries < 5; tries++) {
      const gaps: number[] = [];
      let last = process.threadCpuUsage();
      const tick = setInterval(() => {
        const { user, system } = process.threadCpuUsage(last);
        gaps.push((user + system) / 1_000);
        last = process.threadCpuUsage();
      }, 1);
      await search(client, 'nowhere');
      clearInterval(tick);
      expect(gaps.length).toBeGreaterThan(3);
      longest.push(Math.max(...gaps));
    }
    // Milliseconds of CPU time in one batch, which a busy machine doesn't stretch.
    expect(Math.min(...longest)).toBeLessThan(100);
  });
});

/** Inserts messages directly into the table: sending that many would take too long. */
async function fill(
  id: string,
  { client, provider }: { client: Person; provider: Person },
  count: number,
  words: (seq: number) => string,
): Promise<void> {
  const { keyring } = as(client);
  for (let from = 0; from < count; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, count - from) }, (_, index) => {
      const messageId = newId();
      const seq = from + index + 2;
      return { id: messageId, seq, text: sealed.text.seal(keyring, messageId, words(seq - 1)) };
    });
    await sql`
      insert into messages (id, conversation_id, seq, client_id, provider_id, from_client, text, sent_at)
      select one.id, ${id}, one.seq, ${client.id}, ${provider.id}, one.seq % 2 = 0, one.text,
             ${new Date('2026-03-02T12:30:00Z')}::timestamptz + one.seq * interval '1 second'
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(id uuid, seq integer, text text)`.execute(
      db,
    );
  }
  await sql`
    update conversations set last_seq = ${count + 1}, provider_unread = ${Math.ceil(count / 2)},
      last_at = (select max(sent_at) from messages where conversation_id = ${id}) where id = ${id}`.execute(
    db,
  );
}

const count = proving ? 100_000 : 10_000;

describe(`with ${count} messages in one conversation, and as many conversations`, () => {
  let client: Person;
  let provider: Person;
  let id: string;
  beforeAll(async () => {
    [client, provider] = [await addClient(db), await addProvider(db)];
    setNow('2026-03-02T12:00:00Z');
    await addSession(db, { client, provider });
    id = await begun(client, provider);
    await fill(id, { client, provider }, count, (seq) => `Message ${seq}`);
    const last = sql`${new Date('2026-01-02T12:00:00Z')}::timestamptz + n * interval '1 second'`;
    await fillWith(db, async (tx) => {
      await sql`
      insert into users (id, name, email)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'x', n || '@many.example'
        from generate_series(1, ${count}) n`.execute(tx);
      await sql`
      insert into profiles (id, full_name)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'x' from generate_series(1, ${count}) n`.execute(
        tx,
      );
      await sql`
      insert into conversations (id, client_id, provider_id, opened_at, last_at, last_seq, provider_unread)
      select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid,
             ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${provider.id}, ${last}, ${last}, 1, (n % 100 = 0)::integer
        from generate_series(1, ${count}) n`.execute(tx);
      await sql`
      insert into messages (id, conversation_id, seq, client_id, provider_id, from_client, text, sent_at)
      select gen_random_uuid(), c.id, 1, c.client_id, c.provider_id, true, null, c.last_at
        from conversations c where c.provider_id = ${provider.id} and c.id <> ${id}`.execute(tx);
    });
    await sql`analyze`.execute(db);
  });

  test.each([
    ['the latest messages', () => messages(client, id, { limit: 50 })],
    ['older ones', () => messages(client, id, { limit: 50, before: count / 2 })],
    ['what one lacks', () => messages(provider, id, { limit: 200, after: count - 100 })],
    ['the conversation', () => requireConversation(as(provider), selfOf(as(provider)), id)],
    ['the first conversations', () => list(provider, { limit: 30 })],
    [
      'later ones',
      () =>
        list(provider, {
          limit: 30,
          beforeAt: '2026-01-02T14:00:00Z',
          beforeId: '00000000-0000-4000-9000-000000000001',
        }),
    ],
    ['what is unread', () => unreadOf(as(provider), selfOf(as(provider)))],
    ['a page of a search', () => search(client, 'nowhere')],
  ] as const)('reads %s by index', async (_, run) => {
    expect(await scannedBy(db, ['messages', 'conversations'], run)).toEqual([]);
  });

  test('reads every list by index, and only the rows shown', async () => {
    const plans = [
      sql`select id from messages where conversation_id = ${id} order by seq desc limit 51`,
      sql`select id from messages where conversation_id = ${id} and seq < ${count / 2} order by seq desc limit 51`,
      sql`select id from messages where conversation_id = ${id} and seq > ${count - 100} order by seq limit 201`,
      sql`select id, last_at from conversations where provider_id = ${provider.id} and last_seq > 0
           order by last_at desc, id desc limit 31`,
      sql`select provider_unread from conversations where provider_id = ${provider.id} and provider_unread > 0`,
      sql`select id from messages where provider_id = ${provider.id} and text is not null
           order by sent_at desc, id desc limit 300`,
    ];
    for (const query of plans) {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers) ${query}`.execute(db);
      const text = rows.map((one) => one['QUERY PLAN']).join('\n');
      expect(text).toMatch(/Index (?:Only )?Scan|Bitmap Index Scan/);
      // With few rows, PostgreSQL may choose to sort.
      expect(text).not.toMatch(proving ? /Seq Scan|Sort/ : /Seq Scan/);
    }
  });
});
