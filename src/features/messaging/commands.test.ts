import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { allReceived } from '../../../tests/support/outbox.ts';
import { addClient, addProvider, type Person, type ProviderTerms } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { addSession } from '../../../tests/support/sessions.ts';
import { open, read, send } from './commands.ts';
import { saveDraft } from './drafts/commands.ts';
import { conversationsOf, messagesOf, unreadOf, draftOf } from './queries.ts';
import { requireMember } from './membership/policies.ts';
import { messagingPersonal } from './personal.ts';
import { requireConversation, requireCorrespondent } from './policies.ts';

const { db, as, url, setNow, runJobs } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

/** Published notices with their topics. */
const received: { topics: string[]; message: { type: string; id: string } }[] = [];
/** Notices of one conversation: earlier tests' notices can still arrive. */
const receivedOf = (id: string) => received.filter(({ message }) => message.id === id);
const listener = new pg.Client({ connectionString: url });
beforeAll(async () => {
  await listener.connect();
  listener.on('notification', ({ payload }) =>
    received.push(JSON.parse(payload ?? '') as (typeof received)[number]),
  );
  await listener.query('listen realtime');
});
afterAll(() => listener.end());

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('rate_limits').execute();
});

async function twoPeople(terms: ProviderTerms = {}): Promise<{ client: Person; provider: Person }> {
  return { client: await addClient(db), provider: await addProvider(db, terms) };
}

const written = (text: string, messageId = newId()) => ({ messageId, text, attachmentIds: [] });
const asked = (to: Person, text = 'May I ask you something?') => ({
  conversationId: newId(),
  withId: to.id,
  subject: 'Sleep',
  ...written(text),
});

const begun = async (from: Person, to: Person) => (await open(as(from), asked(to), 1)).id;
const say = (who: Person, conversationId: string, text: string) =>
  send(as(who), { conversationId, ...written(text) }, 1000);
const seen = (who: Person, id: string) => requireConversation(as(who), selfOf(as(who)), id);
const unread = async (who: Person) => (await unreadOf(as(who), selfOf(as(who)))).messages;
const reasonOf = async (attempt: Promise<unknown>) => {
  const { code, reason } = await refusalOf(attempt);
  return [code, reason];
};

async function listed(who: Person, conversationId: string) {
  const { messages } = await messagesOf(as(who), await requireMember(as(who), conversationId), {
    limit: 200,
  });
  return messages;
}

type Change = { role?: 'client'; erased_at?: Date; suspended_at?: Date | null };

async function setProfile(person: Person, values: Change): Promise<void> {
  await db.updateTable('profiles').set(values).where('id', '=', person.id).execute();
}

test('reads back a message whose id the sender wrote in upper case', async () => {
  const { client, provider } = await twoPeople();
  const conversationId = await begun(client, provider);
  const id = newId();
  const said = { conversationId, ...written('Good morning', id.toUpperCase()) };
  expect(await send(as(client), said, 1000)).toMatchObject({ id, text: 'Good morning' });
  const { messages } = await messagesOf(as(provider), await requireMember(as(provider), conversationId), {
    limit: 10,
  });
  expect(messages.at(-1)).toMatchObject({ id, text: 'Good morning' });
});

describe('a conversation', () => {
  test('opens with its first message, shown to each person from their side', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    expect(await seen(client, id)).toMatchObject({
      subject: 'Sleep',
      with: { id: provider.id, title: 'Psychologist', kind: 'doctor', erased: false },
      last: { mine: true, text: 'May I ask you something?', attachments: 0 },
      lastSeq: 1,
      unread: 0,
      closed: null,
    });
    expect(await seen(provider, id)).toMatchObject({
      with: { id: client.id, title: null, kind: null },
      last: { mine: false },
      unread: 1,
      readSeq: 0,
    });
    await say(provider, id, 'Of course.');
    expect((await listed(client, id)).map(({ seq, mine, text }) => [seq, mine, text])).toEqual([
      [1, true, 'May I ask you something?'],
      [2, false, 'Of course.'],
    ]);
  });

  test('is started by a client only with listed specialists or ones they know', async () => {
    const { client, provider } = await twoPeople({ listed: false });
    const other = await addClient(db);
    const chief: Person = { ...other, role: 'super_admin' };
    for (const [from, to] of [
      [client, provider],
      [client, other],
      [client, client],
      [chief, provider],
    ] as const) {
      expect(await reasonOf(open(as(from), asked(to), 1))).toEqual(['not_found', 'person']);
      expect(await reasonOf(requireCorrespondent(as(from), selfOf(as(from)), to.id))).toEqual([
        'not_found',
        'person',
      ]);
    }
    await addSession(db, { client, provider });
    expect(await requireCorrespondent(as(client), selfOf(as(client)), provider.id)).toMatchObject({
      person: { id: provider.id, kind: 'doctor' },
      conversation: null,
    });
    const id = await begun(client, provider);
    expect((await requireCorrespondent(as(client), selfOf(as(client)), provider.id)).conversation?.id).toBe(
      id,
    );
    await setProfile(provider, { erased_at: new Date() });
    expect(await reasonOf(open(as(other), asked(provider), 1))).toEqual(['not_found', 'person']);
  });

  test('is started by a provider only with clients they serve, and answered to any writer', async () => {
    const { client, provider } = await twoPeople();
    expect(await reasonOf(open(as(provider), asked(client), 1))).toEqual(['not_found', 'person']);
    const id = await begun(client, provider);
    await say(provider, id, 'Come on Thursday.');
    const served = await addClient(db);
    await addSession(db, { client: served, provider, status: 'no_show' });
    expect(await seen(served, await begun(provider, served))).toMatchObject({
      with: { id: provider.id },
      unread: 1,
    });
    const colleague = await addProvider(db);
    expect(await reasonOf(open(as(provider), asked(colleague), 1))).toEqual(['not_found', 'person']);
  });

  test('is unique per pair: opening another adds to it under the first subject', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    const again = await open(as(client), { ...asked(provider, 'And this'), subject: 'Another' }, 1);
    expect(again).toMatchObject({ id, subject: 'Sleep', lastSeq: 2, last: { text: 'And this' } });
    const back = await open(as(provider), { ...asked(client, 'Answered'), subject: 'Mine' }, 1);
    expect(back).toMatchObject({ id, lastSeq: 3, readByOther: 0 });
  });

  test('opens once with each message once, even if requested concurrently', async () => {
    const { client, provider } = await twoPeople();
    const input = asked(provider);
    const opened = await Promise.all([1, 2, 3, 4].map(() => open(as(client), input, 1)));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect(await seen(provider, opened[0]!.id)).toMatchObject({ lastSeq: 1, unread: 1 });
    const other = await twoPeople();
    const both = await Promise.all([
      open(as(other.client), asked(other.provider, 'One'), 1),
      open(as(other.client), asked(other.provider, 'Two'), 1),
    ]);
    expect(both[0].id).toBe(both[1].id);
    expect(await seen(other.provider, both[0].id)).toMatchObject({ lastSeq: 2, unread: 2 });
    // Conversation ids can't be reused.
    const third = await twoPeople();
    const taken = { ...asked(third.provider), conversationId: both[0].id };
    expect(await reasonOf(open(as(third.client), taken, 1))).toEqual(['conflict', 'conversation_id_taken']);
  });

  test(
    'can be started with twenty people a day, without limiting existing ones',
    { tags: ['long'] },
    async () => {
      const client = await addClient(db);
      const ids: string[] = [];
      for (let count = 0; count < 20; count++) ids.push(await begun(client, await addProvider(db)));
      const one = await addProvider(db);
      expect(await reasonOf(open(as(client), asked(one), 1))).toEqual([
        'rate_limited',
        'too_many_conversations',
      ]);
      await say(client, ids[0]!, 'Still here');
      setNow('2026-03-03T12:00:01Z');
      await begun(client, one);
    },
  );

  test('can’t be read, written, marked, drafted in or listed by others', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    const strangers: Person[] = [
      await addClient(db),
      await addProvider(db),
      { ...(await addClient(db)), role: 'super_admin' },
    ];
    for (const stranger of strangers) {
      for (const attempt of [
        () => seen(stranger, id),
        () => requireMember(as(stranger), id),
        () => say(stranger, id, 'Hello'),
        () => read(as(stranger), { conversationId: id, seq: 1 }),
        () => saveDraft(as(stranger), { conversationId: id, text: 'Hel' }),
      ])
        expect(await reasonOf(attempt())).toEqual(['not_found', 'conversation']);
      const self = selfOf(as(stranger));
      expect(await conversationsOf(as(stranger), self, { limit: 10 })).toEqual({
        conversations: [],
        more: false,
      });
      expect(await unread(stranger)).toBe(0);
    }
    expect(await seen(provider, id)).toMatchObject({ lastSeq: 1, unread: 1 });
  });

  test('returns not_found while messaging is off', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    const flag = (enabled: boolean) =>
      db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'direct_messaging').execute();
    await flag(false);
    for (const attempt of [
      () => say(client, id, 'Hello'),
      () => open(as(client), asked(provider), 1),
      () => read(as(provider), { conversationId: id, seq: 1 }),
      () => requireMember(as(client), id),
    ])
      expect(await reasonOf(attempt())).toEqual(['not_found', 'feature_off']);
    await flag(true);
    await say(client, id, 'Hello');
  });
});

describe('a message', () => {
  test('is stored once per id, even concurrently, and answered as stored', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    // Equal notices of the same batch arrive once.
    await allReceived(listener);
    const input = { conversationId: id, ...written('Only once') };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(as(client), input, 1)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    setNow('2026-03-02T12:05:00Z');
    expect(await send(as(client), { ...input, text: 'Changed' }, 1)).toEqual(answers[0]);
    expect(await seen(provider, id)).toMatchObject({ lastSeq: 2, unread: 2, last: { text: 'Only once' } });
    await expect
      .poll(() => receivedOf(id).map(({ message }) => message.type))
      .toEqual(Array(2).fill('messages.changed'));
  });

  test('can’t reuse an id from the other person or another conversation', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    const { id: messageId } = await say(client, id, 'Mine');
    expect(await reasonOf(send(as(provider), { conversationId: id, ...written('x', messageId) }, 1))).toEqual(
      ['conflict', 'message_id_taken'],
    );
    const elsewhere = await begun(client, await addProvider(db));
    expect(
      await reasonOf(send(as(client), { conversationId: elsewhere, ...written('x', messageId) }, 1)),
    ).toEqual(['conflict', 'message_id_taken']);
    expect(await seen(client, elsewhere)).toMatchObject({ lastSeq: 1 });
    await expect(
      db.updateTable('messages').set({ conversation_id: elsewhere }).where('id', '=', messageId).execute(),
    ).rejects.toThrow('stays where it was written');
  });

  test('requires a file if it has no text', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    expect(await refusalOf(say(client, id, ''))).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'text', reason: 'required' }],
    });
  });

  test('is limited to sixty a minute and 3,000 a day', { tags: ['long'] }, async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await db.deleteFrom('rate_limits').execute();
    for (let count = 0; count < 60; count++)
      await send(as(client), { conversationId: id, ...written(`${count}`) }, 1);
    expect(await reasonOf(send(as(client), { conversationId: id, ...written('x') }, 1))).toEqual([
      'rate_limited',
      'too_many_messages',
    ]);
    await say(provider, id, 'The other can still answer');
    setNow('2026-03-02T12:01:01Z');
    await send(as(client), { conversationId: id, ...written('A minute later') }, 1);
    const today = db.updateTable('rate_limits').set({ hits: 3_000 });
    await today.where('key', '=', `messages-day:${client.id}`).execute();
    expect(await reasonOf(send(as(client), { conversationId: id, ...written('x') }, 1))).toEqual([
      'rate_limited',
      'too_many_messages',
    ]);
    setNow('2026-03-03T12:00:01Z');
    await send(as(client), { conversationId: id, ...written('A day later') }, 1);
  });

  test('can’t be sent to a deleted account or an unrelated person', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    const closedTo = async (who: Person) => {
      const { closed } = await seen(who, id);
      const refusal = await refusalOf(say(who, id, 'x')).catch(() => null);
      const told = refusal && [refusal.code, refusal.reason, refusal.data.closed];
      expect(told).toEqual(closed && ['precondition', 'conversation_closed', closed]);
      return closed;
    };
    await db.updateTable('providers').set({ listed: false }).where('id', '=', provider.id).execute();
    expect([await closedTo(client), await closedTo(provider)]).toEqual(['not_served', null]);
    await addSession(db, { client, provider });
    expect([await closedTo(client), await closedTo(provider)]).toEqual([null, null]);
    await setProfile(provider, { role: 'client' });
    const formerly: Person = { ...provider, role: 'client' };
    expect([await closedTo(client), await closedTo(formerly)]).toEqual(['not_served', 'not_served']);
    await setProfile(provider, { erased_at: new Date() });
    expect(await closedTo(client)).toBe('erased');
    expect((await listed(client, id)).length).toBeGreaterThan(1);
  });

  test('can’t be sent to a suspended specialist', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await setProfile(provider, { suspended_at: new Date() });
    expect((await seen(client, id)).closed).toBe('not_served');
    expect(await reasonOf(say(client, id, 'x'))).toEqual(['precondition', 'conversation_closed']);
    expect(await reasonOf(begun(await addClient(db), provider))).toEqual(['not_found', 'person']);
    await setProfile(provider, { suspended_at: null });
    expect((await seen(client, id)).closed).toBeNull();
  });

  test('notifies both people of a change by ids alone', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await read(as(provider), { conversationId: id, seq: 1 });
    await read(as(provider), { conversationId: id, seq: 1 });
    const both = [`person:${client.id}`, `person:${provider.id}`];
    await expect
      .poll(() => receivedOf(id))
      .toEqual([
        { topics: both, message: { type: 'messages.changed', id } },
        { topics: both, message: { type: 'messages.read', id } },
      ]);
  });

  test('stays out of the database, jobs and audit log as plain text', { tags: ['long'] }, async () => {
    const { client, provider } = await twoPeople();
    const words = 'zqxmessagewords';
    const id = (await open(as(client), { ...asked(provider, words), subject: 'zqxsubjectwords' }, 1)).id;
    await saveDraft(as(client), { conversationId: id, text: 'zqxdraftwords' });
    await runJobs({ all: true });
    const { rows: tables } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables where schemaname in ('public', 'jobs')`.execute(
      db,
    );
    for (const { schema, name } of tables) {
      const { rows } = await sql`
        select 1 from ${sql.table(`${schema}.${name}`)} t where to_jsonb(t)::text ~ 'zqx(message|subject|draft)words'`.execute(
        db,
      );
      expect(rows, name).toEqual([]);
    }
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'subject_kind', 'details'])
      .where('actor_id', '=', client.id)
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { action: 'messages.opened', subject_kind: 'conversation', details: {} },
      { action: 'messages.sent', subject_kind: 'message', details: {} },
    ]);
  });
});

describe('the read position', () => {
  test('only moves forward, stops at the last message and leaves later ones unread', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await say(client, id, 'Two');
    await say(provider, id, 'Three');
    await say(client, id, 'Four');
    expect(await unread(provider)).toBe(3);
    expect(await read(as(provider), { conversationId: id, seq: 2 })).toMatchObject({ readSeq: 2, unread: 1 });
    expect(await read(as(provider), { conversationId: id, seq: 1 })).toMatchObject({ readSeq: 2, unread: 1 });
    expect(await seen(client, id)).toMatchObject({ readByOther: 2, unread: 1 });
    expect(await read(as(provider), { conversationId: id, seq: 900 })).toMatchObject({
      readSeq: 4,
      unread: 0,
    });
    await say(client, id, 'Five');
    expect(await seen(provider, id)).toMatchObject({ readSeq: 4, unread: 1 });
    expect(await unreadOf(as(client), selfOf(as(client)))).toEqual({ messages: 1, conversations: 1 });
  });
});

describe('a draft', () => {
  test('is private to its writer and deleted when a message is sent', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    const kept = async (who: Person) => (await draftOf(as(who), await requireMember(as(who), id))).text;
    expect(await kept(client)).toBe('');
    await saveDraft(as(client), { conversationId: id, text: 'I have' });
    await saveDraft(as(client), { conversationId: id, text: 'I have slept' });
    expect([await kept(client), await kept(provider)]).toEqual(['I have slept', '']);
    await say(provider, id, 'How was it?');
    expect(await kept(client)).toBe('I have slept');
    await say(client, id, 'I have slept well.');
    expect(await kept(client)).toBe('');
    await saveDraft(as(client), { conversationId: id, text: 'x' });
    await saveDraft(as(client), { conversationId: id, text: '' });
    expect(
      await db.selectFrom('message_drafts').selectAll().where('conversation_id', '=', id).execute(),
    ).toEqual([]);
    await Promise.all(['a', 'b', 'c'].map((text) => saveDraft(as(client), { conversationId: id, text })));
    expect(['a', 'b', 'c']).toContain(await kept(client));
  });
});

describe('a deleted account', () => {
  const erase = async (who: Person) => {
    await transact(as({ kind: 'system' }), (tx) => messagingPersonal.erase(tx, who.id));
    await setProfile(who, { erased_at: new Date() });
  };

  test('loses its own messages; both accounts’ deletion removes everything', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await say(provider, id, 'Hers to keep');
    await saveDraft(as(provider), { conversationId: id, text: 'Draft' });
    await erase(client);
    expect(await seen(provider, id)).toMatchObject({ subject: '', closed: 'erased', lastSeq: 2 });
    expect((await listed(provider, id)).map(({ text, mine }) => [text, mine])).toEqual([
      ['', false],
      ['Hers to keep', true],
    ]);
    await erase(provider);
    for (const table of ['conversations', 'messages', 'message_drafts'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('id')
        .where(table === 'conversations' ? 'id' : ('conversation_id' as 'id'), '=', id)
        .execute();
      expect(rows, table).toEqual([]);
    }
  });

  test('loses the subject addressed to it', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await say(provider, id, 'Gone soon');
    await erase(provider);
    expect(await seen(client, id)).toMatchObject({ subject: 'Sleep', last: { text: '', mine: false } });
  });

  test('gets an archive of both sides, without the client’s number for specialists', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    await say(provider, id, 'Of course.');
    await saveDraft(as(provider), { conversationId: id, text: 'And' });
    const archive = async (who: Person) => (await messagingPersonal.collect(as(who), who.id)).tables;
    expect(await archive(client)).toMatchObject({
      conversations: [{ id, subject: 'Sleep', client_id: client.id }],
      messages: [
        { seq: 1, text: 'May I ask you something?', from_client: true },
        { seq: 2, text: 'Of course.', from_client: false },
      ],
      message_drafts: [],
    });
    const hers = await archive(provider);
    expect(hers).toMatchObject({ conversations: [{ subject: 'Sleep' }], message_drafts: [{ text: 'And' }] });
    expect(JSON.stringify(hers)).not.toContain(client.id);
  });
});
