import { beforeAll, describe, expect, test } from 'vitest';
import { isProvider, roles } from '#/kernel/actor.ts';
import { newId } from '#/platform/clock.ts';
import { openLine, type Line } from '../support/lines.ts';
import { addClient, addProvider, type Person } from '../support/people.ts';
import { procedures, requestOf } from '../support/procedures.ts';
import { problemIn, storedIn, testServer, type Answer, type Visitor } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;

interface Asker {
  who: string;
  person: Person;
  visitor: Visitor;
  line: Line;
}

/** Longest allowed message, in characters. */
const longestMessage = 5_000;
/** Words unique to the messages. */
const words = 'juniperwords';

let client: Asker;
let provider: Asker;
/** One person per role, none of them in the conversation. */
let strangers: Asker[];
let id: string;
let messageId: string;

async function asker(who: string, person: Person): Promise<Asker> {
  const visitor = await server.signIn(person);
  const line = await openLine(person, `ws://127.0.0.1:${server.port}/realtime`, {
    cookie: visitor.cookie,
    origin: server.config.appUrl,
  });
  return { who, person, visitor, line };
}

const send = (text: unknown, by = client) =>
  by.visitor.send('POST', `/api/conversations/${id}/messages`, {
    body: { messageId: newId(), text, attachmentIds: [] },
  });

beforeAll(async () => {
  client = await asker('the client', await addClient(db));
  provider = await asker('the provider', await addProvider(db));
  strangers = [];
  for (const role of roles) {
    const person = await (isProvider(role) ? addProvider(db) : addClient(db));
    await db.updateTable('profiles').set({ role }).where('id', '=', person.id).execute();
    strangers.push(await asker(`another ${role}`, person));
  }
  id = newId();
  messageId = newId();
  const opened = await client.visitor.send('POST', '/api/conversations', {
    body: {
      conversationId: id,
      withId: provider.person.id,
      subject: `${words} as a subject`,
      messageId,
      text: `${words} to begin with`,
      attachmentIds: [],
    },
  });
  if (opened.status !== 201) throw new Error(opened.text);
});

describe('a conversation with outsiders', () => {
  const inputs: Readonly<Record<string, Record<string, unknown>>> = {
    read: { seq: 1 },
    saveDraft: { text: 'Words' },
    list: { limit: 10 },
    send: { text: 'Words', attachmentIds: [] },
  };
  const naming = procedures.filter(
    ({ name, input }) =>
      /^messaging\.(?:conversations|messages)\./.test(name) &&
      input &&
      'conversationId' in input.shape &&
      !name.endsWith('.open'),
  );

  test('is an input of the procedures tested here', () => {
    expect(naming.map(({ name }) => name.replace('messaging.', ''))).toEqual([
      'conversations.get',
      'conversations.read',
      'conversations.draft',
      'conversations.saveDraft',
      'messages.list',
      'messages.send',
    ]);
  });

  test.each(naming.map((procedure) => [procedure.name, procedure] as const))(
    '%s returns not_found to everyone else, as if missing',
    async (name, procedure) => {
      const before = await storedIn(server.database);
      const input = { ...inputs[name.split('.').at(-1)!], messageId: newId() };
      for (const { who, visitor } of strangers) {
        const ask = async (conversationId: string) =>
          problemIn(await visitor.send(...requestOf(procedure, { ...input, conversationId })));
        const [foreign, absent] = [await ask(id), await ask(newId())];
        expect(foreign, who).toMatchObject({ code: 'not_found', reason: 'conversation' });
        expect({ ...foreign, requestId: '' }, who).toEqual({ ...absent, requestId: '' });
      }
      const guest = await server.guest.send(...requestOf(procedure, { ...input, conversationId: id }));
      expect(problemIn(guest).code).toBe('unauthenticated');
      expect(await storedIn(server.database)).toEqual(before);
    },
  );

  test('is listed, counted and searchable only for its two people', async () => {
    const lists = [
      ['GET', '/api/conversations', {}],
      ['GET', '/api/conversations/unread', {}],
      ['POST', '/api/messages/search', { body: { words } }],
    ] as const;
    for (const [method, path, sent] of lists) {
      for (const { who, visitor } of strangers) {
        const { status, text } = await visitor.send(method, path, sent);
        expect(status, who).toBe(200);
        expect(text, who).not.toMatch(new RegExp(`${id}|${words}|[1-9]`));
      }
    }
    const { text } = await provider.visitor.send('POST', '/api/messages/search', { body: { words } });
    expect(text).toContain(`${words} to begin with`);
  });

  test('can’t be entered by reusing its id or a message’s id', async () => {
    const other = strangers.find(({ who }) => who === 'another client');
    const open = (given: object) =>
      other!.visitor.send('POST', '/api/conversations', {
        body: {
          conversationId: newId(),
          messageId: newId(),
          withId: provider.person.id,
          subject: 'Mine',
          text: 'Mine',
          attachmentIds: [],
          ...given,
        },
      });
    expect(problemIn(await open({ conversationId: id }))).toMatchObject({ code: 'conflict' });
    const taken = await open({ messageId });
    expect(problemIn(taken)).toMatchObject({ code: 'conflict', reason: 'message_id_taken' });
    expect(taken.text).not.toContain(words);
    expect((await other!.visitor.send('GET', '/api/conversations')).text).not.toContain('Mine');
  });

  test('notifies its two people by ids alone, and only the other of typing', async () => {
    const before = new Map([client, provider, ...strangers].map((one) => [one, one.line.received.length]));
    const since = ({ line }: Asker, one: Asker) => line.received.slice(before.get(one));
    client.line.say({ type: 'messages.typing', conversationId: id });
    await expect
      .poll(() => since(provider, provider))
      .toEqual([expect.objectContaining({ type: 'messages.typing', id })]);
    await send(`${words} over the line`);
    for (const one of [client, provider])
      await expect.poll(() => since(one, one).some(({ type }) => type === 'messages.changed')).toBe(true);
    expect(since(client, client).some(({ type }) => type === 'messages.typing')).toBe(false);
    for (const one of [client, provider]) expect(JSON.stringify(since(one, one))).not.toContain(words);
    for (const one of strangers) {
      expect(since(one, one), one.who).toEqual([]);
      for (const conversationId of [id, newId()]) {
        one.line.say({ type: 'messages.typing', conversationId });
        await expect
          .poll(() => one.line.received.at(-1))
          .toMatchObject({ type: 'refused', data: { code: 'not_found', reason: 'conversation' } });
      }
    }
    expect(since(provider, provider).filter(({ type }) => type === 'messages.typing')).toHaveLength(1);
  });

  test('leaves no text in the server’s log', () => {
    expect(server.log.join('\n')).not.toContain(words);
  });
});

describe('an invalid message', () => {
  const refused = (answer: Answer) => {
    const { code, fields } = problemIn(answer);
    return [code, fields.map(({ field }) => field)];
  };

  test.each([
    ['nothing', ''],
    ['spaces alone', ' \n\t '],
    ['a NUL', 'a\u0000b'],
    ['an escape', '\u001b[31mred'],
    ['a bell', 'a\u0007b'],
    ['a control of the second set', 'a\u0085b'],
    ['what turns the text around it', 'invoice\u202egpj.exe'],
    ['an embedding', 'a\u202bb'],
    ['an isolate that nobody closes', 'a\u2067b'],
    ['more than is allowed', 'x'.repeat(longestMessage + 1)],
    ['a number', 7],
    ['a list', ['x']],
  ])('%s is rejected and stores nothing', async (_, text) => {
    const before = await storedIn(server.database);
    expect(refused(await send(text))).toEqual(['invalid', ['text']]);
    expect(await storedIn(server.database)).toEqual(before);
  });

  test('rejects a megabyte unread', async () => {
    const before = await storedIn(server.database);
    const answer = await send('x'.repeat(1024 * 1024));
    expect(answer.status).toBe(400);
    expect(problemIn(answer).code).toBe('invalid');
    expect(await storedIn(server.database)).toEqual(before);
  });

  test('rejects bidirectional overrides in subjects', async () => {
    const body = {
      conversationId: newId(),
      withId: provider.person.id,
      messageId: newId(),
      text: 'Hello',
      attachmentIds: [],
    };
    for (const subject of ['', 'a\u202eb', 'a\nb', 'x'.repeat(121)])
      expect(
        refused(await client.visitor.send('POST', '/api/conversations', { body: { ...body, subject } })),
      ).toEqual(['invalid', ['subject']]);
  });
});

test('keeps text of every script, normalized', async () => {
  for (const [given, stored] of [
    ['שלום\u200f, مرحبا', 'שלום\u200f, مرحبا'],
    ['cafe\u0301', 'café'],
    ['one\r\ntwo\rthree\tfour', 'one\ntwo\nthree\tfour'],
    ['👨‍👩‍👧 ' + 'x'.repeat(longestMessage - 20), '👨‍👩‍👧 ' + 'x'.repeat(longestMessage - 20)],
    ['<b>bold</b> & "so" \\ \' --', '<b>bold</b> & "so" \\ \' --'],
  ]) {
    const { status, json } = await send(given);
    expect([status, (json as { text: string }).text]).toEqual([201, stored]);
  }
});
