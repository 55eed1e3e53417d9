import type { Readable } from 'node:stream';
import type { Ctx } from '../context.ts';
import type { ByteRange, Disk } from './disk.ts';
import { isBackupRunning } from './backup-lock.ts';

export interface WrittenObject {
  object: string;
  mark: string;
}

/**
 * Stores file contents under single-use IDs. Writes a mark before the content, so orphans left by crashes and rollbacks
 * are found without scanning the whole store.
 */
export interface Objects {
  write(ctx: Ctx, chunks: AsyncIterable<Uint8Array>): Promise<WrittenObject>;
  copy(ctx: Ctx, object: string): Promise<WrittenObject>;
  /** Restores an object under its original ID. */
  restore(object: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Returns null if missing. */
  read(object: string, range?: ByteRange): Promise<Readable | null>;
  delete(object: string): Promise<void>;
  /** Removes the mark after the row commits. */
  keep(written: WrittenObject): Promise<void>;
  /** Deletes a new object whose row wasn't stored. */
  discard(written: WrittenObject): Promise<void>;
  sweep(ctx: Ctx): Promise<void>;
}

/** Hours before a mark is stale; longer than any pending write. */
const markHours = 24;
const marks = 'pending';

export function openObjects(disk: Disk): Objects {
  const deleteObject = (object: string) => disk.delete(keyOf(object));

  async function discard({ object, mark }: WrittenObject): Promise<void> {
    await deleteObject(object);
    await disk.delete(mark);
  }

  async function writeMarked(ctx: Ctx, write: (key: string) => Promise<void>): Promise<WrittenObject> {
    const object = ctx.newId();
    const written = { object, mark: `${marks}/${ctx.now().epochMilliseconds}.${object}` };
    await disk.put(written.mark, emptyStream());
    try {
      await write(keyOf(object));
      return written;
    } catch (error) {
      // The sweep finds leftovers by their mark.
      await discard(written).catch(() => undefined);
      throw error;
    }
  }

  return {
    write: (ctx, chunks) => writeMarked(ctx, (key) => disk.put(key, chunks)),
    copy: (ctx, object) => writeMarked(ctx, (key) => disk.copy(keyOf(object), key)),
    restore: (object, chunks) => disk.put(keyOf(object), chunks),
    read: (object, range) => disk.read(keyOf(object), range),
    delete: deleteObject,
    keep: ({ mark }) => disk.delete(mark),
    discard,
    sweep: async (ctx) => {
      const before = ctx.now().subtract({ hours: markHours }).epochMilliseconds;
      for await (const mark of disk.list(marks)) {
        const [at = '', object = ''] = mark.slice(marks.length + 1).split('.');
        if (!(Number(at) < before)) continue;
        if (await hasRow(ctx, object)) await disk.delete(mark);
        else if (!(await isBackupRunning(ctx))) await discard({ object, mark });
      }
    },
  };
}

/** Shards by the random end of the ID. */
function keyOf(object: string): string {
  return `objects/${object.slice(-2)}/${object}`;
}

async function hasRow({ db }: Ctx, object: string): Promise<boolean> {
  const row = await db.selectFrom('files').select('id').where('object', '=', object).executeTakeFirst();
  return row !== undefined;
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array());
}
