import { beforeAll, describe, expect, test } from 'vitest';
import { newId, systemNow } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import { pdf, png } from '../support/bytes.ts';
import { addClient, type Person } from '../support/people.ts';
import { problemIn, testServer, type Visitor } from '../support/server.ts';

const server = await testServer();
const { database } = server;
let owner: Visitor;
let stranger: Visitor;
let admin: Visitor;
let ctx: Ctx;
let file: StoredFile;
let photo: StoredFile;
let path: string;

beforeAll(async () => {
  const people: Person[] = [
    await addClient(database.db),
    await addClient(database.db),
    await addClient(database.db),
  ];
  const [mine, , chief] = people as [Person, Person, Person];
  await database.db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  [owner, stranger, admin] = (await Promise.all(people.map((one) => server.signIn(one)))) as [
    Visitor,
    Visitor,
    Visitor,
  ];
  ctx = { ...database.as(mine), now: systemNow };
  const name = 'Brief an “Ruth”.pdf';
  file = await ctx.files.upload(ctx, { bucket: 'documents', ownerId: mine.id, name, body: pdf(10_000) });
  photo = await ctx.files.upload(ctx, { bucket: 'photos', ownerId: mine.id, name: 'me.png', body: png });
  path = `/files/${file.id}/letter.pdf`;
});

const get = (visitor: Visitor, at: string, headers: Record<string, string> = {}, method = 'GET') =>
  visitor.send(method, at, { headers });

describe('a file of a bucket for owners', () => {
  test('opens for its owner, and is not there for anyone else', async () => {
    expect((await get(owner, path)).status).toBe(200);
    for (const visitor of [server.guest, stranger, admin]) {
      for (const method of ['GET', 'HEAD']) expect((await get(visitor, path, {}, method)).status).toBe(404);
      const foreign = problemIn(await get(visitor, path));
      const absent = problemIn(await get(visitor, `/files/${newId()}/letter.pdf`));
      expect({ ...foreign, requestId: '' }).toEqual({ ...absent, requestId: '' });
    }
  });

  test('opens for whoever has a signed link, until it ends', async () => {
    const link = ctx.files.link(ctx, file, 60);
    for (const visitor of [server.guest, stranger]) {
      const answer = await get(visitor, link);
      expect(answer.status).toBe(200);
      expect(answer.headers['cache-control']).toMatch(/^private, max-age=(5\d|60)$/);
    }
    const hourAgo: Ctx = { ...ctx, now: () => systemNow().subtract({ hours: 1 }) };
    const url = new URL(link, 'http://x');
    const altered = (name: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return `${other.pathname}${other.search}`;
    };
    const far = String(Number(url.searchParams.get('expires')) + 3_600);
    for (const wrong of [
      ctx.files.link(hourAgo, file, 3_599),
      ctx.files.link(ctx, photo, 60).replace(photo.id, file.id),
      altered('expires', far),
      altered('expires', 'NaN'),
      altered('signature', ''),
      altered('signature', 'é'.repeat(43)),
    ])
      expect((await get(server.guest, wrong)).status, wrong).toBe(404);
  });

  test('with everything that an account holds has no address of its own', async () => {
    const { id, name } = await ctx.files.upload(ctx, {
      bucket: 'exports',
      ownerId: file.ownerId,
      name: 'all.pdf',
      body: pdf(),
    });
    for (const [visitor, at] of [
      [owner, `/files/${id}`],
      [server.guest, ctx.files.link(ctx, { id, name }, 60)],
      [stranger, `/files/${id}`],
    ] as const)
      expect((await get(visitor, at)).status).toBe(404);
  });

  test.each(['x', '%00', '..%2f..%2fetc%2fpasswd', `'%20or%201=1`])(
    'is not found by a name that is no id: %s',
    async (id) => {
      expect(problemIn(await get(owner, `/files/${id}/letter.pdf`)).code).toBe('not_found');
    },
  );
});

test('a file of a bucket for everyone opens for everyone, with or without its name', async () => {
  for (const at of [`/files/${photo.id}/me.png`, `/files/${photo.id}`]) {
    const { status, headers } = await get(server.guest, at);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/png',
      'public, max-age=3600',
    ]);
  }
});

test('an answer says what the file is, and lets nothing in it act', async () => {
  const { headers } = await get(owner, path);
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': '10000',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    vary: 'cookie',
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="Brief an _Ruth_.pdf"; filename*=UTF-8''Brief%20an%20%E2%80%9CRuth%E2%80%9D.pdf`,
  });
  expect(headers['content-security-policy']).toContain(`default-src 'none'`);
  const picture = await get(server.guest, `/files/${photo.id}/me.png`);
  expect(picture.headers['content-security-policy']).toContain('sandbox');
  const kept = await get(owner, `${path}?download`);
  expect(kept.headers['content-disposition']).toMatch(/^attachment; /);
});

test('HEAD answers like GET, without the bytes', async () => {
  const [whole, head] = [await get(owner, path), await get(owner, path, {}, 'HEAD')];
  const { date: _date, 'x-request-id': _id, ...same } = whole.headers;
  expect(head).toMatchObject({ status: 200, text: '', headers: same });
});

test('what a browser knows already is not sent again', async () => {
  const { etag } = (await get(owner, path)).headers as { etag: string };
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get(owner, path, { 'if-none-match': known, range: 'bytes=0-0' });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get(owner, path, { 'if-none-match': '"other"' })).status).toBe(200);
  // A stranger learns nothing by guessing what it is.
  expect((await get(stranger, path, { 'if-none-match': '*' })).status).toBe(404);
});

describe('a range', () => {
  const bytes = Buffer.from(pdf(10_000)).toString('utf8');
  const slice = (from: number, to: number) => Buffer.from(pdf(10_000)).subarray(from, to).toString('utf8');

  test.each([
    ['bytes=0-499', 'bytes 0-499/10000', 0, 500],
    ['bytes=500-999', 'bytes 500-999/10000', 500, 1_000],
    ['bytes=-500', 'bytes 9500-9999/10000', 9_500, 10_000],
    ['bytes=9500-', 'bytes 9500-9999/10000', 9_500, 10_000],
    ['bytes=0-0', 'bytes 0-0/10000', 0, 1],
    ['bytes=-1', 'bytes 9999-9999/10000', 9_999, 10_000],
    ['bytes=9000-20000', 'bytes 9000-9999/10000', 9_000, 10_000],
  ])('%s gives just that', async (range, contentRange, from, to) => {
    const answer = await get(owner, path, { range });
    expect([answer.status, answer.headers['content-range'], answer.headers['content-length']]).toEqual([
      206,
      contentRange,
      String(to - from),
    ]);
    expect(answer.text).toBe(slice(from, to));
  });

  test.each(['bytes=0-0,-1', 'bytes=500-499', 'words=0-1'])('%s gives the whole', async (range) => {
    const answer = await get(owner, path, { range });
    expect([answer.status, answer.headers['content-range']]).toEqual([200, undefined]);
    expect(answer.text).toBe(bytes);
  });

  test.each(['bytes=10000-', 'bytes=-0'])('%s cannot be had', async (range) => {
    const answer = await get(owner, path, { range });
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */10000']);
  });

  test('is given of what is still the same, and the whole of what has changed', async () => {
    const { etag } = (await get(owner, path)).headers as { etag: string };
    const status = async (ifRange: string) =>
      (await get(owner, path, { range: 'bytes=0-499', 'if-range': ifRange })).status;
    expect(await status(etag)).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Sat, 29 Oct 1994 19:43:31 GMT'])
      expect(await status(other)).toBe(200);
  });
});

test('nothing is served by the name of its bytes', async () => {
  for (const at of ['/files', '/files/', `/files/objects/${file.version}`, `/objects/${file.version}`])
    expect((await get(owner, at)).headers['content-type']).not.toBe('application/pdf');
});

test('one’s files are listed 100 at most, from the first on, by name ascending, unless asked for otherwise', async () => {
  const person = await addClient(database.db);
  const visitor = await server.signIn(person);
  const theirs: Ctx = { ...database.as(person), now: systemNow };
  const names = Array.from({ length: 102 }, (_, at) => `${String(at).padStart(3, '0')}.png`);
  // The last first, so that the order isn't that of their coming.
  for (const name of names.toReversed())
    await theirs.files.upload(theirs, { bucket: 'documents', ownerId: person.id, name, body: png });
  const listed = async (query: string) => {
    const { json } = await get(visitor, `/api/files${query}`);
    return (json as { name: string }[]).map(({ name }) => name);
  };
  expect(await listed('')).toEqual(names.slice(0, 100));
  expect(await listed('?offset=100')).toEqual(names.slice(100));
  expect(await listed('?limit=2&offset=1')).toEqual(names.slice(1, 3));
});
