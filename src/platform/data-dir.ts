import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The mark of a folder that is ours alone, so that a reset may delete it whole. */
const MARK = '.italk';

/**
 * Makes sure that DATA_DIR exists and answers its path without symbolic links. A new or empty folder is marked as
 * ours; one that already held somebody else's files is never deleted whole.
 */
export function makeDataDir(dataDir: string): string {
  const wanted = resolve(dataDir);
  // Root leaves the door passable, not readable, for the account that runs PostgreSQL inside.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const made = mkdirSync(wanted, { recursive: true, mode }) !== undefined;
  const path = realpathSync(wanted);
  if (made) chmodSync(path, mode);
  if (made || readdirSync(path).length === 0) markFolder(path, path);
  return path;
}

/** Marks a folder as made by this program for a DATA_DIR. */
export function markFolder(folder: string, dataDir: string): void {
  writeFileSync(join(folder, MARK), `${dataDir}\n`);
}

/** Whether a folder carries the mark that it was made by this program and holds nothing of others. */
export function isMarked(folder: string): boolean {
  return existsSync(join(folder, MARK));
}
