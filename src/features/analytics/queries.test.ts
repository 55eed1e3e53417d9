import { expect, test } from 'vitest';
import { looks } from '#/features/audit/actions/rules.ts';
import { recordDone, recordView } from '#/features/audit/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient } from '../../../tests/support/people.ts';
import { recentActivity } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

test('lists completed actions, however many views follow', async () => {
  const ctx = as(await addClient(db));
  await transact(ctx, (tx) => recordDone(tx, { action: 'service.added' }));
  for (const action of looks) await recordView(ctx, { action });
  expect((await recentActivity(ctx)).map(({ action }) => action)).toEqual(['service.added']);
});
