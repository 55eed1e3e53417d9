import { globSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { storageSuite } from '../../../tests/support/storage-suite.ts';
import { openDisk, type Disk } from './disk.ts';
import { openFiles } from './storage.ts';

const database = await testDatabase();

storageSuite(database, {
  keys: () => globSync('{objects/*/*,pending/*}', { cwd: database.folder }),
  begun: 1,
});

describe('the disk write check', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  /** On-disk storage that counts writes and can be made unavailable. */
  function storage() {
    const real = openDisk(database.folder);
    const state = { written: 0, shut: false };
    const disk: Disk = {
      ...real,
      put: (key, body) => {
        state.written++;
        return state.shut ? Promise.reject(new Error('shut')) : real.put(key, body);
      },
    };
    return { state, files: openFiles({ disk, secret: 'a secret for this storage' }) };
  }

  test('runs once for concurrent and recent callers', async () => {
    const { state, files } = storage();
    expect(await Promise.all(Array.from({ length: 50 }, () => files.ready()))).not.toContain(false);
    vi.advanceTimersByTime(4_900);
    expect(await files.ready()).toBe(true);
    expect(state.written).toBe(1);
  });

  test('runs again after some seconds, whatever its result', async () => {
    const { state, files } = storage();
    for (const shut of [false, true, false]) {
      state.shut = shut;
      expect(await files.ready()).toBe(!shut);
      vi.advanceTimersByTime(5_000);
    }
    expect(state.written).toBe(3);
    expect(globSync('probe/*', { cwd: database.folder })).toEqual([]);
  });
});
