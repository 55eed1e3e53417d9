import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { createAccount, updatePreferences } from '../commands.ts';
import { profileOf, viewerOf } from '../queries.ts';
import { ownProfile, updateProfile } from './commands.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const person = async (email: string, role: 'client' | 'doctor' = 'client') => {
  const id = await createAccount(database.as({ kind: 'system' }), {
    email,
    name: 'Ruth Amsel',
    role,
    emailVerified: true,
  });
  return database.as({ kind: 'person', id, role, sessionId: id });
};
const idOf = (ctx: { actor: { kind: string } }) => (ctx.actor as unknown as { id: string }).id;
const noted = (action: string, id: string) =>
  database.db
    .selectFrom('audit_entries')
    .select('details')
    .where('action', '=', action)
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();

test('a profile begins with the name, the factory tradition and reminders alone', async () => {
  const ruth = await person('ruth@italk.test');
  expect(await ownProfile(ruth)).toEqual({
    fullName: 'Ruth Amsel',
    email: 'ruth@italk.test',
    spiritualTradition: 'SDA',
    mentalHealthFocus: [],
    timeZone: null,
    photoUrl: null,
    keepDiscreet: false,
    sessionReminders: true,
    dailyDevotionals: false,
    communityUpdates: false,
  });
});

test('what is named is changed, kept and audited without its words; the rest and other people stay', async () => {
  const ruth = await person('ruth2@italk.test');
  const other = await person('other@italk.test');
  const before = await ownProfile(other);
  const changed = await updateProfile(ruth, {
    fullName: 'Ruth Amsel-Weiss',
    mentalHealthFocus: ['Grief', 'Sleep', 'grief'],
  });
  expect(changed).toMatchObject({
    fullName: 'Ruth Amsel-Weiss',
    spiritualTradition: 'SDA',
    mentalHealthFocus: ['Grief', 'Sleep'],
  });
  expect(await viewerOf(ruth)).toMatchObject({ fullName: 'Ruth Amsel-Weiss' });
  const user = await database.db
    .selectFrom('users')
    .select('name')
    .where('id', '=', idOf(ruth))
    .executeTakeFirst();
  expect(user).toEqual({ name: 'Ruth Amsel-Weiss' });
  await updateProfile(ruth, { spiritualTradition: '', timeZone: 'Asia/Kathmandu' });
  expect(await profileOf(ruth, idOf(ruth))).toMatchObject({
    fullName: 'Ruth Amsel-Weiss',
    spiritualTradition: '',
    timeZone: 'Asia/Kathmandu',
    mentalHealthFocus: ['Grief', 'Sleep'],
  });
  expect(await noted('profile_changed', idOf(ruth))).toEqual([
    { details: { changed: 'full_name mental_health_focus' } },
    { details: { changed: 'spiritual_tradition time_zone' } },
  ]);
  expect(await ownProfile(other)).toEqual(before);
});

test('nothing named changes nothing, and a zone has to be one', async () => {
  const ruth = await person('ruth3@italk.test');
  await updateProfile(ruth, {});
  expect(await noted('profile_changed', idOf(ruth))).toEqual([]);
  await expect(
    updateProfile(ruth, { timeZone: 'Mars/Olympus', fullName: 'Elsewhere' }),
  ).rejects.toMatchObject({ code: 'invalid', fields: [{ field: 'timeZone', reason: 'unknown_zone' }] });
  expect(await ownProfile(ruth)).toMatchObject({ fullName: 'Ruth Amsel', timeZone: null });
});

test('each toggle is kept by itself', async () => {
  const ruth = await person('ruth4@italk.test');
  await updatePreferences(ruth, { dailyDevotionals: true });
  await updatePreferences(ruth, { sessionReminders: false });
  await updatePreferences(ruth, { communityUpdates: true });
  await updatePreferences(ruth, { dailyDevotionals: false });
  expect(await ownProfile(ruth)).toMatchObject({
    sessionReminders: false,
    dailyDevotionals: false,
    communityUpdates: true,
    keepDiscreet: false,
  });
  expect(await noted('preferences_changed', idOf(ruth))).toHaveLength(4);
});

test('a guest has no profile', async () => {
  const guest = database.as({ kind: 'guest' });
  await expect(ownProfile(guest)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(updateProfile(guest, { fullName: 'x' })).rejects.toMatchObject({ code: 'unauthenticated' });
});
