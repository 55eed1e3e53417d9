import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isMarked, makeDataDir, markFolder } from '#/platform/data-dir.ts';
import { StartError } from '#/platform/start-error.ts';
import { digestHex } from '#/platform/tokens.ts';
import { type Account, canEnter } from './process.ts';
import { fileError, noPasswdEntry } from './file-errors.ts';

export interface DatabaseFolders {
  /** Absolute path of DATA_DIR, with symlinks resolved. */
  dataDir: string;
  /** Database folder: DATA_DIR itself, or an outside folder if PostgreSQL's account can't enter it. */
  folder: string;
  logFile: string;
  account: Account | undefined;
}

const POINTER = 'database-folder';
const OWN_ENTRIES = /^(pg\d+(\.new)?|pg\.log|postgresql-.*|socket|program\.lock.*|database-folder|\.italk)$/;
/** Typically accessible to unprivileged accounts. */
const OUTSIDE = ['/var/lib', '/var/tmp'];
/** Socket paths are limited to 104 bytes (macOS) or 108 (Linux), including the terminating zero. */
const LONGEST_SOCKET = 100;

export function findFolders(dataDir: string): DatabaseFolders {
  const asRoot = process.getuid?.() === 0;
  const real = attempt(dataDir, () => makeDataDir(dataDir));
  const folder = savedFolder(real) ?? (asRoot ? folderForAccount(real) : real);
  return {
    dataDir: real,
    folder,
    logFile: join(folder, 'pg.log'),
    account: asRoot ? accountOf(folder) : ownAccount(),
  };
}

export function pointedFolder(dataDir: string): string | undefined {
  const pointer = join(dataDir, POINTER);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
}

/** Deletes a marked folder entirely; otherwise only the launcher's entries. Returns the remaining entries. */
export function deleteFolder(folder: string): string[] {
  if (isMarked(folder)) {
    rmSync(folder, { recursive: true, force: true });
    return [];
  }
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  for (const entry of entries) {
    if (OWN_ENTRIES.test(entry)) rmSync(join(folder, entry), { recursive: true, force: true });
  }
  return entries.filter((entry) => !OWN_ENTRIES.test(entry));
}

/** Creates an owner-only socket folder beside the data, or elsewhere if that path is too long. */
export function makeSocketFolder(folders: DatabaseFolders): string {
  const { account } = folders;
  const id = digestHex(folders.folder).slice(0, 12);
  const candidates = [
    join(folders.folder, 'socket'),
    ...[tmpdir(), '/tmp', '/var/tmp'].map((folder) => join(folder, `italk-${id}`)),
  ];
  for (const candidate of candidates) {
    if (Buffer.byteLength(join(candidate, '.s.PGSQL.5432.lock')) > LONGEST_SOCKET) continue;
    try {
      mkdirSync(candidate, { mode: 0o700 });
      if (account) chownSync(candidate, account.uid, account.gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') continue;
    }
    const found = lstatSync(candidate);
    // In a world-writable folder, another account may have created it first.
    if (!found.isDirectory() || found.uid !== (account?.uid ?? process.getuid?.())) continue;
    chmodSync(candidate, 0o700);
    if (!account || canEnter(account, candidate)) return candidate;
  }
  throw new StartError(
    'There is no folder for the database’s Unix socket. Set TMPDIR to a writable folder with a short path, or DATABASE_URL to a PostgreSQL server.',
  );
}

export function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Harmless: the next start reuses it.
  }
}

function savedFolder(dataDir: string): string | undefined {
  const folder = pointedFolder(dataDir);
  if (folder !== undefined && !isMarked(folder)) {
    throw new StartError(
      `The database of ${dataDir} was in ${folder}, which no longer exists. Restore that folder, or start over with \`npm run reset\`.`,
    );
  }
  return folder;
}

function folderForAccount(dataDir: string): string {
  if (readdirSync(dataDir).some((entry) => /^pg\d+$/.test(entry))) return dataDir;
  const account = unprivilegedAccount();
  if (canEnter(account, dataDir)) return dataDir;
  for (const parent of OUTSIDE) {
    let folder: string;
    try {
      folder = mkdtempSync(join(parent, 'italk-'));
      chmodSync(folder, 0o711);
    } catch {
      continue;
    }
    if (canEnter(account, folder)) return remember(dataDir, folder);
    rmSync(folder, { recursive: true });
  }
  throw new StartError(
    `PostgreSQL doesn’t run as root, and the account nobody can’t open ${dataDir} or ${OUTSIDE.join(' or ')}. Set DATA_DIR to a folder it can open, or DATABASE_URL to a PostgreSQL server.`,
  );
}

function remember(dataDir: string, folder: string): string {
  return attempt(dataDir, () => {
    markFolder(folder, dataDir);
    try {
      writeFileSync(join(dataDir, POINTER), `${folder}\n`, { flag: 'wx' });
      return folder;
    } catch (error) {
      rmSync(folder, { recursive: true });
      // Another process won the race; the lock decides between the two.
      const other = (error as NodeJS.ErrnoException).code === 'EEXIST' ? savedFolder(dataDir) : undefined;
      if (other === undefined) throw error;
      return other;
    }
  });
}

/** As root, runs existing databases under their owner and new ones under `nobody`. */
function accountOf(folder: string): Account {
  for (const entry of readdirSync(folder)) {
    if (!/^pg\d+$/.test(entry)) continue;
    const { uid, gid } = statSync(join(folder, entry));
    if (uid !== 0) return { uid, gid };
  }
  return unprivilegedAccount();
}

function unprivilegedAccount(): Account {
  const accounts = attempt('/etc/passwd', () =>
    existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '',
  );
  const line = accounts.split('\n').find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) {
    throw new StartError(
      'PostgreSQL doesn’t run as root, and /etc/passwd has no account "nobody" to run it as. Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

function ownAccount(): undefined {
  try {
    userInfo();
  } catch {
    throw noPasswdEntry();
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(error, path);
  }
}
