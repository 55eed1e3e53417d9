import { globSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { accountEffects } from '#/app/account-effects.ts';
import { changeRole } from '#/features/accounts/account-status/commands.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { pdf, png } from '../support/bytes.ts';
import { addAdministrator, addProvider } from '../support/people.ts';
import { programsOf } from '../support/programs.ts';
import { problemIn, storedIn, testServer, type Answer, type Sent } from '../support/server.ts';

const server = await testServer({ config: { mode: 'production' } });
const { database } = server;
const { db } = database;
const { somebody, storage, send, signIn } = programsOf(server);
const ctx: Ctx = { ...database.as({ kind: 'system' }), now: systemNow };

interface Someone {
  id: string;
  email: string;
  token: string;
}

async function someone(): Promise<Someone> {
  const person = await somebody();
  return { ...person, token: (await signIn(person.email)).access_token };
}

let owner: Someone;
let other: Someone;
beforeAll(async () => {
  [owner, other] = [await someone(), await someone()];
});
beforeEach(async () => {
  await db.deleteFrom('files').execute();
  await ctx.files.deleteRemoved(ctx);
});

/** Without what each use of a token leaves. */
const stored = async () => ({ ...(await storedIn(database)), api_tokens: '' });
const onDisk = () => globSync(`${database.folder}/{objects/*/*,pending/*}`).length;
const state = async () => [await stored(), onDisk()];
const store = (ownerId: string, name = 'letter.pdf', bucket = 'documents') =>
  ctx.files.upload(ctx, { bucket, ownerId, name, body: bucket === 'photos' ? png : pdf() });
const call = (method: string, path: string, token: string | null, sent: Sent = {}) =>
  send(method, `/storage/v1${path}`, { ...sent, ...(token ? { token } : {}) });
const put = (path: string, token: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
  call('POST', `/object/documents/${path}`, token, {
    body,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });

/** Reads a refusal in the client’s format. */
function refusalIn({ status, json, text, headers }: Answer): [number, string] {
  expect(Object.keys(json as object)).toEqual(['statusCode', 'code', 'error', 'message']);
  expect(text).not.toMatch(/zod|SELECT|relation |\.ts:\d|node_modules/i);
  expect(headers['cache-control']).toBe('no-store');
  const { code, statusCode } = json as { code: string; statusCode: string };
  expect(statusCode).toBe(String(status));
  return [status, code];
}

const json = (value: object): Sent => ({ body: value });
const everyCall = (path: string): [string, string, Sent][] => [
  ['GET', `/object/documents/${path}`, {}],
  ['HEAD', `/object/documents/${path}`, {}],
  ['GET', `/object/info/documents/${path}`, {}],
  ['PUT', `/object/documents/${path}`, { body: png, headers: { 'content-type': 'image/png' } }],
  ['POST', `/object/sign/documents/${path}`, json({ expiresIn: 60 })],
  ['POST', '/object/move', json({ bucketId: 'documents', sourceKey: path, destinationKey: 'x.pdf' })],
  ['POST', '/object/copy', json({ bucketId: 'documents', sourceKey: path, destinationKey: 'x.pdf' })],
];

describe('without the right token', () => {
  const calls = (): [string, string, Sent][] => [
    ...everyCall('letter.pdf').filter(([method]) => method !== 'HEAD'),
    ['POST', '/object/documents/new.png', { body: png, headers: { 'content-type': 'image/png' } }],
    ['POST', '/object/list/documents', json({})],
    ['DELETE', '/object/documents', json({ prefixes: ['letter.pdf'] })],
    ['GET', '/bucket', {}],
    ['POST', '/bucket', json({})],
    ['DELETE', '/bucket/documents', json({})],
  ];

  async function expectRefused(headers: Record<string, string>, expected: [number, string]) {
    await store(owner.id);
    const before = await state();
    for (const [method, path, sent] of calls()) {
      const answer = await call(method, path, null, { ...sent, headers: { ...sent.headers, ...headers } });
      expect(refusalIn(answer), `${method} ${path}`).toEqual(expected);
    }
    expect(await state()).toEqual(before);
  }

  test('is refused to strangers, and to browsers by their cookie', async () => {
    await expectRefused({}, [401, 'AccessDenied']);
    const { cookie } = await server.signIn({ kind: 'person', id: owner.id, role: 'client', sessionId: '' });
    await expectRefused({ cookie, origin: server.config.appUrl }, [401, 'AccessDenied']);
    owner.token = (await signIn(owner.email, demoPassword)).access_token;
  });

  test('is refused to forged tokens, even beside a cookie', async () => {
    const [head, body] = owner.token.split('.') as [string, string];
    for (const token of ['x', `${head}.${body}.`, `${owner.token.slice(0, -6)}AAAAAA`])
      await expectRefused({ authorization: `Bearer ${token}` }, [403, 'InvalidJWT']);
  });

  test('is refused to an API token', async () => {
    const visitor = await server.signIn({ kind: 'person', id: other.id, role: 'client', sessionId: '' });
    await visitor.send('POST', '/api/me/reauthentication', { body: { password: demoPassword } });
    const body = { name: 'Desk', scopes: ['appointments:read'], days: 30 };
    const { token } = (await visitor.send('POST', '/api/me/api-tokens', { body })).json as { token: string };
    expect(token).toMatch(/^italk_/);
    await expectRefused({ authorization: `Bearer ${token}` }, [403, 'InvalidJWT']);
    other.token = (await signIn(other.email, demoPassword)).access_token;
  });

  test('is refused once the session ended, the person was suspended, or the role changed', async () => {
    const ended = await someone();
    await call('POST', '/object/list/documents', ended.token, json({}));
    expect((await send('POST', '/logout?scope=local', { token: ended.token })).status).toBe(204);
    await expectRefused({ authorization: `Bearer ${ended.token}` }, [403, 'InvalidJWT']);
    const suspended = await someone();
    await db
      .updateTable('profiles')
      .set({ suspended_at: new Date() })
      .where('id', '=', suspended.id)
      .execute();
    await expectRefused({ authorization: `Bearer ${suspended.token}` }, [403, 'InvalidJWT']);
    const moved = await somebody(await addProvider(db));
    const { access_token } = await signIn(moved.email);
    expect((await call('POST', '/object/list/documents', access_token, json({}))).status).toBe(200);
    const chief = { ...ctx, actor: await addAdministrator(db) };
    const effects = accountEffects({ adminEmails: [], appUrl: server.config.appUrl });
    await changeRole(chief, effects, { userId: moved.id, from: 'doctor', to: 'pastor' });
    await expectRefused({ authorization: `Bearer ${access_token}` }, [403, 'InvalidJWT']);
  });

  test('is not found while programs are off, links and public files as well', async () => {
    const photo = await store(owner.id, 'me.png', 'photos');
    const letter = await store(owner.id);
    const { data } = await storage(owner.token).from('documents').createSignedUrl(letter.id, 60);
    const signed = new URL(data!.signedUrl);
    const open = async (path: string) => (await call('GET', path.replace('/storage/v1', ''), null)).status;
    const paths = [`/storage/v1/object/public/photos/${photo.id}`, `${signed.pathname}${signed.search}`];
    for (const path of paths) expect(await open(path)).toBe(200);
    const flag = (enabled: boolean) =>
      db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'mobile_app_access').execute();
    await flag(false);
    for (const path of paths) expect(await open(path)).toBe(404);
    await expectRefused({ authorization: `Bearer ${owner.token}` }, [404, 'NoSuchRoute']);
    await flag(true);
  });

  test('gets 503 during maintenance', async () => {
    const shut = async (maintenanceMode: boolean, status: number) => {
      await changeSettings(ctx, { maintenanceMode });
      await expect
        .poll(async () => (await call('POST', '/object/list/documents', owner.token, json({}))).status)
        .toBe(status);
    };
    await shut(true, 503);
    const answer = await call('GET', `/object/public/photos/${newId()}`, null);
    expect([problemIn(answer).reason, answer.headers['retry-after']]).toEqual(['maintenance', '300']);
    await shut(false, 200);
  });

  test('can’t be opened by other sites’ pages', async () => {
    const origin = 'https://elsewhere.example';
    const { headers, status } = await call('OPTIONS', '/object/list/documents', null, { origin });
    expect(status).toBe(404);
    const listed = await call('POST', '/object/list/documents', owner.token, { origin, body: {} });
    for (const one of [headers, listed.headers])
      expect(Object.keys(one).filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  });
});

describe('another person’s file', () => {
  test('is not found, by name and by id, and guessing is logged', async () => {
    const theirs = await store(owner.id);
    const admin = await addAdministrator(db);
    await server.signIn(admin);
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', admin.id)
      .executeTakeFirstOrThrow();
    const chief = (await signIn(email, demoPassword)).access_token;
    const before = [await db.selectFrom('files').selectAll().execute(), onDisk()];
    for (const token of [other.token, chief]) {
      for (const path of [theirs.id, theirs.name, newId()]) {
        for (const [method, at, sent] of everyCall(path)) {
          const answer = await call(method, at, token, sent);
          const found = method === 'HEAD' ? [answer.status, 'NoSuchKey'] : refusalIn(answer);
          expect(found, `${method} ${at}`).toEqual([404, 'NoSuchKey']);
        }
        const removed = await call('DELETE', '/object/documents', token, json({ prefixes: [path] }));
        expect(removed.json).toEqual([]);
      }
      expect((await call('POST', '/object/list/documents', token, json({}))).json).toEqual([]);
    }
    expect([await db.selectFrom('files').selectAll().execute(), onDisk()]).toEqual(before);
    const noted = await db
      .selectFrom('audit_entries')
      .select(['category', 'success', 'details'])
      .where('action', '=', 'refused.storage')
      .where('actor_id', '=', other.id)
      .orderBy('id')
      .execute();
    expect(noted).toHaveLength(14);
    expect(noted[0]).toEqual({ category: 'security', success: false, details: { reason: 'file' } });
  });

  test('of the product’s own kind is neither changed nor linked by its owner', async () => {
    const photo = await store(owner.id, 'me.png', 'photos');
    for (const [method, at, sent] of [
      ['PUT', `/object/photos/${photo.id}`, { body: png, headers: { 'content-type': 'image/png' } }],
      ['POST', '/object/photos/new.png', { body: png, headers: { 'content-type': 'image/png' } }],
      ['POST', `/object/sign/photos/${photo.id}`, json({ expiresIn: 60 })],
      ['POST', '/object/move', json({ bucketId: 'photos', sourceKey: photo.id, destinationKey: 'x.pdf' })],
      ['POST', '/object/copy', json({ bucketId: 'photos', sourceKey: photo.id, destinationKey: 'x.pdf' })],
      ['DELETE', '/object/photos', json({ prefixes: [photo.id] })],
    ] as [string, string, Sent][])
      expect(refusalIn(await call(method, at, owner.token, sent)), `${method} ${at}`).toEqual([
        403,
        'AccessDenied',
      ]);
    const archive = await store(owner.id, 'all.pdf', 'exports');
    for (const path of [archive.id, archive.name])
      expect(refusalIn(await call('GET', `/object/exports/${path}`, owner.token))).toEqual([
        404,
        'NoSuchKey',
      ]);
    expect(refusalIn(await call('GET', `/object/public/exports/${archive.id}`, null))[0]).toBe(404);
    expect(await db.selectFrom('files').select('id').execute()).toHaveLength(2);
  });
});

describe('a path', () => {
  const paths = [
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2f%2e%2e%2fphotos%2fx.png',
    '..%5c..%5cx.pdf',
    'a%2fb.pdf',
    'a/b.pdf',
    '/etc/passwd',
    'x%00.pdf',
    '%00',
    'a%0d%0aset-cookie:x',
    '%e2%80%ae%66dp.exe',
    '%20',
    '.%20',
    'x'.repeat(201),
    'x'.repeat(10_000),
    '%2e%2e%20',
  ];
  test.each(paths.map((path) => [path.slice(0, 30), path]))(
    '%s names no file, and stores none',
    async (_, path) => {
      const before = await state();
      for (const [method, at, sent] of [
        ...everyCall(path).slice(0, 5),
        [
          'POST',
          `/object/documents/${path}`,
          { body: png, headers: { 'content-type': 'image/png' } },
        ] as const,
        ['GET', `/object/public/photos/${path}`, {}] as const,
        ['GET', `/object/sign/documents/${path}?expires=1&signature=x`, {}] as const,
      ]) {
        const { status } = await call(method, at, owner.token, sent);
        expect([400, 404], `${method} ${at} ${status}`).toContain(status);
      }
      const name = decodeURIComponent(path);
      const keys = { bucketId: 'documents', sourceKey: name, destinationKey: name };
      for (const verb of ['move', 'copy'])
        expect((await call('POST', `/object/${verb}`, owner.token, json(keys))).status).toBe(400);
      const prefixes = { prefixes: [name] };
      expect((await call('DELETE', '/object/documents', owner.token, json(prefixes))).status).toBe(400);
      expect(await state()).toEqual(before);
    },
  );

  test.each(['%00', '..%2fphotos', 'Photos', "'%20or%201=1", 'x'.repeat(100), '%2e%2e%2e'])(
    'in the bucket %s is refused',
    async (bucket) => {
      for (const [method, at, sent] of [
        ['GET', `/object/${bucket}/x.pdf`, {}],
        ['GET', `/object/public/${bucket}/x.pdf`, {}],
        ['POST', `/object/${bucket}/x.pdf`, { body: png, headers: { 'content-type': 'image/png' } }],
        ['POST', `/object/list/${bucket}`, json({})],
        ['DELETE', `/object/${bucket}`, json({ prefixes: ['x.pdf'] })],
        ['GET', `/bucket/${bucket}`, {}],
        ['PUT', `/bucket/${bucket}`, json({})],
      ] as [string, string, Sent][])
        expect(refusalIn(await call(method, at, owner.token, sent)), `${method} ${at}`).toEqual([
          404,
          'NoSuchBucket',
        ]);
    },
  );

  test('opens nothing for a path that leaves /storage/v1 or can’t be decoded', async () => {
    for (const [path, status] of [
      ['/../../api/me/devices', 401],
      ['/%2e%2e/%2e%2e/files/x', 404],
      ['/object/documents/%ff', 400],
      ['/object/documents/%zz', 400],
      ['/object/documents/%c0%ae%c0%ae', 400],
      ['/object/documents/100%.pdf', 400],
      ['/object/documents/', 404],
      ['/object', 404],
      ['/object/documents', 404],
      ['/vector/x', 404],
      ['//object/documents/x', 404],
    ] as const) {
      const answer = await call('GET', path, path.includes('api') ? null : owner.token);
      expect(answer.status, path).toBe(status);
      expect(answer.text).not.toContain('root:');
    }
  });
});

describe('an upload', () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const form = (...parts: string[]) =>
    `${parts.map((part) => `--b\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`;
  const file = (content: string, name = '') => `name="${name}"; filename="x"\r\n\r\n${content}`;
  const pixel = Buffer.from(png).toString('latin1');
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const latin = (text: string) => Buffer.from(text, 'latin1');

  test('of a form works', async () => {
    const parts = form('name="cacheControl"\r\n\r\n3600', file(pixel));
    expect((await put('form.png', owner.token, latin(parts), multipart)).status).toBe(200);
    const read = await call('GET', '/object/documents/form.png', owner.token);
    expect([read.headers['content-type'], read.headers['content-length']]).toEqual(['image/png', '70']);
  });

  test.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
    ['a page', html, { 'content-type': 'image/png' }, 415, 'InvalidMimeType'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"/>', {}, 415, 'InvalidMimeType'],
    ['a program', '#!/bin/sh\n', {}, 415, 'InvalidMimeType'],
    ['nothing', '', {}, 400, 'InvalidRequest'],
    ['a page in a form', latin(form(file(html))), multipart, 415, 'InvalidMimeType'],
    ['nothing in a form', latin(form(file(''))), multipart, 400, 'InvalidRequest'],
    [
      'a form without a file',
      latin(form('name="cacheControl"\r\n\r\n3600')),
      multipart,
      400,
      'InvalidRequest',
    ],
    [
      'a form refused early that breaks off',
      latin(form('name="metadata"\r\n\r\n{}', file(pixel)).slice(0, -20)),
      multipart,
      400,
      'NotSupported',
    ],
    ['two files', latin(form(file(pixel), file(pixel, 'b'))), multipart, 400, 'InvalidRequest'],
    [
      'a field after the file',
      latin(form(file(pixel), 'name="metadata"\r\n\r\n{}')),
      multipart,
      400,
      'NotSupported',
    ],
    ['a form that breaks off', latin(form(file(pixel)).slice(0, -20)), multipart, 400, 'InvalidRequest'],
    ['an unfinished form', latin(form(file(pixel)).slice(0, -8)), multipart, 400, 'InvalidRequest'],
    [
      'a form without a boundary',
      latin(form(file(pixel))),
      { 'content-type': 'multipart/form-data' },
      400,
      'InvalidRequest',
    ],
    ['no form', latin('x'.repeat(100)), multipart, 400, 'InvalidRequest'],
    [
      'a hundred fields',
      latin(form(...Array.from({ length: 100 }, () => 'name="cacheControl"\r\n\r\n3600'), file(pixel))),
      multipart,
      400,
      'InvalidRequest',
    ],
    [
      'a long header',
      latin(form(`name="${'x'.repeat(50_000)}"; filename="x"\r\n\r\n${pixel}`)),
      multipart,
      400,
      'NotSupported',
    ],
  ])('of %s is refused and leaves nothing', async (_, body, headers, status, code) => {
    const before = await state();
    expect(refusalIn(await put('x.png', owner.token, body, headers))).toEqual([status, code]);
    expect(await state()).toEqual(before);
  });

  test('ends at the bucket’s limit while it arrives, and leaves nothing', { tags: ['long'] }, async () => {
    const { max_bytes } = await db
      .selectFrom('buckets')
      .select('max_bytes')
      .where('id', '=', 'documents')
      .executeTakeFirstOrThrow();
    const limit = (bytes: number) =>
      db.updateTable('buckets').set({ max_bytes: bytes }).where('id', '=', 'documents').execute();
    await limit(100_000);
    onTestFinished(() => limit(max_bytes).then(() => undefined));
    const before = await state();
    const large = Buffer.from(pdf(10_000_000)).toString('latin1');
    for (const [body, headers] of [
      [pdf(10_000_000), {}],
      [latin(form(file(large))), multipart],
    ] as const)
      expect(refusalIn(await put('x.pdf', owner.token, body, headers))).toEqual([413, 'EntityTooLarge']);
    expect(await state()).toEqual(before);
  });

  test('without a length, or with too large a one, is refused unread', async () => {
    for (const [headers, expected] of [
      [{ 'content-length': String(20 * 1024 * 1024 + 1) }, [413, 'EntityTooLarge']],
      [{ 'transfer-encoding': 'chunked' }, [411, 'MissingContentLength']],
    ] as const) {
      const sent = begin('/object/documents/x.pdf', owner.token, headers);
      sent.flushHeaders();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const { statusCode, code } = JSON.parse(await textOf(answer)) as { statusCode: string; code: string };
      expect([Number(statusCode), code]).toEqual(expected);
      sent.destroy();
    }
  });

  test.each([
    ['', pdf(1_000_000)],
    [' in a form', latin(form(file(Buffer.from(pdf(1_000_000)).toString('latin1'))))],
  ])('that breaks off%s, or whose sender signed out meanwhile, leaves nothing', async (how, body) => {
    const headers = { 'content-length': String(body.length), ...(how ? multipart : {}) };
    const { token } = await someone();
    const before = await state();
    const broken = begin('/object/documents/x.pdf', token, headers);
    broken.on('error', () => undefined);
    broken.write(body.subarray(0, 500_000));
    await expect.poll(onDisk).toBeGreaterThan(before[1] as number);
    broken.destroy();
    await expect.poll(onDisk).toBe(before[1]);

    const slow = begin('/object/documents/x.pdf', token, headers);
    slow.write(body.subarray(0, 500_000));
    await expect.poll(onDisk).toBeGreaterThan(before[1] as number);
    expect((await send('POST', '/logout?scope=local', { token })).status).toBe(204);
    slow.end(body.subarray(500_000));
    const [answer] = (await once(slow, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(403);
    await expect.poll(onDisk).toBe(before[1]);
    expect(await db.selectFrom('files').select('id').execute()).toEqual([]);
    expect(server.log.join('')).not.toContain('request failed');
  });

  function begin(path: string, token: string, headers: Record<string, string>) {
    return request({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: `/storage/v1${path}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  }
});

async function textOf(answer: IncomingMessage): Promise<string> {
  return Buffer.concat((await answer.toArray()) as Buffer[]).toString();
}

describe('at once', () => {
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
  const rows = () =>
    db.selectFrom('files').select(['name', 'size']).where('owner_id', '=', owner.id).execute();

  test('ten uploads of one name store one file, whole', { tags: ['long'] }, async () => {
    for (const upsert of ['false', 'true', 'true']) {
      const headers = { 'x-upsert': upsert };
      const sizes = Array.from({ length: 10 }, (_, at) => 200_000 + at);
      const answers = await Promise.all(
        sizes.map((size) => put('same.pdf', owner.token, pdf(size), headers)),
      );
      const accepted = answers.filter(({ status }) => status === 200);
      expect(accepted.length).toBeGreaterThan(0);
      const refused = answers.filter(({ status }) => status !== 200).map(refusalIn);
      expect(refused).toEqual(refused.map(() => [409, 'KeyAlreadyExists']));
      const [file, ...others] = await rows();
      expect(others).toEqual([]);
      expect(new Set(accepted.map(({ json: answer }) => (answer as { Key: string }).Key))).toEqual(
        new Set(['documents/same.pdf']),
      );
      await ctx.files.deleteRemoved(ctx);
      expect(onDisk()).toBe(1);
      const read = await call('GET', '/object/documents/same.pdf', owner.token);
      expect([read.status, Number(read.headers['content-length'])]).toEqual([200, file!.size]);
      expect(sizes).toContain(file!.size);
    }
  });

  test('moves, copies and uploads to one name leave one file of it', async () => {
    await put('a.pdf', owner.token, pdf());
    await put('b.pdf', owner.token, pdf());
    const to = (verb: string, from: string) =>
      call(
        'POST',
        `/object/${verb}`,
        owner.token,
        json({ bucketId: 'documents', sourceKey: from, destinationKey: 'z.pdf' }),
      );
    const answers = await Promise.all([
      to('move', 'a.pdf'),
      to('move', 'b.pdf'),
      to('copy', 'a.pdf'),
      to('copy', 'b.pdf'),
      put('z.pdf', owner.token, pdf()),
      put('z.pdf', owner.token, pdf()),
    ]);
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1);
    expect((await rows()).filter(({ name }) => name === 'z.pdf')).toHaveLength(1);
    await ctx.files.deleteRemoved(ctx);
    expect(onDisk()).toBe((await rows()).length);
  });

  test('removals and reads of one file don’t fail', async () => {
    await put('gone.pdf', owner.token, pdf());
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        at % 2
          ? call('GET', '/object/documents/gone.pdf', owner.token)
          : call('DELETE', '/object/documents', owner.token, json({ prefixes: ['gone.pdf'] })),
      ),
    );
    expect(statuses(answers).filter((status) => ![200, 404].includes(status))).toEqual([]);
    expect(await rows()).toEqual([]);
  });
});

describe('a read', () => {
  test('states the type and disables active content, for its owner and by link', async () => {
    const { id } = await store(owner.id, 'evil.html');
    const { data } = await storage(owner.token).from('documents').createSignedUrl('evil.html', 60);
    const { pathname, search } = new URL(data!.signedUrl);
    for (const [path, token, more] of [
      ['/object/documents/evil.html', owner.token, { vary: 'authorization' }],
      [`${pathname.slice('/storage/v1'.length)}${search}`, null, {}],
    ] as const) {
      const { headers } = await call('GET', path, token);
      expect(headers).toMatchObject({
        'content-type': 'application/pdf',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining(`default-src 'none'`) as string,
        'cache-control': expect.stringMatching(/^private, max-age=\d+$/) as string,
        ...more,
      });
      const head = await call('HEAD', path, token);
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '10000']);
      const part = await call('GET', path, token, { headers: { range: 'bytes=9990-' } });
      expect([part.status, part.headers['content-range']]).toEqual([206, 'bytes 9990-9999/10000']);
      for (const range of ['bytes=10000-', 'bytes=-0'])
        expect((await call('GET', path, token, { headers: { range } })).status).toBe(416);
      const known = { headers: { 'if-none-match': headers.etag as string } };
      expect((await call('GET', path, token, known)).status).toBe(304);
    }
    // Guessing an ETag or a range reveals nothing to others.
    for (const headers of [{ 'if-none-match': '*' }, { range: 'bytes=0-0' }] as Record<string, string>[])
      expect((await call('GET', `/object/documents/${id}`, other.token, { headers })).status).toBe(404);
  });

  test('by link ends with it, and another file’s or bucket’s doesn’t count', async () => {
    const letter = await store(owner.id);
    const second = await store(owner.id, 'second.pdf');
    const actor = { kind: 'person', id: owner.id, role: 'client', sessionId: '' } as const;
    const link = (from: Ctx, seconds: number) =>
      ctx.files
        .link({ ...from, actor }, letter, seconds)
        .replace(/^[^?]*/, `/object/sign/documents/${letter.id}`);
    const hourAgo: Ctx = { ...ctx, now: () => systemNow().subtract({ hours: 1 }) };
    const good = link(ctx, 60);
    for (const _ of [1, 2, 3]) expect((await call('GET', good, null)).status).toBe(200);
    for (const wrong of [
      link(hourAgo, 3_599),
      good.replace(letter.id, second.id),
      good.replace('documents', 'photos'),
      good.replace('/sign/', '/public/').replace('documents', 'photos'),
      good.replace(/expires=\d+/, 'expires=9999999999'),
      good.replace(/signature=.*/, 'signature='),
      good.replace(/\?.*/, ''),
      `${good}&versionId=1`,
    ]) {
      const answer = await call('GET', wrong, owner.token);
      expect([400, 404], wrong).toContain(answer.status);
      refusalIn(answer);
    }
    await call('DELETE', '/object/documents', owner.token, json({ prefixes: ['letter.pdf'] }));
    await put('letter.pdf', owner.token, pdf());
    expect((await call('GET', good, null)).status).toBe(404);
  });
});

test('signs 600 links in a minute at most, however many a call asks for', async () => {
  const { id, token } = await someone();
  const file = await store(id);
  const window = { key: `links:${id}`, window_start: new Date(), hits: 597 };
  await db.insertInto('rate_limits').values(window).execute();
  const sign = (count: number) =>
    call(
      'POST',
      '/object/sign/documents',
      token,
      json({ expiresIn: 60, paths: Array.from({ length: count }, () => file.id) }),
    );
  expect((await sign(2)).status).toBe(200);
  expect(refusalIn(await sign(101))).toEqual([400, 'InvalidRequest']);
  expect(refusalIn(await sign(2))).toEqual([429, 'SlowDown']);
});

test('refuses malformed and oversized bodies', async () => {
  for (const [body, headers, status] of [
    ['{', {}, 400],
    ['[]', {}, 400],
    ['{}', { 'content-type': 'text/plain' }, 400],
    [JSON.stringify({ search: 'x'.repeat(70_000) }), {}, 413],
    [JSON.stringify({ search: '\0' }), {}, 400],
    [JSON.stringify({ limit: '1; drop table files' }), {}, 400],
  ] as const)
    expect(refusalIn(await call('POST', '/object/list/documents', owner.token, { body, headers }))[0]).toBe(
      status,
    );
});

test('logs no names or tokens', () => {
  const logged = server.log.join('\n');
  for (const secret of ['letter.pdf', 'passwd', owner.token, 'signature='])
    expect(logged).not.toContain(secret);
});
