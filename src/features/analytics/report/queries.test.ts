import { describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, addProvider, sixtyMinutes } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { reportOf } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-15T12:00:00Z' });
const ctx = as({ kind: 'system' });

test('shows zeros without data, and never divides by zero', async () => {
  expect(await reportOf(ctx, {})).toMatchObject({
    timeZone: 'America/New_York',
    today: '2026-03-15',
    from: '2025-10-01',
    to: '2026-03-15',
    sessions: 0,
    utilisation: { percent: null, bookedMinutes: 0, offeredMinutes: 0 },
    ratings: { mean: null, satisfied: null, count: 0 },
    sessionMinutes: null,
  });
});

test('matches stats counted by hand', async () => {
  const [client, later] = await addClients(db, 2);
  const from = (id: string, date: string) =>
    db
      .updateTable('profiles')
      .set({ created_at: new Date(date) })
      .where('id', '=', id)
      .execute();
  await from(client!.id, '2025-06-01T00:00Z');
  await from(later!.id, '2026-02-10T00:00Z');
  // Long-standing: Mondays 9:00–10:30 and Sundays 10:00–1:00. Since March 5: Mondays for two hours.
  const first = await addProvider(db, {
    week: [
      { weekday: 1, from: '09:00', to: '10:30' },
      { weekday: 7, from: '22:00', to: '24:00' },
    ],
  });
  const second = await addProvider(db, { week: [{ weekday: 1, from: '08:00', to: '10:00' }] });
  await addProvider(db, { listed: false });
  for (const [{ id }, date] of [
    [first, '2025-01-01T00:00Z'],
    [second, '2026-03-05T04:00Z'],
  ] as const) {
    await db
      .updateTable('providers')
      .set({ created_at: new Date(date) })
      .where('id', '=', id)
      .execute();
    await from(id, date);
  }
  await db
    .updateTable('profiles')
    .set({ created_at: new Date('2025-01-01') })
    .where('role', '=', 'doctor')
    .where('id', 'not in', [first.id, second.id])
    .execute();
  const session = async (start: string, status: 'completed' | 'confirmed' | 'no_show') =>
    addSession(db, { client: client!, provider: await addProvider(db, { listed: false }), start, status });
  await session('2026-02-01T04:30:00Z', 'completed');
  await session('2026-02-01T05:30:00Z', 'completed');
  const long = await session('2026-02-10T15:00:00Z', 'completed');
  await db
    .updateTable('appointments')
    .set({ ends_at: new Date('2026-02-10T16:30:00Z'), blocked_until: new Date('2026-02-10T16:30:00Z') })
    .where('id', '=', long)
    .execute();
  await session('2026-02-11T15:00:00Z', 'no_show');
  await session('2026-03-15T11:00:00Z', 'confirmed');
  await session('2026-03-15T18:00:00Z', 'confirmed');
  await session('2026-03-16T18:00:00Z', 'confirmed');
  await db
    .updateTable('profiles')
    .set({ created_at: new Date('2025-01-01') })
    .where('role', '=', 'doctor')
    .where('id', '<>', second.id)
    .execute();

  const report = await reportOf(ctx, { from: '2026-01-15', to: '2026-03-15' });
  const doctors = (await db.selectFrom('providers').select('id').execute()).length;
  expect(report.months).toEqual([
    { month: '2026-01', sessions: 1, users: doctors },
    { month: '2026-02', sessions: 2, users: doctors + 1 },
    { month: '2026-03', sessions: 1, users: doctors + 2 },
  ]);
  expect(report.sessions).toBe(4);
  expect(report.sessionMinutes).toBe(68);
  // Eight Mondays (January 19 to March 9), nine Sundays; the second provider: March 9 only.
  const offeredMinutes = 8 * 90 + 9 * 120 + 120;
  const bookedMinutes = 60 + 60 + 90 + 60 + 60 + 60;
  expect(report.utilisation).toEqual({
    percent: Math.round((100 * bookedMinutes) / offeredMinutes),
    bookedMinutes,
    offeredMinutes,
  });
});

test('counts an hour a day from the day on which a specialist joined', async () => {
  await db.updateTable('providers').set({ listed: false }).execute();
  const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: '09:00', to: '10:00' }));
  const range = { from: '2026-03-06', to: '2026-03-08' };
  let offeredMinutes = 0;
  // New York is five hours behind UTC, and four from March 8 on.
  for (const [joined, days] of [
    ['2025-01-01T12:00:00Z', 3],
    ['2026-03-06T05:00:00Z', 3],
    ['2026-03-07T04:59:59Z', 3],
    ['2026-03-07T05:00:00Z', 2],
    ['2026-03-08T05:00:00Z', 1],
    ['2026-03-09T03:59:59Z', 1],
    ['2026-03-09T04:00:00Z', 0],
    ['2026-03-12T12:00:00Z', 0],
  ] as const) {
    const { id } = await addProvider(db, { week });
    await db
      .updateTable('providers')
      .set({ created_at: new Date(joined) })
      .where('id', '=', id)
      .execute();
    offeredMinutes += days * 60;
    expect((await reportOf(ctx, range)).utilisation.offeredMinutes, joined).toBe(offeredMinutes);
  }
});

test('counts approved ratings by the time they were written', async () => {
  const provider = await addProvider(db, { listed: false });
  for (const [writtenAt, rating, state] of [
    ['2026-02-01T04:59:59Z', 1, 'approved'],
    ['2026-02-01T05:00:00Z', 5, 'approved'],
    ['2026-02-10T05:00:00Z', 4, 'approved'],
    ['2026-02-11T05:00:00Z', 3, 'approved'],
    ['2026-02-12T05:00:00Z', 1, 'waiting'],
    ['2026-03-01T04:59:59Z', 4, 'approved'],
    ['2026-03-01T05:00:00Z', 1, 'approved'],
  ] as const) {
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
  const { ratings } = await reportOf(ctx, { from: '2026-02-01', to: '2026-02-28' });
  expect(ratings).toEqual({ mean: 4, satisfied: 75, count: 4 });
});

describe('rejects an invalid range, and names its date', () => {
  test.each([
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from', 'range_reversed'],
    [{ to: '2026-03-16' }, 'to', 'range_in_future'],
    [{ from: '2020-01-01' }, 'from', 'range_too_long'],
  ])('%j', async (range, field, reason) => {
    expect(await refusalOf(reportOf(ctx, range))).toMatchObject({
      code: 'invalid',
      reason,
      fields: [{ field, reason }],
    });
  });
});
