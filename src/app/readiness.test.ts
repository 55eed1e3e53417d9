import { expect, test } from 'vitest';
import { testDatabase } from '../../tests/support/database.ts';
import { readiness } from './readiness.ts';

const { db } = await testDatabase();

test(
  'reports file storage as not ready after two seconds without an answer',
  { tags: ['long'] },
  async () => {
    const began = performance.now();
    const never = new Promise<never>(() => {});
    expect(await readiness(db, { ready: () => never })).toEqual({
      database: true,
      migrations: true,
      files: false,
    });
    expect(performance.now() - began).toBeGreaterThan(1_900);
  },
);
