import type { Readable } from 'node:stream';
import type { Ctx } from '../context.ts';
import type { ByteRange, Disk } from './disk.ts';
import { bytesAreHeld } from './hold.ts';

/** New bytes, and the mark that stands beside them until a committed row stands for them. */
export interface Written {
  object: string;
  mark: string;
}

/**
 * The bytes of files, each under an id that is used once. Before bytes are written, a mark is: whatever a crash or a
 * rollback leaves without a row is found by it, without looking through all there is.
 */
export interface Objects {
  write(ctx: Ctx, chunks: AsyncIterable<Uint8Array>): Promise<Written>;
  /** Writes the same bytes once more. */
  copy(ctx: Ctx, object: string): Promise<Written>;
  /** Puts bytes back under the id that they had. */
  restore(object: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null where there are none. */
  read(object: string, range?: ByteRange): Promise<Readable | null>;
  delete(object: string): Promise<void>;
  /** Takes the mark off bytes that a committed row stands for. */
  keep(written: Written): Promise<void>;
  /** Deletes new bytes that no row will stand for. */
  discard(written: Written): Promise<void>;
  /** Deletes the bytes whose mark is older than a day and that no row stands for. */
  sweep(ctx: Ctx): Promise<void>;
}

/** How old a mark is before nothing that is under way can still need its bytes, in hours. */
const markHours = 24;
const marks = 'pending';

/** Keeps the bytes of files on a disk. */
export function openObjects(disk: Disk): Objects {
  const deleteObject = (object: string) => disk.delete(keyOf(object));

  async function discard({ object, mark }: Written): Promise<void> {
    await deleteObject(object);
    await disk.delete(mark);
  }

  async function writeMarked(ctx: Ctx, write: (key: string) => Promise<void>): Promise<Written> {
    const object = ctx.newId();
    const written = { object, mark: `${marks}/${ctx.now().epochMilliseconds}.${object}` };
    await disk.put(written.mark, nothing());
    try {
      await write(keyOf(object));
      return written;
    } catch (error) {
      // What can't be deleted now is found by its mark.
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
        else if (!(await bytesAreHeld(ctx))) await discard({ object, mark });
      }
    },
  };
}

/** Sorted into folders by their last digits, which are random. */
function keyOf(object: string): string {
  return `objects/${object.slice(-2)}/${object}`;
}

async function hasRow({ db }: Ctx, object: string): Promise<boolean> {
  const row = await db.selectFrom('files').select('id').where('object', '=', object).executeTakeFirst();
  return row !== undefined;
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array());
}
