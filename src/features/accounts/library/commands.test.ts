import { getMigrations } from 'better-auth/db/migration';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { newId } from '#/platform/clock.ts';
import { libraryOptions } from './commands.ts';

const { db } = await testDatabase();

test('needs no tables or columns beyond those in our migrations', async () => {
  const options = libraryOptions({
    appUrl: 'https://italk.test',
    secret: 'x'.repeat(40),
    secure: true,
    demo: false,
    adminEmails: [],
    newId,
  });
  const wanted = await getMigrations({ ...options, database: { db, type: 'postgres' } });
  expect(wanted.toBeCreated).toEqual([]);
  expect(wanted.toBeAdded).toEqual([]);
});
