import { StorageApiError } from '@supabase/storage-js';
import { beforeAll, expect, test } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import { systemNow } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { pdf, png } from '../support/bytes.ts';
import { addAdministrator } from '../support/people.ts';
import { programsOf, type Tokens } from '../support/programs.ts';
import { testServer } from '../support/server.ts';

const server = await testServer({ config: { mode: 'production' } });
const { database } = server;
const { db } = database;
const { somebody, storage, send, signIn, refresh } = programsOf(server);

type Files = ReturnType<ReturnType<typeof storage>['from']>;

async function starter() {
  const { id, email } = await somebody();
  const { access_token: token } = await signIn(email);
  const client = storage(token);
  return { id, token, client, files: client.from('documents') };
}

let me: Awaited<ReturnType<typeof starter>>;
let files: Files;
beforeAll(async () => {
  me = await starter();
  ({ files } = me);
});

const done = async (id: string) =>
  (
    await db.selectFrom('audit_entries').select('action').where('subject_id', '=', id).orderBy('id').execute()
  ).map(({ action }) => action);

const bytesOf = async (blob: Blob | null) => Buffer.from(await blob!.arrayBuffer());
const refusal = (status: number, code: string) => ({
  name: 'StorageApiError',
  status,
  statusCode: String(status),
  code,
  message: expect.stringMatching(/^[A-Z].*[.)]$/) as string,
});

/** Runs a promise of the client’s kind and returns its data. */
async function data<T>(answer: PromiseLike<{ data: T; error: unknown }>): Promise<NonNullable<T>> {
  const { data: given, error } = await answer;
  expect(error).toBeNull();
  return given as NonNullable<T>;
}

test('uploads, describes, reads, updates and removes a file, with each step logged', async () => {
  const name = 'Brief an “Ruth” & co.pdf';
  const stored = await data(files.upload(name, pdf()));
  expect(stored).toEqual({ id: expect.any(String) as string, path: name, fullPath: `documents/${name}` });
  expect(await data(files.info(name))).toMatchObject({
    id: stored.id,
    name,
    bucketId: 'documents',
    size: 10_000,
    contentType: 'application/pdf',
    cacheControl: 'max-age=3600',
  });
  expect(await files.exists(name)).toEqual({ data: true, error: null });
  expect(await bytesOf(await data(files.download(name)))).toEqual(Buffer.from(pdf()));
  const stream = await data(files.download(name).asStream());
  expect(await new Response(stream).bytes()).toHaveLength(10_000);

  const updated = await data(files.update(name, png, { contentType: 'text/html' }));
  expect(updated.id).toBe(stored.id);
  const read = await data(files.download(name));
  expect([read.type, read.size]).toEqual(['image/png', png.length]);

  expect(await data(files.remove([name, 'absent.pdf']))).toMatchObject([{ id: stored.id, name }]);
  expect(await files.exists(name)).toMatchObject({ data: false, error: refusal(404, 'NoSuchKey') });
  expect(await done(stored.id)).toEqual(['files.stored', 'files.replaced', 'files.removed']);
});

test('takes every kind of body with a length', { tags: ['long'] }, async () => {
  const text = new TextDecoder('latin1').decode(png);
  const form = new FormData();
  form.append('file', new Blob([png]), 'me.png');
  const large = pdf(3_000_000);
  for (const [body, size] of [
    [png, png.length],
    [new Uint8Array(png).buffer, png.length],
    [new Blob([png]), png.length],
    [new File([png], 'evil.html', { type: 'text/html' }), png.length],
    [form, png.length],
    [large, large.length],
    [new Blob([large]), large.length],
  ] as const) {
    const { id } = await data(files.upload('any.png', body, { upsert: true }));
    expect(await data(files.info('any.png'))).toMatchObject({ id, size });
    const copy = await bytesOf(await data(files.download('any.png')));
    expect(copy.equals(size === png.length ? png : large)).toBe(true);
  }
  expect((await files.upload('text.png', text)).error).toMatchObject(refusal(415, 'InvalidMimeType'));
  const stream = new Blob([png]).stream();
  expect((await files.upload('stream.png', stream)).error).toMatchObject(
    refusal(411, 'MissingContentLength'),
  );
  await data(files.remove(['any.png']));
});

test('replaces a file of the same name only when asked to', async () => {
  const { id } = await data(files.upload('one.png', png));
  expect((await files.upload('one.png', pdf())).error).toMatchObject(refusal(409, 'KeyAlreadyExists'));
  expect(await data(files.info('one.png'))).toMatchObject({ contentType: 'image/png' });
  const replaced = await data(files.upload('one.png', pdf(), { upsert: true }));
  expect(replaced.id).toBe(id);
  expect((await files.update('two.png', png)).error).toMatchObject(refusal(404, 'NoSuchKey'));
  await data(files.remove(['one.png']));
});

test('moves and copies, but never onto another file', async () => {
  const { id } = await data(files.upload('a.png', png));
  expect(await data(files.copy('a.png', 'b.png'))).toEqual({ path: 'documents/b.png' });
  const copy = await data(files.info('b.png'));
  expect(copy.id).not.toBe(id);
  for (const error of [
    (await files.move('a.png', 'b.png')).error,
    (await files.copy('a.png', 'b.png')).error,
    (await files.copy('a.png', 'a.png')).error,
  ])
    expect(error).toMatchObject(refusal(409, 'KeyAlreadyExists'));
  expect(await data(files.move('a.png', 'c.png'))).toEqual({ message: 'Successfully moved' });
  expect(await data(files.info('c.png'))).toMatchObject({ id });
  expect(await done(id)).toEqual(['files.stored', 'files.renamed']);
  await data(files.remove(['b.png', 'c.png']));
});

test('lists 100 files from 0 by name, and finds them', { tags: ['long'] }, async () => {
  const { id, files: mine } = await starter();
  const ctx: Ctx = { ...database.as({ kind: 'system' }), now: systemNow };
  const names = Array.from({ length: 102 }, (_, at) => `${String(at).padStart(3, '0')}.png`);
  for (const name of names.toReversed())
    await ctx.files.upload(ctx, { bucket: 'documents', ownerId: id, name, body: png });
  const listed = async (...how: Parameters<Files['list']>) =>
    (await data(mine.list(...how))).map(({ name }) => name);
  expect(await listed()).toEqual(names.slice(0, 100));
  expect(await listed('', { offset: 100 })).toEqual(names.slice(100));
  expect(await listed('', { limit: 2, offset: 1, sortBy: { column: 'name' } })).toEqual(names.slice(1, 3));
  expect(await listed('', { search: '10' })).toEqual(['010.png', '100.png', '101.png']);
  expect(await data(mine.list('', { limit: 1 }))).toMatchObject([
    {
      bucket_id: 'documents',
      metadata: { size: png.length, mimetype: 'image/png', cacheControl: 'max-age=3600' },
    },
  ]);
  expect(await data(me.client.from('no-such-bucket').list())).toEqual([]);
});

test('signs links that open without a token until they expire', async () => {
  const { id } = await data(files.upload('a b.png', png));
  const { signedUrl } = await data(files.createSignedUrl('a b.png', 60));
  const opened = await fetch(signedUrl);
  expect([opened.status, await opened.bytes()]).toEqual([200, new Uint8Array(png)]);
  expect(opened.headers.get('cache-control')).toMatch(/^private, max-age=(5\d|60)$/);
  const saved = await data(files.createSignedUrl('a b.png', 60, { download: true, cacheNonce: '7' }));
  expect((await fetch(saved.signedUrl)).headers.get('content-disposition')).toContain(
    'attachment; filename="a b.png"',
  );
  const several = await data(files.createSignedUrls(['a b.png', 'absent.png'], 60));
  expect(several).toMatchObject([
    { path: 'a b.png', error: null, signedUrl: expect.stringContaining(id) as string },
    { path: 'absent.png', error: 'There is no such file.', signedUrl: null },
  ]);
  expect((await fetch(several[0]!.signedUrl!)).status).toBe(200);
  expect(await done(id)).toEqual(['files.stored', 'files.linked', 'files.linked', 'files.linked']);
  for (const seconds of [59, 604_801, 0, -1, 1.5, Number.NaN])
    expect((await files.createSignedUrl('a b.png', seconds)).error).toMatchObject(
      refusal(400, 'InvalidRequest'),
    );
  await data(files.remove(['a b.png']));
  expect((await fetch(signedUrl)).status).toBe(404);
});

test('gives public URLs by id, which open in public buckets alone', async () => {
  const ctx: Ctx = { ...database.as({ kind: 'system' }), now: systemNow };
  const photo = { bucket: 'photos', ownerId: me.id, name: 'photo.png', body: png };
  const { id } = await ctx.files.upload(ctx, photo);
  const photos = me.client.from('photos');
  const publicly = (of: Files, path: string) => fetch(of.getPublicUrl(path).data.publicUrl);
  const opened = await publicly(photos, id);
  expect([opened.status, opened.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
  expect((await publicly(photos, 'photo.png')).status).toBe(404);
  expect(await data(photos.list())).toMatchObject([{ id, name: 'photo.png' }]);
  expect((await data(photos.download('photo.png'))).size).toBe(png.length);
  const other = await starter();
  expect((await data(other.client.from('photos').download(id))).size).toBe(png.length);
  const own = await data(files.upload('mine.png', png));
  expect((await publicly(files, own.id)).status).toBe(404);
  await data(files.remove(['mine.png']));
});

test('requires the id when several files have the name', async () => {
  const ctx: Ctx = { ...database.as({ kind: 'system' }), now: systemNow };
  const twin = { bucket: 'documents', ownerId: me.id, name: 'twin.png', body: png };
  const [one, two] = [await ctx.files.upload(ctx, twin), await ctx.files.upload(ctx, twin)];
  for (const error of [
    (await files.info('twin.png')).error,
    (await files.update('twin.png', png)).error,
    (await files.remove(['twin.png'])).error,
  ])
    expect(error).toMatchObject(refusal(409, 'Conflict'));
  expect(await data(files.info(one.id))).toMatchObject({ id: one.id, name: 'twin.png' });
  await data(files.move(one.id, 'other.png'));
  expect(await data(files.remove(['twin.png', one.id]))).toMatchObject([{ id: two.id }, { id: one.id }]);
});

test('lets administrators manage buckets, and nobody else', async () => {
  const admin = await addAdministrator(db);
  await server.signIn(admin);
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', admin.id)
    .executeTakeFirstOrThrow();
  const tokens = await signIn(email, demoPassword);
  const client = storage(tokens.access_token);
  const limits = { fileSizeLimit: 1_000, allowedMimeTypes: ['image/png'] };
  expect(await data(client.createBucket('letters', { public: false, ...limits }))).toEqual({
    name: 'letters',
  });
  const bucket = { id: 'letters', public: false, file_size_limit: 1_000, allowed_mime_types: ['image/png'] };
  expect(await data(client.getBucket('letters'))).toMatchObject(bucket);
  expect(await data(client.listBuckets())).toContainEqual(expect.objectContaining(bucket));
  await data(client.updateBucket('letters', { public: true, fileSizeLimit: 2_000 }));
  expect(await data(client.getBucket('letters'))).toMatchObject({
    ...bucket,
    public: true,
    file_size_limit: 2_000,
  });
  const again = await client.createBucket('letters', { public: false, ...limits });
  expect(again.error).toMatchObject(refusal(409, 'BucketAlreadyExists'));

  const system: Ctx = { ...database.as({ kind: 'system' }), now: systemNow };
  await system.files.upload(system, { bucket: 'letters', ownerId: null, name: 'a.png', body: png });
  expect((await client.deleteBucket('letters')).error).toMatchObject(refusal(409, 'BucketNotEmpty'));
  expect((await client.emptyBucket('letters')).error).toMatchObject(refusal(403, 'AccessDenied'));
  const body = { password: demoPassword };
  await send('POST', '/api/me/reauthentication', { token: tokens.access_token, body });
  const proven = storage(((await refresh(tokens.refresh_token)).json as Tokens).access_token);
  await data(proven.emptyBucket('letters'));
  await data(proven.deleteBucket('letters'));
  expect((await proven.getBucket('letters')).error).toMatchObject(refusal(404, 'NoSuchBucket'));
  expect((await proven.deleteBucket('documents')).error).toMatchObject(refusal(409, 'Conflict'));
  for (const limit of [{}, { ...limits, fileSizeLimit: '1MB' }, { ...limits, allowedMimeTypes: ['image/*'] }])
    expect((await proven.createBucket('cards', { public: false, ...limit })).error).toMatchObject(
      refusal(400, 'InvalidRequest'),
    );
  for (const error of [
    (await proven.createBucket('cards', { public: false, ...limits, type: 'ANALYTICS' })).error,
    (await proven.createBucket('cards', { public: false, ...limits, versioningStatus: 'ENABLED' })).error,
    (await proven.listBuckets({ limit: 1 })).error,
  ])
    expect(error).toMatchObject({ status: 400 });
  const actions = await db
    .selectFrom('audit_entries')
    .select('action')
    .where('actor_id', '=', admin.id)
    .orderBy('id')
    .execute();
  expect(actions.map(({ action }) => action).filter((action) => action.startsWith('buckets.'))).toEqual([
    'buckets.created',
    'buckets.changed',
    'buckets.emptied',
    'buckets.removed',
  ]);
});

test.each<[string, () => PromiseLike<{ error: unknown }>, number, string]>([
  ['a folder', () => files.upload('a/b.png', png), 400, 'InvalidKey'],
  ['listing a folder', () => files.list('a'), 400, 'InvalidRequest'],
  ['another order', () => files.list('', { sortBy: { order: 'desc' } }), 400, 'InvalidRequest'],
  ['more than 100 at once', () => files.list('', { limit: 101 }), 400, 'InvalidRequest'],
  ['another page style', () => files.listV2(), 400, 'NotSupported'],
  ['another age', () => files.upload('a.png', png, { cacheControl: '60' }), 400, 'NotSupported'],
  [
    'another age in a form',
    () => files.upload('a.png', new Blob([png]), { cacheControl: '60' }),
    400,
    'NotSupported',
  ],
  ['metadata', () => files.upload('a.png', png, { metadata: { a: 1 } }), 400, 'NotSupported'],
  [
    'metadata in a form',
    () => files.upload('a.png', new Blob([png]), { metadata: { a: 1 } }),
    400,
    'NotSupported',
  ],
  ['an encoding', () => files.upload('a.png', png, { contentEncoding: 'gzip' }), 400, 'NotSupported'],
  ['another bucket', () => me.client.from('photos').upload('a.png', png), 403, 'AccessDenied'],
  ['an unknown bucket', () => me.client.from('nowhere').upload('a.png', png), 403, 'AccessDenied'],
  [
    'moving to another bucket',
    () => files.move('a.png', 'a.png', { destinationBucket: 'photos' }),
    400,
    'NotSupported',
  ],
  ['versions', () => files.info('a.png', { versionId: '1' }), 400, 'NotSupported'],
  ['smaller pictures', () => files.download('a.png', { transform: { width: 1 } }), 400, 'NotSupported'],
  [
    'links to smaller pictures',
    () => files.createSignedUrl('a.png', 60, { transform: { width: 1 } }),
    400,
    'NotSupported',
  ],
  ['links for uploads', () => files.createSignedUploadUrl('a.png'), 400, 'NotSupported'],
  ['uploads by link', () => files.uploadToSignedUrl('a.png', 'x', png), 400, 'NotSupported'],
  ['emptying caches', () => files.purgeCache('a.png'), 400, 'NotSupported'],
  ['buckets', () => me.client.listBuckets(), 403, 'AccessDenied'],
  ['a bucket', () => me.client.getBucket('documents'), 403, 'AccessDenied'],
  ['a new bucket', () => me.client.createBucket('mine'), 403, 'AccessDenied'],
  ['a changed bucket', () => me.client.updateBucket('documents', { public: true }), 403, 'AccessDenied'],
  ['an empty bucket', () => me.client.emptyBucket('documents'), 403, 'AccessDenied'],
  ['a deleted bucket', () => me.client.deleteBucket('documents'), 403, 'AccessDenied'],
])('refuses %s with a closed code', async (_, attempt, status, code) => {
  const { error } = await attempt();
  expect(error).toBeInstanceOf(StorageApiError);
  expect(error).toMatchObject(refusal(status, code));
  expect(await data(files.list())).toEqual([]);
});
