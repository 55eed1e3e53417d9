import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

/** Stored files by key, such as `photos/0190….webp`. Keys that leave the storage are refused by the library. */
export interface Files {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Throws when there is none under that key. */
  get(key: string): Promise<Uint8Array>;
  has(key: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Whether something can be written and read back now. */
  ready(): Promise<boolean>;
}

/** Opens the storage in a local folder; nothing in it is ever served by its name alone. */
export function openFiles(folder: string): Files {
  let probes = 0;
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  return {
    put: (key, bytes) => disk.put(key, bytes),
    get: (key) => disk.getBytes(key),
    has: (key) => disk.exists(key),
    remove: (key) => disk.delete(key),
    ready: async () => {
      // One of its own for each who asks: several at once would delete each other's.
      const probe = `probe/${process.pid}-${++probes}`;
      try {
        await disk.put(probe, 'ready');
        const read = await disk.get(probe);
        await disk.delete(probe);
        return read === 'ready';
      } catch {
        return false;
      }
    },
  };
}
