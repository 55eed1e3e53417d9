import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { createAccount, updatePreferences } from './commands.ts';
import { viewerOf } from './queries.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const id = await createAccount(database.as({ kind: 'system' }), {
  email: 'Ruth@Italk.Test',
  name: 'Ruth Amsel',
  role: 'client',
  emailVerified: true,
});
const ruth = database.as({ kind: 'person', id, role: 'client', sessionId: id });
const preferencesChanged = () =>
  database.db
    .selectFrom('audit_entries')
    .select('subject_id')
    .where('action', '=', 'preferences_changed')
    .execute();

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

test('saves and audits preferences individually, and rejects an unknown time zone', async () => {
  expect(await updatePreferences(ruth, { timeZone: 'Asia/Kathmandu' })).toMatchObject({
    timeZone: 'Asia/Kathmandu',
  });
  expect(await updatePreferences(ruth, { keepDiscreet: true })).toMatchObject({
    timeZone: 'Asia/Kathmandu',
    keepDiscreet: true,
  });
  await expect(updatePreferences(ruth, { timeZone: 'Mars/Olympus' })).rejects.toMatchObject({
    code: 'invalid',
    reason: 'unknown_zone',
    fields: [{ field: 'timeZone', reason: 'unknown_zone' }],
  });
  expect(await updatePreferences(ruth, {})).toMatchObject({ timeZone: 'Asia/Kathmandu' });
  expect(await preferencesChanged()).toEqual([{ subject_id: id }, { subject_id: id }]);
});

test('rejects preferences from a guest', async () => {
  await expect(updatePreferences(database.as({ kind: 'guest' }), {})).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});
