import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MARK = '.italk';

/**
 * Creates DATA_DIR if missing and returns its real path. Marks new or empty folders as ours; folders with other files
 * are never deleted entirely.
 */
export function makeDataDir(dataDir: string): string {
  const wanted = resolve(dataDir);
  // As root, lets the unprivileged PostgreSQL account traverse the folder, but not list it.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const made = mkdirSync(wanted, { recursive: true, mode }) !== undefined;
  const path = realpathSync(wanted);
  if (made) chmodSync(path, mode);
  if (made || readdirSync(path).length === 0) markFolder(path, path);
  return path;
}

export function markFolder(folder: string, dataDir: string): void {
  writeFileSync(join(folder, MARK), `${dataDir}\n`);
}

export function isMarked(folder: string): boolean {
  return existsSync(join(folder, MARK));
}
