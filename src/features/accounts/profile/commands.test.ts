import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { createAccount } from '../commands.ts';
import { profileOf, viewerOf } from '../queries.ts';
import { changePhoto, ownProfile, removePhoto, updatePreferences, updateProfile } from './commands.ts';

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

test('starts with the name, the default tradition, and only reminders on', async () => {
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

test('changes and audits only the given fields, without their content', async () => {
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

test('ignores an empty change, and rejects an invalid time zone', async () => {
  const ruth = await person('ruth3@italk.test');
  await updateProfile(ruth, {});
  expect(await noted('profile_changed', idOf(ruth))).toEqual([]);
  await expect(
    updateProfile(ruth, { timeZone: 'Mars/Olympus', fullName: 'Elsewhere' }),
  ).rejects.toMatchObject({ code: 'invalid', fields: [{ field: 'timeZone', reason: 'unknown_zone' }] });
  expect(await ownProfile(ruth)).toMatchObject({ fullName: 'Ruth Amsel', timeZone: null });
});

test('saves each toggle independently', async () => {
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

test('returns no profile to a guest', async () => {
  const guest = database.as({ kind: 'guest' });
  await expect(ownProfile(guest)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(updateProfile(guest, { fullName: 'x' })).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('saves and audits preferences individually, and rejects an unknown time zone', async () => {
  const ruth = await person('ruth5@italk.test');
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
  expect(await noted('preferences_changed', idOf(ruth))).toHaveLength(2);
});

test('rejects preferences from a guest', async () => {
  await expect(updatePreferences(database.as({ kind: 'guest' }), {})).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});

describe('a photo', () => {
  const picture = (colour: string) =>
    sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
      .jpeg()
      .toBuffer();
  const middle = new URLSearchParams();
  const filesOf = (id: string) =>
    database.db.selectFrom('files').select('id').where('owner_id', '=', id).execute();
  /** Counts stored files after running deletion jobs. */
  const onDisk = async () => {
    await database.runJobs();
    const found = await readdir(database.folder, { recursive: true, withFileTypes: true }).catch(() => []);
    return found.filter((entry) => entry.isFile()).length;
  };

  test('has its own URL, and replaces the previous one', { tags: ['long'] }, async () => {
    const ruth = await person('photo@italk.test', 'doctor');
    const before = await onDisk();
    const first = await changePhoto(ruth, { query: middle, body: await picture('#f00') });
    expect(first.photoUrl).toMatch(/^\/files\/[0-9a-f-]{36}$/);
    expect(await viewerOf(ruth)).toMatchObject({ photoUrl: first.photoUrl });
    const query = new URLSearchParams({ left: '0.1', top: '0', size: '0.5' });
    const second = await changePhoto(ruth, { query, body: await picture('#00f') });
    expect(second.photoUrl).not.toBe(first.photoUrl);
    expect(await filesOf(idOf(ruth))).toEqual([{ id: second.photoUrl!.slice('/files/'.length) }]);
    expect(await onDisk()).toBe(before + 1);
    expect(await noted('photo_changed', idOf(ruth))).toHaveLength(2);

    expect(await removePhoto(ruth)).toMatchObject({ photoUrl: null });
    expect(await removePhoto(ruth)).toMatchObject({ photoUrl: null });
    expect(await filesOf(idOf(ruth))).toEqual([]);
    expect(await onDisk()).toBe(before);
    expect(await noted('photo_removed', idOf(ruth))).toHaveLength(1);
  });

  test(
    'keeps one of several simultaneous uploads, and no bytes of the others',
    { tags: ['long'] },
    async () => {
      const ruth = await person('photo2@italk.test');
      const before = await onDisk();
      const body = await picture('#0f0');
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          n === 3 ? removePhoto(ruth) : changePhoto(ruth, { query: middle, body }),
        ),
      );
      expect(all).toHaveLength(6);
      const { photoUrl } = await ownProfile(ruth);
      const stored = await filesOf(idOf(ruth));
      expect(stored.map(({ id }) => `/files/${id}`)).toEqual([photoUrl].filter(Boolean));
      expect(await onDisk()).toBe(before + stored.length);
    },
  );

  test('rejects an invalid image, and keeps the previous photo', { tags: ['long'] }, async () => {
    const ruth = await person('photo3@italk.test');
    const { photoUrl } = await changePhoto(ruth, { query: middle, body: await picture('#f00') });
    const before = await onDisk();
    const wrong: [body: Uint8Array, reason: string][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'file_type'],
      [Buffer.from('<!doctype html><title>x</title>'), 'file_type'],
      [new Uint8Array(), 'file_empty'],
      [(await picture('#f00')).subarray(0, 400), 'image_unreadable'],
    ];
    for (const [body, reason] of wrong) {
      await expect(changePhoto(ruth, { query: middle, body }), reason).rejects.toMatchObject({
        code: 'invalid',
        fields: [{ field: 'file', reason }],
      });
    }
    const query = new URLSearchParams({ left: '2', top: 'x' });
    await expect(changePhoto(ruth, { query, body: await picture('#f00') })).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'left' }, { field: 'top' }, { field: 'size', reason: 'required' }],
    });
    expect(await ownProfile(ruth)).toMatchObject({ photoUrl });
    expect(await onDisk()).toBe(before);
  });

  test('accepts thirty uploads per quarter hour', async () => {
    const ruth = await person('photo4@italk.test');
    const tries = Array.from({ length: 31 }, () =>
      changePhoto(ruth, { query: middle, body: new Uint8Array() }).catch((error: unknown) => error),
    );
    const codes = (await Promise.all(tries)).map((error) => (error as { code: string }).code);
    expect(codes.filter((code) => code === 'invalid')).toHaveLength(30);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(1);
  });

  test('is refused for a guest', async () => {
    const guest = database.as({ kind: 'guest' });
    await expect(changePhoto(guest, { query: middle, body: new Uint8Array() })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});
