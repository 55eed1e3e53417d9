import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { arriving, bytesOf, pdf, png } from './bytes.ts';
import type { TestDatabase } from './database.ts';
import { addClient, type Person } from './people.ts';
import { refusalOf } from './refusal.ts';

/** Holds the storage to what it promises, whatever it stands on; `keys` tells what lies on the disk. */
export function storageSuite(database: TestDatabase, keys: () => readonly string[]): void {
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

  /** What lies on the disk: bytes, and marks beside bytes without a row. */
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
    ])('stores what comes %s, and reads it back byte for byte', async (_, sent) => {
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
    ])('of %s, whatever it is called, is refused, and nothing is stored', async (_, bytes, reason) => {
      for (const body of [bytes, arriving(bytes, 65_536)]) {
        const refusal = await refusalOf(document(body, 'picture.png'));
        expect(refusal).toMatchObject({ code: 'invalid', reason, fields: [{ field: 'file', reason }] });
      }
      expect(await ctx.files.list(ctx, 'documents')).toEqual([]);
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('whose sender goes away leaves nothing', async () => {
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

    test('is taken back by what is written along with it', async () => {
      const file = { bucket: 'photos', ownerId: owner.id, name: 'me.png', body: png };
      const attempt = ctx.files.upload(ctx, file, () => {
        throw new AppError('conflict', 'not_now');
      });
      expect((await refusalOf(attempt)).reason).toBe('not_now');
      expect(await ctx.files.list(ctx, 'photos')).toEqual([]);
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
    });

    test('in a transaction that is rolled back is swept away a day later', async () => {
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

    test('is refused where there is no such bucket, and with a name that is none', async () => {
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
    test('of a range gives that range', async () => {
      const bytes = pdf();
      const file = await document(bytes);
      const range = async (start: number, end: number) =>
        bytesOf(await ctx.files.read(ctx, file.id, { start, end }));
      expect((await range(0, 499)).equals(bytes.subarray(0, 500))).toBe(true);
      expect((await range(9_999, 9_999)).equals(bytes.subarray(9_999))).toBe(true);
    });

    test('of what is not there is not found', async () => {
      for (const id of [newId(), 'x', '../../etc/passwd'])
        expect(await refusalOf(ctx.files.read(ctx, id))).toMatchObject({ code: 'not_found', reason: 'file' });
    });
  });

  describe('other bytes', () => {
    test('take a file’s place, and the old ones go', async () => {
      const file = await document(pdf());
      const later = await ctx.files.update(ctx, file.id, arriving(png));
      expect(later).toMatchObject({ id: file.id, contentType: 'image/png', size: png.length });
      expect(onDisk()).toEqual({ objects: 2, marks: 0 });
      await database.runJobs();
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
      expect((await bytesOf(await ctx.files.read(ctx, file.id))).equals(png)).toBe(true);
    });

    test('that the bucket does not take change nothing', async () => {
      const file = await document(pdf());
      expect((await refusalOf(ctx.files.update(ctx, file.id, Buffer.from('words')))).reason).toBe(
        'file_type',
      );
      expect(await ctx.files.info(ctx, file.id)).toEqual(file);
      expect(onDisk()).toEqual({ objects: 1, marks: 0 });
    });
  });

  describe('a removal', () => {
    test('deletes the bytes once it has committed', async () => {
      const file = await document(pdf());
      await ctx.files.remove(ctx, [file.id, newId()]);
      expect(onDisk().objects).toBe(1);
      await database.runJobs();
      expect(onDisk()).toEqual({ objects: 0, marks: 0 });
      expect(await db.selectFrom('file_leftovers').selectAll().execute()).toEqual([]);
    });

    test('that is rolled back loses nothing', async () => {
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

    test('of the owner takes the files along, and the sweep their bytes', async () => {
      const gone = await addClient(db);
      await ctx.files.upload(ctx, { bucket: 'documents', ownerId: gone.id, name: 'a.pdf', body: pdf() });
      await db.deleteFrom('users').where('id', '=', gone.id).execute();
      expect(await ctx.files.list(ctx, 'documents')).toEqual([]);
      await ctx.files.sweep(ctx);
      expect(onDisk().objects).toBe(0);
    });

    test('twice at once is one', async () => {
      const file = await document(pdf());
      await Promise.all([ctx.files.remove(ctx, [file.id]), ctx.files.remove(ctx, [file.id])]);
      await database.runJobs();
      expect(onDisk().objects).toBe(0);
    });
  });
}
