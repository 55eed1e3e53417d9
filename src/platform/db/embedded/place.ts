import { createHash } from 'node:crypto';
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
import { type Account, canEnter } from './process.ts';
import { fileTrouble, noPasswdEntry } from './trouble.ts';

/** Where a database lives. */
export interface Place {
  /** DATA_DIR, absolute, without symbolic links. */
  dataDir: string;
  /** Holds everything of the database: DATA_DIR itself, or a folder outside where the account can't enter that. */
  folder: string;
  logFile: string;
  /** The account to run PostgreSQL under; undefined for the present one. */
  account: Account | undefined;
}

/** Stands in DATA_DIR and names the folder outside. */
const POINTER = 'database-folder';
/** What the launcher itself puts into a folder. */
const OWN_ENTRIES = /^(pg\d+(\.new)?|pg\.log|postgresql-.*|socket|program\.lock.*|database-folder|\.italk)$/;
/** Folders outside DATA_DIR that an unprivileged account can reach on the usual systems. */
const OUTSIDE = ['/var/lib', '/var/tmp'];
/** A socket's path has to stay under 104 bytes (macOS) or 108 (Linux), its final zero included. */
const LONGEST_SOCKET = 100;

/** Finds where the database of `dataDir` lives, or makes a place for a new one. */
export function findPlace(dataDir: string): Place {
  const asRoot = process.getuid?.() === 0;
  const real = attempt(dataDir, () => makeDataDir(dataDir));
  const folder = remembered(real) ?? (asRoot ? placeForAccount(real) : real);
  return {
    dataDir: real,
    folder,
    logFile: join(folder, 'pg.log'),
    account: asRoot ? accountOf(folder) : ownAccount(),
  };
}

/** The folder outside that a DATA_DIR names as the place of its database, if it names one. */
export function pointedFolder(dataDir: string): string | undefined {
  const pointer = join(dataDir, POINTER);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : undefined;
}

/** Deletes a folder if it is marked as ours, else only what the launcher puts into one; answers what stays. */
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

/** Makes the folder of the Unix socket, which only its owner can enter: beside the data, or where the path is short. */
export function makeSocketFolder(place: Place): string {
  const { account } = place;
  const id = createHash('sha256').update(place.folder).digest('hex').slice(0, 12);
  const candidates = [
    join(place.folder, 'socket'),
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
    // In a folder that everybody may write to, somebody else may have been there first.
    if (!found.isDirectory() || found.uid !== (account?.uid ?? process.getuid?.())) continue;
    chmodSync(candidate, 0o700);
    if (!account || canEnter(account, candidate)) return candidate;
  }
  throw new StartError(
    "No folder for the database's Unix socket was found: point TMPDIR at a writable folder with a short path, or name a PostgreSQL server in DATABASE_URL.",
  );
}

/** Removes the folder of a socket once its server has stopped; one that still holds something stays. */
export function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Nothing depends on it: the next start takes it as it is.
  }
}

function remembered(dataDir: string): string | undefined {
  const folder = pointedFolder(dataDir);
  if (folder !== undefined && !isMarked(folder)) {
    throw new StartError(
      `The database of ${dataDir} lay in ${folder}, which is gone: bring that folder back, or begin anew with \`npm run reset\`.`,
    );
  }
  return folder;
}

function placeForAccount(dataDir: string): string {
  if (readdirSync(dataDir).some((entry) => /^pg\d+$/.test(entry))) return dataDir;
  const account = nobody();
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
    `PostgreSQL does not run as root, and the account nobody can enter neither ${dataDir} nor ${OUTSIDE.join(' nor ')}: name a folder that it can enter in DATA_DIR, or a PostgreSQL server in DATABASE_URL.`,
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
      // Another program that starts at the same moment was faster; the lock decides between the two.
      const other = (error as NodeJS.ErrnoException).code === 'EEXIST' ? remembered(dataDir) : undefined;
      if (other === undefined) throw error;
      return other;
    }
  });
}

/** Root runs a database under the account that it belongs to, a new one under `nobody`. */
function accountOf(folder: string): Account {
  for (const entry of readdirSync(folder)) {
    if (!/^pg\d+$/.test(entry)) continue;
    const { uid, gid } = statSync(join(folder, entry));
    if (uid !== 0) return { uid, gid };
  }
  return nobody();
}

function nobody(): Account {
  const line = attempt('/etc/passwd', () => readFileSync('/etc/passwd', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) {
    throw new StartError(
      'PostgreSQL does not run as root, and /etc/passwd has no account "nobody" to run it under: start as an ordinary user, or name a PostgreSQL server in DATABASE_URL.',
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
    throw fileTrouble(error, path);
  }
}
