import { expect, test } from 'vitest';
import { setSharing } from '#/features/care/sharing/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { addGoal } from '../goals/commands.ts';
import { viewSharedGoals, viewSharedProgress } from './commands.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

test('shows goals and progress separately to chosen providers, only while shared', async () => {
  const [client, doctor, other] = [await addClient(db), await addProvider(db), await addProvider(db)];
  for (const provider of [doctor, other]) await addSession(db, { client, provider });
  await addGoal(as(client), { title: 'Walk', steps: [{ text: 'Shoes' }] });
  await addGoal(as(await addClient(db)), { title: 'Of somebody else', steps: [] });
  const wish = { clientId: client.id, state: 'open', limit: 10, offset: 0 } as const;
  const share = (parts: { goals?: boolean; progress?: boolean }) =>
    setSharing(as(client), { providerId: doctor.id, ...parts });
  const notShared = { code: 'not_found', reason: 'not_shared' };

  expect(await refusalOf(viewSharedGoals(as(doctor), wish))).toMatchObject(notShared);
  await share({ goals: true });
  expect((await viewSharedGoals(as(doctor), wish)).goals).toMatchObject([
    { title: 'Walk', steps: [{ text: 'Shoes' }] },
  ]);
  expect(await refusalOf(viewSharedProgress(as(doctor), client.id))).toMatchObject(notShared);
  expect(await refusalOf(viewSharedGoals(as(other), wish))).toMatchObject(notShared);
  await share({ progress: true });
  expect(await viewSharedProgress(as(doctor), client.id)).toMatchObject({
    sessionsCompleted: 2,
    goalsAchieved: 0,
  });
  await share({ goals: false });
  expect(await refusalOf(viewSharedGoals(as(doctor), wish))).toMatchObject(notShared);
  expect((await viewSharedProgress(as(doctor), client.id)).sessionsCompleted).toBe(2);

  await db
    .updateTable('feature_flags')
    .set({ enabled: false })
    .where('id', '=', 'wellness_tracking')
    .execute();
  expect(await refusalOf(viewSharedProgress(as(doctor), client.id))).toMatchObject({ reason: 'feature_off' });
});
