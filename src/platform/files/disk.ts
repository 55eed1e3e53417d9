import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Disk as Drive } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

/** A run of a file's bytes; both ends are included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What holds bytes by their keys: a local folder or S3. Nothing on it is ever served by its key alone. */
export interface Disk {
  /** Writes bytes as they come; where it fails, part of them may be there. */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens bytes for reading, no more than the range; null where there are none under this key. */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  copy(from: string, to: string): Promise<void>;
  /** Deletes bytes; it is no fault when there are none. */
  delete(key: string): Promise<void>;
  /** The keys of a folder. */
  list(folder: string): AsyncIterable<string>;
}

/** Opens the storage in a local folder. */
export function openDisk(folder: string): Disk {
  const drive = new Drive(new FSDriver({ location: folder, visibility: 'private' }));
  return {
    put: async (key, body) => {
      await plainly(drive.putStream(key, Readable.from(body, { objectMode: false })));
      await settle(join(folder, key));
    },
    read: (key, range) => openRead(join(folder, key), range),
    copy: async (from, to) => {
      await drive.copy(from, to);
      await settle(join(folder, to));
    },
    delete: (key) => drive.delete(key),
    list: (prefix) => keysIn(drive, prefix),
  };
}

/** The keys of a drive's folder, page by page. */
export async function* keysIn(drive: Drive, folder: string): AsyncGenerator<string> {
  let paginationToken: string | undefined;
  do {
    const page = await drive.listAll(folder, paginationToken ? { paginationToken } : {});
    for (const entry of page.objects) if (entry.isFile) yield entry.key;
    ({ paginationToken } = page);
  } while (paginationToken);
}

/** Waits for a drive, and throws what went wrong itself: such as what the bytes' own source has thrown. */
export async function plainly<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }
}

/** Sees that bytes have reached the disk before a row says that they are there. */
async function settle(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function openRead(path: string, range: ByteRange | undefined): Promise<Readable | null> {
  return new Promise((resolve, reject) => {
    const stream = createReadStream(path, range ?? {});
    stream.once('open', () => resolve(stream));
    stream.once('error', (error) => {
      if ('code' in error && error.code === 'ENOENT') resolve(null);
      else reject(error);
    });
  });
}
