import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, systemNow } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import type { StoredFile } from '#/platform/files/files.ts';
import { attachFile, saveDraft, submitResource } from '#/features/resources/authoring/commands.ts';
import { approveResource, unpublishResource } from '#/features/resources/moderation/commands.ts';
import { getResource } from '#/features/resources/reading/commands.ts';
import { pdf, png } from '../support/bytes.ts';
import { draft, libraryOf, streamOf } from '../support/resources.ts';
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
let chiefId: string;
let path: string;

beforeAll(async () => {
  const people: Person[] = [
    await addClient(database.db),
    await addClient(database.db),
    await addClient(database.db),
  ];
  const [mine, , chief] = people as [Person, Person, Person];
  chiefId = chief.id;
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

describe('a file in an owner bucket', () => {
  test('opens only for its owner', async () => {
    expect((await get(owner, path)).status).toBe(200);
    for (const visitor of [server.guest, stranger, admin]) {
      for (const method of ['GET', 'HEAD']) expect((await get(visitor, path, {}, method)).status).toBe(404);
      const foreign = problemIn(await get(visitor, path));
      const absent = problemIn(await get(visitor, `/files/${newId()}/letter.pdf`));
      expect({ ...foreign, requestId: '' }).toEqual({ ...absent, requestId: '' });
    }
  });

  test('is logged when someone signed in tries its id, or one that nothing has', async () => {
    const tried = async () => {
      const rows = await database.db
        .selectFrom('audit_entries')
        .select(['actor_id', 'category', 'success', 'details'])
        .where('action', '=', 'refused.file.read')
        .orderBy('id')
        .execute();
      return rows.slice(-2);
    };
    await get(admin, path);
    await get(admin, `/files/${newId()}`);
    const entry = { actor_id: chiefId, category: 'security', success: false, details: { reason: 'file' } };
    expect(await tried()).toEqual([entry, entry]);
    await get(owner, path);
    await get(server.guest, path);
    expect(await tried()).toEqual([entry, entry]);
  });

  test('opens by signed link until it expires', async () => {
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
      altered('made', '9999999999999'),
      altered('expires', 'NaN'),
      altered('signature', ''),
      altered('signature', 'é'.repeat(43)),
    ])
      expect((await get(server.guest, wrong)).status, wrong).toBe(404);
  });

  test.each(['suspended_at', 'erased_at', 'links_ended_at'] as const)(
    'stays closed by a link once its maker’s %s is set',
    async (column) => {
      const maker = await addClient(database.db);
      const link = ctx.files.link({ ...ctx, actor: maker }, file, 60);
      expect((await get(server.guest, link)).status).toBe(200);
      const another = link.replace(maker.id, newId());
      expect((await get(server.guest, another)).status).toBe(404);
      await database.db
        .updateTable('profiles')
        .set({ [column]: new Date() })
        .where('id', '=', maker.id)
        .execute();
      for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': `"${file.version}"` }])
        expect((await get(server.guest, link, headers as Record<string, string>)).status).toBe(404);
    },
  );

  test('of the library stays closed by a link once unpublished, except to its author and moderators', async () => {
    const library = await libraryOf(database);
    const lately = (one: Ctx): Ctx => ({ ...one, now: systemNow });
    const [chief, author, reader] = [lately(library.admin), lately(library.author), lately(library.client)];
    const { id } = await saveDraft(author, draft({ type: 'book', form: 'file' }));
    await attachFile(author, { resourceId: id, name: 'Companion.pdf', body: streamOf(pdf()) });
    await approveResource(chief, id, (await submitResource(author, id)).version);
    const links: string[] = [];
    for (const one of [reader, author, chief]) {
      const content = await getResource(one, id);
      links.push(content.form === 'file' ? content.url : '');
    }
    const opened = () => Promise.all(links.map(async (link) => (await get(server.guest, link)).status));
    expect(await opened()).toEqual([200, 200, 200]);
    await unpublishResource(chief, id, 'It has to be looked at again.');
    expect(await opened()).toEqual([404, 200, 200]);
  });

  test('with an account’s full export has no URL', async () => {
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
    'returns not_found for an invalid id: %s',
    async (id) => {
      expect(problemIn(await get(owner, `/files/${id}/letter.pdf`)).code).toBe('not_found');
    },
  );
});

test('opens public bucket files for everyone, with or without a name', async () => {
  for (const at of [`/files/${photo.id}/me.png`, `/files/${photo.id}`]) {
    const { status, headers } = await get(server.guest, at);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/png',
      'public, max-age=3600',
    ]);
  }
});

test('is unavailable and logged if its bytes are lost', async () => {
  const lost = await ctx.files.upload(ctx, {
    bucket: 'documents',
    ownerId: file.ownerId,
    name: 'lost.pdf',
    body: pdf(),
  });
  const { version: object } = lost;
  await rm(join(database.folder, 'objects', object.slice(-2), object));
  for (const answer of [
    await get(owner, `/files/${lost.id}`),
    await owner.send('POST', `/api/files/${lost.id}/copy`, { body: {} }),
  ]) {
    expect(answer.status).toBe(503);
    expect(problemIn(answer)).toMatchObject({ code: 'unavailable', reason: 'file_unreadable' });
    expect(answer.text).not.toContain(object);
  }
  expect(server.log.filter((line) => line.includes(lost.id))).toHaveLength(2);
});

test('states the type and disables active content', async () => {
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

test('names a download like its content, so an opened file can’t run', async () => {
  const body = pdf(1_000);
  const hidden = { bucket: 'documents', ownerId: file.ownerId, name: 'invoice.hta', body };
  const link = ctx.files.link(ctx, await ctx.files.upload(ctx, hidden), 60);
  const { headers } = await get(server.guest, `${link}&download`);
  expect(headers['content-disposition']).toBe(
    `attachment; filename="invoice.hta.pdf"; filename*=UTF-8''invoice.hta.pdf`,
  );
});

test('answers HEAD like GET, without the bytes', async () => {
  const [whole, head] = [await get(owner, path), await get(owner, path, {}, 'HEAD')];
  const { date: _date, 'x-request-id': _id, ...same } = whole.headers;
  expect(head).toMatchObject({ status: 200, text: '', headers: same });
});

test('skips what the browser has cached', async () => {
  const { etag } = (await get(owner, path)).headers as { etag: string };
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get(owner, path, { 'if-none-match': known, range: 'bytes=0-0' });
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag]);
  }
  expect((await get(owner, path, { 'if-none-match': '"other"' })).status).toBe(200);
  // Guessing an ETag reveals nothing to strangers.
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
  ])('%s returns only that part', async (range, contentRange, from, to) => {
    const answer = await get(owner, path, { range });
    expect([answer.status, answer.headers['content-range'], answer.headers['content-length']]).toEqual([
      206,
      contentRange,
      String(to - from),
    ]);
    expect(answer.text).toBe(slice(from, to));
  });

  test.each(['bytes=0-0,-1', 'bytes=500-499', 'words=0-1'])('%s returns everything', async (range) => {
    const answer = await get(owner, path, { range });
    expect([answer.status, answer.headers['content-range']]).toEqual([200, undefined]);
    expect(answer.text).toBe(bytes);
  });

  test.each(['bytes=10000-', 'bytes=-0'])('%s is unsatisfiable', async (range) => {
    const answer = await get(owner, path, { range });
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */10000']);
  });

  test('is served for unchanged files, and everything for changed ones', async () => {
    const { etag } = (await get(owner, path)).headers as { etag: string };
    const status = async (ifRange: string) =>
      (await get(owner, path, { range: 'bytes=0-499', 'if-range': ifRange })).status;
    expect(await status(etag)).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Sat, 29 Oct 1994 19:43:31 GMT'])
      expect(await status(other)).toBe(200);
  });
});

test('serves nothing by checksum', async () => {
  for (const at of ['/files', '/files/', `/files/objects/${file.version}`, `/objects/${file.version}`])
    expect((await get(owner, at)).headers['content-type']).not.toBe('application/pdf');
});

test('lists up to 100 own files by name ascending by default', { tags: ['long'] }, async () => {
  const person = await addClient(database.db);
  const visitor = await server.signIn(person);
  const theirs: Ctx = { ...database.as(person), now: systemNow };
  const names = Array.from({ length: 102 }, (_, at) => `${String(at).padStart(3, '0')}.png`);
  // Uploads in reverse, so the listing can't rely on insertion order.
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
