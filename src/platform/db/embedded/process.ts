import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { StartError } from '#/platform/start-error.ts';

export interface Account {
  uid: number;
  gid: number;
}

/**
 * Returns a process's start time, which distinguishes it from later processes with the same pid. Undefined for dead and
 * zombie processes.
 */
export function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
    const line = stdout?.trim() ?? '';
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  }
  try {
    // The parenthesized name may contain anything; after it, state is field 1 and start time field 20.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

export function servesFolder(pid: number, dataFolder: string): boolean {
  if (startOf(pid) === undefined) return false;
  return isPostgres(pid) && (commandOf(pid).includes(dataFolder) || workingFolder(pid) === dataFolder);
}

export function isPostgres(pid: number): boolean {
  return /(^|\/)postgres(:|$)/.test(programOf(pid));
}

function programOf(pid: number): string {
  if (process.platform !== 'linux')
    return (spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '').trim();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]!;
  } catch {
    return '';
  }
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Follows a data folder moved meanwhile. Undefined if unreadable, for example as restricted root in a container. */
function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

export function canEnter(account: Account, folder: string): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], {
    cwd: '/',
    stdio: 'ignore',
    ...account,
  });
  if (error && 'code' in error && error.code === 'EPERM') {
    throw new StartError(
      'PostgreSQL doesn’t run as root, and this root can’t start programs as another account. Start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return status === 0;
}

export async function until<T>(
  done: () => T | undefined | false,
  milliseconds: number,
): Promise<T | undefined> {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const answer = done();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
