import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { arriving, bytesOf, pdf, png } from './bytes.ts';
import type { TestDatabase } from './database.ts';
import { addClient, type Person } from './people.ts';
import { refusalOf } from './refusal.ts';

/** `begun`: keys of objects while an upload arrives. */
export function storageSuite(
  database: TestDatabase,
  { keys, begun }: { keys: () => readonly string[]; begun: number },
): void {
  const { db } = database;
  let owner: Person;
  let ctx: Ctx;
  beforeEach(async () => {
    await db.deleteFrom('files').execute();
    database.setNow('2026-03-02T12:00:00Z');
    owner ??= await addClient(db);
    ctx = database.as(owner);
    await ctx.files.deleteRemoved(ctx);
  });

  const onDisk = () => ({
    objects: keys().filter((key) => key.startsWith('objects/')).length,
    marks: keys().filter((key) => key.startsWith('pending/')).length,
  });

  const document = (body: Uint8Array | ReadableStream<Uint8Array>, name = 'letter.pdf') =>
    ctx.files.upload(ctx, { bucket: 'documents', ownerId: owner.id, name, body });

  describe('an upload', () => {
    test.each([
      ['whole', (bytes: Uint8Array) => bytes],
      ['as it arrives', (bytes: Uint8Array) => arriving(bytes)],
    ])('sent %s is stored and read back byte for byte', async (_, sent) => {
      const bytes = pdf(300_000);
      const file = await document(sent(bytes));
      expect(file).toMatchObject({
        bucket: 'documents',
        ownerId: owner.id,
        name: 'letter.pdf',
        contentType: 'application/pdf',
        size: 300_000,
      });
      expect(await ctx.files.info(ctx, file.id)).toEqual(file);
      expect((await bytesOf(await ctx.files.read(ctx, file.id))).equals(bytes)).toBe(true);
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
    });

    test.each([
      ['nothing', new Uint8Array(), 'file_empty'],
      ['a text', Buffer.from('only words'), 'file_type'],
      ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'file_type'],
      ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'file_type'],
      ['a type that the bucket does not take', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;'), 'file_type'],
      ['more than the bucket takes', pdf(20 * 1024 * 1024 + 1), 'file_too_large'],
    ])('of %s is refused regardless of its name, and nothing is stored', async (_, bytes, reason) => {
      for (const body of [bytes, arriving(bytes, 65_536)]) {
        const refusal = await refusalOf(document(body, 'picture.png'));
        expect(refusal).toMatchObject({ code: 'invalid', reason, fields: [{ field: 'file', reason }] });
      }
      expect(await ctx.files.list(ctx, 'documents')).toEqual([]);
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('leaves nothing when its sender disconnects', async () => {
      let pieces = 0;
      const broken = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (++pieces > 40) controller.error(new Error('gone'));
          else controller.enqueue(pdf(10_000));
        },
      });
      await expect(document(broken)).rejects.toThrow('gone');
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('is rolled back along with its transaction’s other writes', async () => {
      const file = { bucket: 'photos', ownerId: owner.id, name: 'me.png', body: png };
      const attempt = ctx.files.upload(ctx, file, () => {
        throw new AppError('conflict', 'not_now');
      });
      expect((await refusalOf(attempt)).reason).toBe('not_now');
      expect(await ctx.files.list(ctx, 'photos')).toEqual([]);
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('in a transaction that rolls back is swept a day later', async () => {
      const attempt = transact(ctx, async (tx) => {
        await tx.files.upload(tx, { bucket: 'photos', ownerId: owner.id, name: 'me.png', body: png });
        throw new AppError('conflict', 'not_now');
      });
      await refusalOf(attempt);
      expect(await ctx.files.list(ctx, 'photos')).toEqual([]);
      await ctx.files.sweep(ctx);
      expect(onDisk()).toEqual({ objects: 1, marks: 1 });
      database.setNow('2026-03-03T12:00:01Z');
      await ctx.files.sweep(ctx);
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('in a transaction that commits keeps its bytes, and loses its mark a day later', async () => {
      const file = await transact(ctx, (tx) =>
        tx.files.upload(tx, { bucket: 'photos', ownerId: null, name: 'me.png', body: png }),
      );
      database.setNow('2026-03-03T12:00:01Z');
      await ctx.files.sweep(ctx);
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
      expect((await bytesOf(await ctx.files.read(ctx, file.id))).equals(png)).toBe(true);
    });

    test('is refused for an unknown bucket or an invalid name', async () => {
      const to = (bucket: string, name: string) =>
        refusalOf(ctx.files.upload(ctx, { bucket, ownerId: null, name, body: png }));
      expect(await to('attic', 'me.png')).toMatchObject({ code: 'not_found', reason: 'bucket' });
      for (const name of [
        '',
        '  ',
        'a\0b',
        'a\nb',
        '../a',
        String.raw`a\b`,
        '..',
        'gpj\u202eexe',
        'x'.repeat(10_000),
      ])
        expect(await to('photos', name)).toMatchObject({ code: 'invalid', fields: [{ field: 'name' }] });
    });
  });

  describe('a read', () => {
    test('of a range returns that range', async () => {
      const bytes = pdf();
      const file = await document(bytes);
      const range = async (start: number, end: number) =>
        bytesOf(await ctx.files.read(ctx, file.id, { start, end }));
      expect((await range(0, 499)).equals(bytes.subarray(0, 500))).toBe(true);
      expect((await range(9_999, 9_999)).equals(bytes.subarray(9_999))).toBe(true);
    });

    test('of a missing file fails with not_found', async () => {
      for (const id of [newId(), 'x', '../../etc/passwd'])
        expect(await refusalOf(ctx.files.read(ctx, id))).toMatchObject({ code: 'not_found', reason: 'file' });
    });
  });

  describe('new bytes', () => {
    test('replace a file’s contents and delete the old bytes', async () => {
      const file = await document(pdf());
      const later = await ctx.files.update(ctx, file.id, arriving(png));
      expect(later).toMatchObject({ id: file.id, contentType: 'image/png', size: png.length });
      expect(onDisk()).toEqual({ objects: 2, marks: 0 });
      await database.runJobs();
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
      expect((await bytesOf(await ctx.files.read(ctx, file.id))).equals(png)).toBe(true);
    });

    test('of a type the bucket rejects change nothing', async () => {
      const file = await document(pdf());
      expect((await refusalOf(ctx.files.update(ctx, file.id, Buffer.from('words')))).reason).toBe(
        'file_type',
      );
      expect(await ctx.files.info(ctx, file.id)).toEqual(file);
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
    });
  });

  describe('a removal', () => {
    test('deletes the bytes after commit', async () => {
      const file = await document(pdf());
      await ctx.files.remove(ctx, [file.id, newId()]);
      expect(onDisk().objects).toBe(1);
      await database.runJobs();
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
      expect(await db.selectFrom('file_leftovers').selectAll().execute()).toEqual([]);
    });

    test('loses nothing if the transaction rolls back', async () => {
      const bytes = pdf();
      const file = await document(bytes);
      const attempt = transact(ctx, async (tx) => {
        await tx.files.remove(tx, [file.id]);
        throw new AppError('conflict', 'not_now');
      });
      await refusalOf(attempt);
      await database.runJobs();
      await ctx.files.sweep(ctx);
      expect((await bytesOf(await ctx.files.read(ctx, file.id))).equals(bytes)).toBe(true);
    });

    test('of the owner removes their files, and the sweep deletes the bytes', async () => {
      const gone = await addClient(db);
      await ctx.files.upload(ctx, { bucket: 'documents', ownerId: gone.id, name: 'a.pdf', body: pdf() });
      await db.deleteFrom('users').where('id', '=', gone.id).execute();
      expect(await ctx.files.list(ctx, 'documents')).toEqual([]);
      await ctx.files.sweep(ctx);
      expect(onDisk().objects).toBe(0);
    });

    test('runs once when requested twice concurrently', async () => {
      const file = await document(pdf());
      await Promise.all([ctx.files.remove(ctx, [file.id]), ctx.files.remove(ctx, [file.id])]);
      await database.runJobs();
      expect(onDisk().objects).toBe(0);
    });
  });

  test('refuses removal while another table references the file', async () => {
    const file = await document(pdf());
    await sql`create table keepsakes (file_id uuid references files)`.execute(db);
    await sql`insert into keepsakes values (${file.id})`.execute(db);
    try {
      expect((await refusalOf(ctx.files.remove(ctx, [file.id]))).reason).toBe('file_in_use');
      expect((await refusalOf(ctx.files.buckets.empty(ctx, 'documents'))).reason).toBe('file_in_use');
      expect(await ctx.files.info(ctx, file.id)).toEqual(file);
    } finally {
      await sql`drop table keepsakes`.execute(db);
    }
  });

  describe('a crash', () => {
    test('during an upload leaves bytes that the sweep deletes a day later, sparing active uploads', async () => {
      const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const endless = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(pdf(200_000)),
        pull: () => {
          written.resolve();
          return end.promise;
        },
      });
      // The uploader disconnects.
      const upload = document(endless).catch(() => undefined);
      // The process continues here, so a leaked open file would fail at garbage collection.
      onTestFinished(async () => {
        end.reject(new Error('gone'));
        await upload;
      });
      await written.promise;
      await expect.poll(onDisk).toEqual({ objects: begun, marks: 1 });
      await ctx.files.sweep(ctx);
      expect(onDisk().marks).toBe(1);
      database.setNow('2026-03-03T12:00:01Z');
      await ctx.files.sweep(ctx);
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('between removing a file and its bytes leaves bytes that the next sweep deletes', async () => {
      const file = await document(pdf());
      await db.deleteFrom('files').where('id', '=', file.id).execute();
      expect(onDisk().objects).toBe(1);
      await ctx.files.sweep(ctx);
      expect(onDisk().objects).toBe(0);
    });
  });

  describe('a file', () => {
    test('can be renamed, and moved to a bucket that accepts it', async () => {
      const file = await document(png, 'me.png');
      expect(await ctx.files.move(ctx, file.id, { name: 'I.png' })).toMatchObject({ name: 'I.png' });
      const moved = await ctx.files.move(ctx, file.id, { bucket: 'photos' });
      expect(moved).toMatchObject({ id: file.id, bucket: 'photos', name: 'I.png' });
      const letter = await document(pdf());
      const to = (bucket: string) => refusalOf(ctx.files.move(ctx, letter.id, { bucket }));
      expect((await to('photos')).reason).toBe('file_type');
      expect(await to('attic')).toMatchObject({ code: 'not_found', reason: 'bucket' });
      expect(await ctx.files.info(ctx, letter.id)).toEqual(letter);
    });

    test('is copied with separate bytes', async () => {
      const file = await document(png, 'me.png');
      const copy = await ctx.files.copy(ctx, file.id, { bucket: 'photos', name: 'again.png' });
      expect(copy).toMatchObject({
        bucket: 'photos',
        name: 'again.png',
        ownerId: owner.id,
        size: png.length,
      });
      await ctx.files.remove(ctx, [file.id]);
      await database.runJobs();
      expect((await bytesOf(await ctx.files.read(ctx, copy.id))).equals(png)).toBe(true);
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
    });

    test('is read whole during a replacement', async () => {
      const file = await document(pdf());
      const reads = Array.from({ length: 20 }, async () => bytesOf(await ctx.files.read(ctx, file.id)));
      await ctx.files.update(ctx, file.id, png);
      await ctx.files.deleteRemoved(ctx);
      const sizes = (await Promise.all(reads)).map(({ length }) => length);
      expect(sizes.filter((size) => size !== 10_000 && size !== png.length)).toEqual([]);
    });
  });

  describe('a list', () => {
    test('sorts by name, paginates, and searches parts of names', async () => {
      for (const name of ['c.png', 'a.png', 'b 100%.png', 'b_1.png']) await document(png, name);
      await ctx.files.upload(ctx, { bucket: 'documents', ownerId: null, name: '0.png', body: png });
      const names = async (options: Parameters<typeof ctx.files.list>[2]) =>
        (await ctx.files.list(ctx, 'documents', options)).map(({ name }) => name);
      const all = await names({});
      expect(all).toHaveLength(5);
      const mine = await names({ ownerId: owner.id });
      expect(mine).toHaveLength(4);
      expect(mine[0]).toBe('a.png');
      expect(await names({ limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
      expect(await names({ search: '100%' })).toEqual(['b 100%.png']);
      expect(await names({ search: 'B_' })).toEqual(['b_1.png']);
      expect(await names({ search: 'a\0' })).toEqual([]);
      expect(await names({ ownerId: newId() })).toEqual([]);
    });
  });

  describe('a bucket', () => {
    const letters = {
      id: 'letters',
      readableBy: 'owner' as const,
      maxBytes: 20_000,
      contentTypes: ['application/pdf'],
    };
    const { buckets } = database.as({ kind: 'system' }).files;
    const write = (body: Uint8Array | ReadableStream<Uint8Array>) =>
      ctx.files.upload(ctx, { bucket: 'letters', ownerId: owner.id, name: 'a.pdf', body });
    beforeEach(async () => {
      await db.deleteFrom('buckets').where('id', '=', 'letters').execute();
      await buckets.create(ctx, letters);
    });

    test('is created once, updated, emptied, and removed only when empty', async () => {
      expect(await buckets.get(ctx, 'letters')).toEqual({ ...letters, sealed: false });
      expect((await refusalOf(buckets.create(ctx, letters))).reason).toBe('bucket_exists');
      await write(pdf());
      await buckets.update(ctx, 'letters', { maxBytes: 5_000, readableBy: 'everyone' });
      expect((await refusalOf(write(pdf()))).reason).toBe('file_too_large');
      expect((await refusalOf(buckets.remove(ctx, 'letters'))).reason).toBe('bucket_not_empty');
      await buckets.empty(ctx, 'letters');
      await database.runJobs();
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
      await buckets.remove(ctx, 'letters');
      for (const gone of [
        () => buckets.get(ctx, 'letters'),
        () => buckets.empty(ctx, 'letters'),
        () => buckets.remove(ctx, 'letters'),
        () => buckets.update(ctx, 'letters', { maxBytes: 1 }),
      ])
        expect(await refusalOf(gone())).toMatchObject({ code: 'not_found', reason: 'bucket' });
    });

    test('needed by the product can’t be removed or made more readable', async () => {
      const before = await buckets.list(ctx);
      expect((await refusalOf(buckets.remove(ctx, 'exports'))).reason).toBe('bucket_needed');
      const opened = buckets.update(ctx, 'documents', { readableBy: 'everyone' });
      expect((await refusalOf(opened)).reason).toBe('bucket_needed');
      await buckets.update(ctx, 'documents', { readableBy: 'owner' });
      expect(await buckets.list(ctx)).toEqual(before);
    });

    test('rejects impossible limits', async () => {
      for (const change of [{ maxBytes: 0 }, { maxBytes: 6 * 1024 ** 3 }, { contentTypes: [] }])
        expect((await refusalOf(buckets.update(ctx, 'letters', change))).code).toBe('invalid');
    });

    test('is either kept with the file or removed when both happen concurrently', async () => {
      for (let round = 0; round < 10; round++) {
        await buckets.create(ctx, letters).catch(() => undefined);
        await buckets.empty(ctx, 'letters');
        const [uploaded, removed] = await Promise.allSettled([
          write(arriving(pdf(), 5_000)),
          new Promise((resolve) => setTimeout(resolve, round)).then(() => buckets.remove(ctx, 'letters')),
        ]);
        expect([uploaded.status, removed.status].toSorted()).toEqual(['fulfilled', 'rejected']);
        const reason = [uploaded, removed].find((one) => one.status === 'rejected')!.reason as AppError;
        expect(['bucket', 'bucket_not_empty']).toContain(reason.reason);
        expect(onDisk().marks).toBe(0);
      }
    });
  });
}
