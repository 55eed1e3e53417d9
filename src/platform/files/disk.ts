import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Disk as Drive } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

/** Byte range, inclusive at both ends, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Object storage: a local folder or S3. Keys alone never grant access. */
export interface Disk {
  /** Streams bytes to storage; a failed write may leave partial data. */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** Returns null if missing. */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  copy(from: string, to: string): Promise<void>;
  /** Deletes an object; missing ones are ignored. */
  delete(key: string): Promise<void>;
  list(folder: string): AsyncIterable<string>;
}

export function openDisk(folder: string): Disk {
  const drive = new Drive(new FSDriver({ location: folder, visibility: 'private' }));
  return {
    put: async (key, body) => {
      await unwrapDriveErrors(drive.putStream(key, Readable.from(body, { objectMode: false })));
      await flush(join(folder, key));
    },
    read: (key, range) => openRead(join(folder, key), range),
    copy: async (from, to) => {
      await drive.copy(from, to);
      await flush(join(folder, to));
    },
    delete: (key) => drive.delete(key),
    list: (prefix) => keysIn(drive, prefix),
  };
}

export async function* keysIn(drive: Drive, folder: string): AsyncGenerator<string> {
  let paginationToken: string | undefined;
  do {
    const page = await drive.listAll(folder, paginationToken ? { paginationToken } : {});
    for (const entry of page.objects) if (entry.isFile) yield entry.key;
    ({ paginationToken } = page);
  } while (paginationToken);
}

/** Unwraps drive errors, so errors from the source stream surface unchanged. */
export async function unwrapDriveErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }
}

/** Flushes a file or folder to disk. */
export async function flush(path: string): Promise<void> {
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
