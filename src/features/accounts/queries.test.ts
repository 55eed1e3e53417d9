import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { createAccount } from './commands.ts';
import { viewerOf } from './queries.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const id = await createAccount(database.as({ kind: 'system' }), {
  email: 'Ruth@Italk.Test',
  name: 'Ruth Amsel',
  role: 'client',
  emailVerified: true,
});
const ruth = database.as({ kind: 'person', id, role: 'client', sessionId: id });

test('returns the signed-in person as the viewer, and null for a guest', async () => {
  expect(await viewerOf(ruth)).toEqual({
    id,
    email: 'ruth@italk.test',
    emailVerified: true,
    hasPassword: false,
    fullName: 'Ruth Amsel',
    role: 'client',
    timeZone: null,
    keepDiscreet: false,
    photoUrl: null,
    deleteAfter: null,
  });
  expect(await viewerOf(database.as({ kind: 'guest' }))).toBeNull();
});
