import { opendir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlState } from '../db/outage.ts';
import { UnreadableBytes } from '../files/files.ts';
import type { Objects } from '../files/objects.ts';
import { seal, sealingKey, unseal, type BackupKeys } from './box.ts';

/**
 * Stores file contents beside the backups, once per object: object contents never change. The modification time records
 * the last backup that used it.
 */
export interface StoredFiles {
  /** Returns false if the source is missing. */
  store(objects: Objects, object: string, at: Date, signal?: AbortSignal): Promise<boolean>;
  has(object: string): Promise<boolean>;
  /** Throws UnusableBox. */
  open(object: string): AsyncGenerator<Uint8Array>;
  /** Deletes objects unused by any backup since `before`. */
  sweep(before: Date): Promise<void>;
}

export function openStoredFiles(folder: string, keys: BackupKeys): StoredFiles {
  const root = join(folder, 'files');
  // Shards by the random end of the ID.
  const pathOf = (object: string) => join(root, object.slice(-2), object);
  const purposeOf = (object: string) => `file ${object}`;
  const [first] = [...keys.keys()];
  return {
    async store(objects, object, at, signal) {
      const path = pathOf(object);
      // Re-encrypts files under an older key, so that key can eventually be retired.
      if ((await sealingKey(path)) !== first) {
        const bytes = await objects.read(object).catch((cause: unknown) => {
          throw new UnreadableBytes(`the bytes ${object} can’t be read`, { cause });
        });
        if (!bytes) return false;
        await seal(path, { keys, purpose: purposeOf(object), signal }, bytes);
      }
      await utimes(path, at, at);
      return true;
    },
    has: async (object) => (await sealingKey(pathOf(object))) !== null,
    open: (object) => unseal(pathOf(object), { keys, purpose: purposeOf(object) }),
    async sweep(before) {
      for await (const path of filesUnder(root)) {
        if ((await stat(path)).mtime < before) await rm(path, { force: true });
      }
    },
  };
}

async function* filesUnder(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder, { recursive: true }).catch((error: unknown) => {
    if (sqlState(error) === 'ENOENT') return null;
    throw error;
  });
  if (!entries) return;
  for await (const entry of entries) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}
