import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClients, addProvider } from '../../../tests/support/people.ts';
import { overview } from './queries.ts';

const { db, as } = await testDatabase();

test('everybody with an account is a user; a provider counts while they are listed', async () => {
  await addClients(db, 3);
  await addProvider(db);
  await addProvider(db, { listed: false });
  expect(await overview(as({ kind: 'system' }))).toEqual({ totalUsers: 5, activeProviders: 1 });
});
