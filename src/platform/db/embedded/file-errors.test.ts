import { describe, expect, it } from 'vitest';
import { StartError } from '#/platform/start-error.ts';
import { installedBinaries } from './binaries.ts';
import { fileError, serverError } from './file-errors.ts';

const folders = { folder: '/data', logFile: '/data/pg.log' };

describe('a database that cannot start', () => {
  it.each([
    [
      'FATAL:  could not write lock file "postmaster.pid": No space left on device',
      'The disk that holds /data is full',
    ],
    [
      'initdb: error: could not look up effective user ID 4711: user does not exist',
      'no entry in /etc/passwd',
    ],
    [
      'LOG:  could not bind Unix address "/x/.s.PGSQL.5432": Operation not permitted',
      'couldn’t create its Unix socket',
    ],
    ['FATAL:  data directory "/data/pg18" has invalid permissions', 'isn’t allowed to use /data'],
    [
      'FATAL:  could not map anonymous shared memory: Cannot allocate memory',
      '(could not map anonymous shared memory',
    ],
  ])('says what to do: %s', (said, sentence) => {
    const error = serverError(said, folders);
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toContain(sentence);
    expect(error.message).toMatch(/^[^\n]+\.$/);
  });

  it.each([
    ['ENOSPC', 'The disk that holds /data is full'],
    ['EROFS', 'isn’t writable'],
    ['EACCES', 'isn’t writable'],
  ])('says what to do about a file error: %s', (code, sentence) => {
    expect(fileError(Object.assign(new Error(code), { code }), '/data')).toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(sentence) as string,
    });
  });

  it('names DATABASE_URL on a machine without binaries', () => {
    expect(() => installedBinaries('linux-s390x')).toThrow(/linux-s390x.*DATABASE_URL/);
  });

  it('returns other errors unchanged', () => {
    const defect = new TypeError('x is not a function');
    expect(fileError(defect, '/data')).toBe(defect);
  });
});
