import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, addProvider, sixtyMinutes } from '../../../../tests/support/people.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { ownAnalytics } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-15T12:00:00Z' });

async function addReview(
  provider: { id: string },
  writtenAt: string,
  rating: number,
  state: 'approved' | 'waiting',
) {
  const at = new Date(writtenAt);
  await db
    .insertInto('reviews')
    .values({
      id: newId(),
      appointment_id: null,
      client_id: null,
      provider_id: provider.id,
      service_id: await sixtyMinutes(db),
      rating,
      text: null,
      named: 'anonymous',
      author_name: null,
      state,
      reason: null,
      written_at: at,
      changed_at: at,
      decided_at: state === 'approved' ? at : null,
    })
    .execute();
}

test('shows a provider’s own months and approved ratings only', async () => {
  const [client] = await addClients(db, 1);
  const provider = await addProvider(db, { timeZone: 'America/New_York' });
  const other = await addProvider(db);
  const mine = as({ kind: 'person', id: provider.id, role: 'doctor', sessionId: newId() });
  const empty = await ownAnalytics(mine, selfOf(mine));
  expect(empty.months.map(({ month }) => month)).toEqual([
    '2025-04', '2025-05', '2025-06', '2025-07', '2025-08', '2025-09',
    '2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03',
  ]); // oxfmt-ignore
  expect(empty.total).toEqual({ sessions: 0, hours: 0, noShows: 0, cancelled: 0, rating: null, reviews: 0 });

  const hour = (start: string, status: 'completed' | 'no_show' | 'confirmed', whose = provider) =>
    addSession(db, { client: client!, provider: whose, start, status });
  await hour('2026-02-10T15:00:00Z', 'completed');
  await hour('2026-02-11T15:00:00Z', 'completed');
  await hour('2026-02-12T15:00:00Z', 'no_show');
  await hour('2026-03-10T15:00:00Z', 'completed');
  await hour('2026-03-20T15:00:00Z', 'confirmed');
  await hour('2026-03-11T15:00:00Z', 'completed', other);
  await hour('2025-03-31T15:00:00Z', 'completed');
  const cancelled = await hour('2026-01-12T15:00:00Z', 'confirmed');
  await db.updateTable('appointments').set({ status: 'cancelled' }).where('id', '=', cancelled).execute();
  // 4 AM UTC on March 1 is still February in New York.
  await addReview(provider, '2026-03-01T04:00:00Z', 5, 'approved');
  await addReview(provider, '2026-03-01T06:00:00Z', 4, 'approved');
  await addReview(provider, '2026-03-02T06:00:00Z', 4, 'approved');
  await addReview(provider, '2026-03-03T06:00:00Z', 1, 'waiting');
  await addReview(other, '2026-03-03T06:00:00Z', 1, 'approved');
  await addReview(provider, '2025-03-03T06:00:00Z', 1, 'approved');

  const { months, total, timeZone } = await ownAnalytics(mine, selfOf(mine));
  expect(timeZone).toBe('America/New_York');
  expect(months.slice(-3)).toEqual([
    { month: '2026-01', sessions: 0, hours: 0, noShows: 0, cancelled: 1, rating: null, reviews: 0 },
    { month: '2026-02', sessions: 2, hours: 2, noShows: 1, cancelled: 0, rating: 5, reviews: 1 },
    { month: '2026-03', sessions: 1, hours: 1, noShows: 0, cancelled: 0, rating: 4, reviews: 2 },
  ]);
  expect(total).toEqual({ sessions: 3, hours: 3, noShows: 1, cancelled: 1, rating: 4.3, reviews: 3 });

  const stranger = as({ kind: 'person', id: client!.id, role: 'client', sessionId: newId() });
  await expect(ownAnalytics(stranger, selfOf(stranger))).rejects.toMatchObject({ code: 'not_found' });
});
