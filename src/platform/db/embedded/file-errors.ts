import { StartError } from '#/platform/start-error.ts';

const ELSEWHERE = 'or name another PostgreSQL server in DATABASE_URL';

/** Converts a file system error at `path` into a StartError; returns other errors unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(fullDisk(path), { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartError(
      `The folder ${path} is not writable for this account: change its owner, name another folder in DATA_DIR, ${ELSEWHERE}.`,
      { cause: error },
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError(`${path} is not a folder: remove it or name another folder in DATA_DIR.`, {
      cause: error,
    });
  }
  return error;
}

export function serverTrouble(said: string, folders: { folder: string; logFile: string }): StartError {
  if (/No space left on device|Disk quota exceeded/.test(said))
    return new StartError(fullDisk(folders.folder));
  if (/could not (bind|create|listen on).*(Unix|socket)/i.test(said)) {
    return new StartError(
      `PostgreSQL could not make its Unix socket: point TMPDIR at a local folder with a short path, ${ELSEWHERE}.`,
    );
  }
  if (/could not look up effective user ID|user does not exist/.test(said)) return noPasswdEntry();
  if (/Permission denied|has wrong ownership|has invalid permissions|Read-only file system/.test(said)) {
    return new StartError(
      `PostgreSQL is not allowed to use ${folders.folder}: give it back to the account that made it, name another folder in DATA_DIR, ${ELSEWHERE}.`,
    );
  }
  const reason =
    /(?:FATAL|PANIC|error|ERROR):\s*(.+)/.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return new StartError(
    `PostgreSQL did not start${reason ? ` (${reason.trim()})` : ''}: see ${folders.logFile}, ${ELSEWHERE}.`,
  );
}

/** PostgreSQL's initdb requires a named account. */
export function noPasswdEntry(): StartError {
  return new StartError(
    `The account with the number ${process.getuid?.() ?? '?'} has no entry in /etc/passwd and PostgreSQL can't run under it: start as an account that has one, ${ELSEWHERE}.`,
  );
}

export function unknownPlatform(detail: string): StartError {
  return new StartError(
    `There is no embedded PostgreSQL for this machine (${detail}): name a PostgreSQL server, version 15 or newer, in DATABASE_URL.`,
  );
}

function fullDisk(path: string): string {
  return `The disk that holds ${path} is full: free some space, or name a folder on another disk in DATA_DIR.`;
}
