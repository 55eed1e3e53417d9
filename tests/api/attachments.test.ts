import { beforeAll, describe, expect, test } from 'vitest';
import { open, send } from '#/features/messaging/commands.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { pdf, png } from '../support/bytes.ts';
import { addClient, addProvider, type Person } from '../support/people.ts';
import { problemIn, testServer, type Answer, type Visitor } from '../support/server.ts';

const server = await testServer();
const { database } = server;
const { db } = database;
const letter = pdf(200_000);

let conversationId: string;
let client: Visitor;
let provider: Visitor;
/** A guest, a client and a provider with their own conversations, the provider's other client, and an administrator. */
let others: [string, Visitor][];
let elsewhere: string;
let path: string;

const words = (attachmentIds: string[] = []) => ({ messageId: newId(), text: 'See this.', attachmentIds });
async function begun(from: Person, to: Person): Promise<string> {
  const first = { conversationId: newId(), withId: to.id, subject: 'Sleep', ...words() };
  return (await open(contextOf(from), first, 1_000)).id;
}
const contextOf = (person: Person): Ctx => ({ ...database.as(person), now: systemNow });
const upload = (
  who: Visitor,
  {
    body = letter,
    name = 'letter.pdf',
    to = conversationId,
  }: { body?: Uint8Array; name?: string; to?: string } = {},
): Promise<Answer> =>
  who.send(
    'POST',
    `/api/conversations/attachments?${new URLSearchParams({ conversationId: to, name }).toString()}`,
    {
      body,
      // Rejecting an unread body closes its connection.
      headers: { 'content-type': 'application/octet-stream', connection: 'close' },
    },
  );
const get = (who: Visitor, at: string, headers: Record<string, string> = {}, method = 'GET') =>
  who.send(method, at, { headers });

beforeAll(async () => {
  const [one, two, third] = [await addClient(db), await addProvider(db), await addClient(db)];
  const [fourth, chief] = [await addProvider(db), await addClient(db)];
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  conversationId = await begun(one, two);
  elsewhere = await begun(third, two);
  await begun(third, fourth);
  [client, provider] = [await server.signIn(one), await server.signIn(two)];
  others = [
    ['a guest', server.guest],
    ['a client of the same provider', await server.signIn(third)],
    ['another provider', await server.signIn(fourth)],
    ['an administrator', await server.signIn({ ...chief, role: 'super_admin' })],
  ];
  const { json } = await upload(client);
  path = (json as { path: string }).path;
  await send(contextOf(one), { conversationId, ...words([path.split('/').at(-1)!]) }, 1_000);
});

test('opens only for the conversation’s two people', async () => {
  for (const who of [client, provider]) expect((await get(who, path)).status).toBe(200);
  for (const [name, who] of others) {
    for (const method of ['GET', 'HEAD'])
      expect((await get(who, path, {}, method)).status, `${method} by ${name}`).toBe(404);
    for (const headers of [{ range: 'bytes=0-9' }, { 'if-none-match': '*' }] as Record<string, string>[])
      expect((await get(who, path, headers)).status, name).toBe(404);
    const foreign = problemIn(await get(who, path));
    const absent = problemIn(await get(who, `/api/conversations/attachments/${newId()}`));
    expect({ ...foreign, requestId: '' }).toEqual({ ...absent, requestId: '' });
  }
});

test('opens by no other URL: stored file, row or link', async () => {
  const id = path.split('/').at(-1)!;
  for (const [name, who] of [
    ['the client', client],
    ['the provider', provider],
    ...others,
  ] as typeof others) {
    for (const at of [`/files/${id}`, `/files/${id}/letter.pdf?download`, `/api/files/${id}`])
      expect((await get(who, at)).status, `${at} by ${name}`).not.toBe(200);
    for (const act of ['link', 'move', 'copy', 'remove']) {
      const body = { name: 'mine.pdf', seconds: 60 };
      expect(
        (await who.send('POST', `/api/files/${id}/${act}`, { body })).status,
        `${act} by ${name}`,
      ).not.toBe(200);
    }
    const { json } = await get(who, '/api/files?bucket=attachments');
    expect(Array.isArray(json) ? json : [], name).toEqual([]);
  }
  // Even the site's own signed links don't work.
  const ctx = contextOf(await addClient(db));
  expect((await get(server.guest, ctx.files.link(ctx, { id, name: 'letter.pdf' }, 60))).status).toBe(404);
});

test('lets administrators neither publish nor empty the attachment bucket', async () => {
  const [, admin] = others.at(-1)!;
  const opened = await admin.send('POST', '/api/buckets/attachments', { body: { readableBy: 'everyone' } });
  expect(problemIn(opened).reason).toBe('bucket_needed');
  expect(problemIn(await admin.send('POST', '/api/buckets/attachments/empty', { body: {} })).reason).toBe(
    'file_in_use',
  );
  expect((await get(client, path)).status).toBe(200);
});

test('lets only the two people upload, each for themselves', async () => {
  for (const [name, who] of others) {
    const { code } = problemIn(await upload(who));
    expect(code, name).toBe(who === server.guest ? 'unauthenticated' : 'not_found');
  }
  expect(problemIn(await upload(client, { to: elsewhere })).code).toBe('not_found');
  expect((await upload(provider)).status).toBe(200);
  const noted = await database.db
    .selectFrom('audit_entries')
    .select(['actor_id', 'details'])
    .where('action', '=', 'refused.upload.conversations.attachments')
    .orderBy('id')
    .execute();
  expect(noted).toHaveLength(others.filter(([, who]) => who !== server.guest).length + 1);
  for (const { details } of noted) expect(details).toEqual({ reason: 'conversation' });
});

test('forbids caching, states the type and disables active content', { tags: ['long'] }, async () => {
  const { headers } = await get(provider, path);
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': '200000',
    'content-disposition': `inline; filename="letter.pdf"; filename*=UTF-8''letter.pdf`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  });
  const text = await upload(client, { body: Buffer.from('Words.'), name: 'words.txt' });
  const shown = await get(client, (text.json as { path: string }).path);
  expect(shown.headers['content-disposition']).toMatch(/^attachment; /);
  for (const answer of [
    shown,
    await get(client, ((await upload(client, { body: png, name: 'a.png' })).json as { path: string }).path),
  ])
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none';.*; sandbox allow-same-origin$/,
    );
  expect((await get(client, `${path}?download`)).headers['content-disposition']).toMatch(/^attachment; /);
});

test('serves ranges, and HEAD without the bytes', async () => {
  for (const [range, start, end] of [
    ['bytes=0-99', 0, 99],
    ['bytes=65530-65545', 65_530, 65_545],
    ['bytes=131072-', 131_072, 199_999],
    ['bytes=-10', 199_990, 199_999],
  ] as const) {
    const answer = await get(client, path, { range });
    expect([answer.status, answer.headers['content-range'], answer.headers['content-length']]).toEqual([
      206,
      `bytes ${start}-${end}/200000`,
      String(end - start + 1),
    ]);
  }
  expect((await get(client, path, { range: 'bytes=200000-' })).status).toBe(416);
  const head = await get(client, path, {}, 'HEAD');
  expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '200000', '']);
});

describe('invalid uploads are explained', () => {
  test.each([
    [
      'a page named .jpg',
      Buffer.from('<!doctype html><script>alert(1)</script>'),
      'cat.jpg',
      'file',
      'file_type',
    ],
    ['a script named .jpg', Buffer.from('alert(document.cookie)'), 'cat.jpg', 'file', 'file_type'],
    [
      'a drawing named .png',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'cat.png',
      'file',
      'file_type',
    ],
    ['a byte more than 10 MB', pdf(10 * 1024 * 1024 + 1), 'a.pdf', 'file', 'file_too_large'],
    ['a name that turns its reading around', letter, 'fdp\u202eexe.pdf', 'name', 'bad_format'],
    ['a name that leads elsewhere', letter, '../../a.pdf', 'name', 'bad_format'],
    ['a name with a NUL', letter, 'a\0.pdf', 'name', 'bad_format'],
  ])('%s', async (_, body, name, field, reason) => {
    const problem = problemIn(await upload(client, { body, name }));
    expect([problem.code, problem.fields]).toEqual(['invalid', [{ field, reason }]]);
  });

  test('to a missing conversation', async () => {
    for (const to of ['', 'x', `' or 1=1`, 'a\0'])
      expect(problemIn(await upload(client, { to }))).toMatchObject({
        code: 'invalid',
        fields: [{ field: 'conversationId' }],
      });
  });
});

test('logs no file names', () => {
  expect(server.log.join('\n')).not.toMatch(/letter|words\.txt|cat\.jpg/);
});
