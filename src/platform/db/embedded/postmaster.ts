import { type ChildProcess, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { DatabaseFolders } from './folders.ts';
import { isPostgres, servesFolder, startOf, until } from './process.ts';
import { fileError, serverError } from './file-errors.ts';

export const SUPERUSER = 'italk';
/** Only part of the socket's file name: nothing listens on the network. */
export const PORT = 5432;

export interface Postmaster {
  pid: number;
  socketDir: string;
}

/** Isolates the server from inherited variables such as PGPORT, PGDATA and LC_ALL. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  fsync: 'on',
  // Keeps statements and their values, which contain personal data, out of the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};
/** In bytes; the next start truncates larger logs. */
const LONGEST_LOG = 10_000_000;

/** Creates an empty database cluster in `dataFolder`, atomically: an interrupted run leaves nothing behind. */
export async function makeCluster(
  binaries: Binaries,
  folders: DatabaseFolders,
  dataFolder: string,
): Promise<void> {
  const draft = `${dataFolder}.new`;
  try {
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { mode: 0o700 });
    if (folders.account) chownSync(draft, folders.account.uid, folders.account.gid);
  } catch (error) {
    throw fileError(error, folders.folder);
  }
  const child = spawn(
    binaries.initdb,
    [
      ['-D', draft, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--no-instructions'],
      ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ].flat(),
    { cwd: '/', env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'], ...folders.account },
  );
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  child.stderr?.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve((said += error.message)));
    child.on('close', resolve);
  });
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw serverError(said, folders);
  }
  renameSync(draft, dataFolder);
}

/**
 * Finds a running server of this data folder and waits up to `patience` milliseconds for readiness. Removes stale pid
 * files.
 */
export async function findRunning(dataFolder: string, patience = 300_000): Promise<Postmaster | undefined> {
  const found = readPidFile(dataFolder);
  if (!found) return undefined;
  if (!servesFolder(found.pid, dataFolder)) {
    // If another process reused the pid, PostgreSQL would refuse to start.
    if (startOf(found.pid) !== undefined && !isPostgres(found.pid)) {
      rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
    }
    return undefined;
  }
  // Waits for startup, recovery or shutdown to finish.
  return until(() => {
    if (!servesFolder(found.pid, dataFolder)) return 'gone' as const;
    const now = readPidFile(dataFolder);
    return now?.status === 'ready' && now;
  }, patience).then((answer) => (answer === 'gone' ? undefined : answer));
}

/** Starts the server in its own process session, so Ctrl-C doesn't reach it and shutdown stays ours. */
export async function startPostmaster(
  binaries: Binaries,
  folders: DatabaseFolders,
  dataFolder: string,
  socketDir: string,
  log: (line: string) => void,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await startOnce(binaries, folders, dataFolder, socketDir, log);
    if (typeof outcome !== 'string') return outcome;
    // A killed server's processes may linger briefly.
    if (attempt === 40 || !/still in use|lock file .* already exists/.test(outcome))
      throw serverError(outcome, folders);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function startOnce(
  binaries: Binaries,
  folders: DatabaseFolders,
  dataFolder: string,
  socketDir: string,
  log: (line: string) => void,
): Promise<Postmaster | string> {
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: socketDir });
  const { descriptor, from } = openLog(folders.logFile);
  let child: ChildProcess;
  try {
    child = spawn(
      binaries.postgres,
      ['-D', dataFolder, ...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      {
        cwd: '/',
        env: ENVIRONMENT,
        detached: true,
        stdio: ['ignore', descriptor, descriptor],
        ...folders.account,
      },
    );
  } finally {
    closeSync(descriptor);
  }
  let ended: string | undefined;
  child.on('error', (error) => (ended = error.message));
  child.on('exit', () => (ended ??= ''));
  const notice = setTimeout(() => log('The database was not stopped properly and is recovering.'), 5_000);
  const answer = await until(() => {
    if (ended !== undefined) return 'ended' as const;
    const now = readPidFile(dataFolder);
    return now?.pid === child.pid && now?.status === 'ready' && now;
  }, 300_000);
  clearTimeout(notice);
  if (answer === 'ended') return ended || readFileSync(folders.logFile).subarray(from).toString('utf8');
  child.unref();
  if (answer) return answer;
  if (child.pid) process.kill(child.pid, 'SIGQUIT');
  return 'it was not ready after five minutes';
}

/** Signals the server to stop without waiting. */
export function signalRunning(dataFolder: string): void {
  try {
    const found = readPidFile(dataFolder);
    if (found && servesFolder(found.pid, dataFolder)) process.kill(found.pid, 'SIGINT');
  } catch {
    // The next start adopts it.
  }
}

/** Stops a server, rolling back open transactions. */
export async function stopPostmaster(postmaster: Postmaster, dataFolder: string): Promise<void> {
  const start = startOf(postmaster.pid);
  if (!servesFolder(postmaster.pid, dataFolder)) return;
  const hasEnded = () => startOf(postmaster.pid) !== start;
  for (const [signal, patience] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (hasEnded()) return;
    try {
      process.kill(postmaster.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    if (await until(hasEnded, patience)) return;
  }
}

function openLog(file: string): { descriptor: number; from: number } {
  try {
    const long = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG;
    const descriptor = openSync(file, long ? 'w' : 'a', 0o600);
    return { descriptor, from: statSync(file).size };
  } catch (error) {
    throw fileError(error, file);
  }
}

/** Lines of postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
function readPidFile(dataFolder: string): (Postmaster & { status: string }) | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, dataFolder);
  }
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, socketDir: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' } : undefined;
}
