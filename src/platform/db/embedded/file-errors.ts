import { StartError } from '#/platform/start-error.ts';

const ELSEWHERE = 'or name another PostgreSQL server in DATABASE_URL';

/** Converts a file system error at `path` into a StartError; returns other errors unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(fullDisk(path), { cause: error });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartError(
      `The folder ${path} isn’t writable for this account. Change its owner, set DATA_DIR to another folder, ${ELSEWHERE}.`,
      { cause: error },
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError(`${path} isn’t a folder. Remove it, or set DATA_DIR to another folder.`, {
      cause: error,
    });
  }
  return error;
}

export function serverError(said: string, folders: { folder: string; logFile: string }): StartError {
  if (/No space left on device|Disk quota exceeded/.test(said))
    return new StartError(fullDisk(folders.folder));
  if (/could not (bind|create|listen on).*(Unix|socket)/i.test(said)) {
    return new StartError(
      `PostgreSQL couldn’t create its Unix socket. Set TMPDIR to a local folder with a short path, ${ELSEWHERE}.`,
    );
  }
  if (/could not look up effective user ID|user does not exist/.test(said)) return noPasswdEntry();
  if (/Permission denied|has wrong ownership|has invalid permissions|Read-only file system/.test(said)) {
    return new StartError(
      `PostgreSQL isn’t allowed to use ${folders.folder}. Return it to the account that created it, set DATA_DIR to another folder, ${ELSEWHERE}.`,
    );
  }
  const reason =
    /(?:FATAL|PANIC|error|ERROR):\s*(.+)/.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return new StartError(
    `PostgreSQL didn’t start${reason ? ` (${reason.trim()})` : ''}. See ${folders.logFile}, ${ELSEWHERE}.`,
  );
}

/** PostgreSQL's initdb requires a named account. */
export function noPasswdEntry(): StartError {
  return new StartError(
    `The user id ${process.getuid?.() ?? '?'} has no entry in /etc/passwd, so PostgreSQL can’t run as that user. Use an account that has one, ${ELSEWHERE}.`,
  );
}

export function unknownPlatform(detail: string): StartError {
  return new StartError(
    `No embedded PostgreSQL is available for this machine (${detail}). Set DATABASE_URL to a PostgreSQL server, version 15 or newer.`,
  );
}

function fullDisk(path: string): string {
  return `The disk that holds ${path} is full: free some space, or name a folder on another disk in DATA_DIR.`;
}
