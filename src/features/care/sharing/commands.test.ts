import { describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { clientView } from '../clients/queries.ts';
import { requireServed } from '../clients/policies.ts';
import { setSharing } from './commands.ts';
import { requireSharer } from './policies.ts';
import { counsellorsOf } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const page = { limit: 25, offset: 0 };
const nothing = { profile: false, goals: false, progress: false };

describe('a client’s shared data', () => {
  test('starts empty and changes immediately, per part and counselor', async () => {
    const [client, doctor, pastor] = [await addClient(db), await addProvider(db), await addProvider(db)];
    await db
      .updateTable('profiles')
      .set({ spiritual_tradition: 'SDA', mental_health_focus: ['Grief'] })
      .where('id', '=', client.id)
      .execute();
    for (const provider of [pastor, doctor]) await addSession(db, { client, provider });
    const seen = async (by = doctor) =>
      (await clientView(as(by), await requireServed(as(by), client.id))).shared;
    const mine = async () => (await counsellorsOf(as(client), selfOf(as(client)), page)).counsellors;
    expect(await seen()).toEqual({ profile: null, goals: false, progress: false });
    expect((await mine()).map(({ counsellor, ...shared }) => [counsellor.id, shared])).toEqual([
      [pastor.id, nothing],
      [doctor.id, nothing],
    ]);
    for (const part of ['goals', 'progress', 'profile'] as const)
      expect(await refusalOf(requireSharer(as(doctor), client.id, part))).toMatchObject({
        code: 'not_found',
        reason: 'not_shared',
      });

    await setSharing(as(client), { providerId: doctor.id, profile: true, goals: true, progress: false });
    expect(await seen()).toEqual({
      profile: { focusAreas: ['Grief'], tradition: 'SDA' },
      goals: true,
      progress: false,
    });
    expect(await requireSharer(as(doctor), client.id, 'goals')).toBe(client.id);
    expect(await refusalOf(requireSharer(as(doctor), client.id, 'progress'))).toMatchObject({
      reason: 'not_shared',
    });
    expect(await seen(pastor)).toEqual({ profile: null, goals: false, progress: false });
    expect(await refusalOf(requireSharer(as(pastor), client.id, 'goals'))).toMatchObject({
      reason: 'not_shared',
    });

    // Omitted fields stay unchanged.
    await setSharing(as(client), { providerId: doctor.id, profile: false });
    expect(await seen()).toEqual({ profile: null, goals: true, progress: false });

    await setSharing(as(client), { providerId: doctor.id, ...nothing });
    expect(await seen()).toEqual({ profile: null, goals: false, progress: false });
    expect(await refusalOf(requireSharer(as(doctor), client.id, 'goals'))).toMatchObject({
      reason: 'not_shared',
    });
  });

  test('is available only to providers they have had sessions with', async () => {
    const [client, doctor] = [await addClient(db), await addProvider(db)];
    const wish = { ...nothing, goals: true };
    for (const providerId of [doctor.id, newId(), client.id])
      expect(await refusalOf(setSharing(as(client), { ...wish, providerId }))).toMatchObject({
        code: 'not_found',
        reason: 'counsellor',
      });
    expect(await counsellorsOf(as(client), selfOf(as(client)), page)).toEqual({
      counsellors: [],
      more: false,
    });
  });

  test('is readable only by the counselor who serves them', async () => {
    const [client, doctor, other] = [await addClient(db), await addProvider(db), await addProvider(db)];
    await addSession(db, { client, provider: doctor });
    await setSharing(as(client), { providerId: doctor.id, profile: true, goals: true, progress: true });
    expect(await refusalOf(requireSharer(as(other), client.id, 'goals'))).toMatchObject({ reason: 'client' });
    expect(await refusalOf(requireSharer(as(client), client.id, 'goals'))).toMatchObject({
      reason: 'client',
    });
  });
});
