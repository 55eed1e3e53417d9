import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { block } from '#/features/availability/blocks/commands.ts';
import { setDates } from '#/features/availability/dates/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { fillAppointments } from '../../../../tests/support/full-table.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { proving } from '../../../../tests/support/prove.ts';
import { ownAgenda } from './contract.ts';
import { agendaOf } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z', poolSize: 1 });

const agenda = (person: Person, input: Parameters<typeof agendaOf>[2]) =>
  agendaOf(as(person), selfOf(as(person)), input);

test('shows a week’s hours, rest, days off, blocks and sessions in the provider’s time zone', async () => {
  const [provider, client, other] = [await addProvider(db), await addClient(db), await addProvider(db)];
  const own = selfOf(as(provider));
  await db.updateTable('providers').set({ rest_kind: 'sunday' }).where('id', '=', provider.id).execute();
  // Monday's last hour in New York, already Tuesday in UTC; and another provider's session.
  await addSession(db, { client, provider, start: '2026-03-10T03:00:00Z', status: 'confirmed' });
  await addSession(db, { client, provider, start: '2026-03-09T14:00:00Z', status: 'completed' });
  await addSession(db, { client, provider: other, start: '2026-03-09T15:00:00Z' });
  const cancelled = await addSession(db, { client, provider, start: '2026-03-09T18:00:00Z' });
  await db.updateTable('appointments').set({ status: 'cancelled' }).where('id', '=', cancelled).execute();
  await setDates(as(provider), own, { from: '2026-03-11', windows: [], note: 'The conference' });
  const dentist = await block(as(provider), own, {
    startsAt: '2026-03-12T14:00:00Z',
    endsAt: '2026-03-12T16:00:00Z',
    note: 'Dentist',
  });

  const week = await agenda(provider, { span: 'week', date: '2026-03-10' });
  expect(week).toMatchObject({ timeZone: 'America/New_York', today: '2026-03-02', rest: 'sunday' });
  expect(week.blocks).toEqual([dentist]);
  expect(week.days.map(({ date }) => date)).toEqual(
    ['08', '09', '10', '11', '12', '13', '14'].map((day) => `2026-03-${day}`),
  );
  const [sunday, monday, tuesday, wednesday] = week.days;
  // DST starts this Sunday, which has 23 hours.
  expect(sunday).toMatchObject({
    open: [],
    rest: [{ startsAt: '2026-03-08T05:00:00Z', endsAt: '2026-03-09T04:00:00Z' }],
  });
  expect(monday).toMatchObject({
    open: [
      { startsAt: '2026-03-09T13:00:00Z', endsAt: '2026-03-09T17:00:00Z' },
      { startsAt: '2026-03-09T18:00:00Z', endsAt: '2026-03-09T23:00:00Z' },
    ],
    rest: [],
    off: null,
    counts: { pending: 0, confirmed: 1, completed: 1, no_show: 0, cancelled: 1 },
    entries: [
      { startsAt: '2026-03-09T14:00:00Z', endsAt: '2026-03-09T15:00:00Z', status: 'completed' },
      { startsAt: '2026-03-10T03:00:00Z', status: 'confirmed', clientName: 'Naomi Weiss' },
    ],
  });
  expect(tuesday!.entries).toEqual([]);
  expect(wednesday).toMatchObject({ open: [], off: { note: 'The conference', holiday: null } });
});

test('defaults to today’s week, including past days off', async () => {
  const provider = await addProvider(db);
  await db
    .insertInto('date_exceptions')
    .values({ provider_id: provider.id, date: '2026-02-04', windows: '[]', note: 'Ill' })
    .execute();
  expect((await agenda(provider, { span: 'week' })).days[0]!.date).toBe('2026-03-01');
  const february = await agenda(provider, { span: 'month', date: '2026-02-28' });
  expect(february.days).toHaveLength(28);
  expect(february.days[3]).toMatchObject({ date: '2026-02-04', open: [], off: { note: 'Ill' } });
});

test(
  'shows a month’s counts and each day’s first three, regardless of other data',
  { tags: ['long'] },
  async () => {
    const [provider, client] = [await addProvider(db), await addClient(db)];
    for (let hour = 0; hour < 5; hour += 1)
      await addSession(db, { client, provider, start: `2026-03-18T${13 + hour}:00:00Z` });
    await fillAppointments(db, { count: proving ? 100_000 : 3_000, from: '2025-01-01T00:00:00Z' });
    const month = await agenda(provider, { span: 'month', date: '2026-03-18' });
    expect(month.days).toHaveLength(35);
    const day = month.days.find(({ date }) => date === '2026-03-18')!;
    expect(day.counts.completed).toBe(5);
    expect(day.entries.map(({ startsAt }) => startsAt)).toEqual(
      [13, 14, 15].map((hour) => `2026-03-18T${hour}:00:00Z`),
    );

    await sql`select pg_stat_clear_snapshot()`.execute(db);
    const read = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(db);
      const { rows } = await sql<{ rows: number }>`
      select seq_tup_read + idx_tup_fetch as rows from pg_stat_user_tables where relname = 'appointments'`.execute(
        db,
      );
      return rows[0]!.rows;
    };
    const before = await read();
    await agenda(provider, { span: 'month', date: '2026-03-18' });
    // Its own five for counts and for entries, where the plan says so once a day; never other providers' 840.
    expect((await read()) - before).toBeLessThanOrEqual(2 * 35 * 5);
  },
);

test('throws for anyone but a provider', async () => {
  expect(await refusalOf(agenda(await addClient(db), { span: 'week' }))).toMatchObject({ code: 'not_found' });
});

test.each(['2000-01-01', '2999-12-31'])('has days around %s, the limit of the range', async (date) => {
  const provider = await addProvider(db);
  for (const span of ['week', 'month'] as const) {
    const days = ownAgenda['~orpc'].outputSchema!['~standard'].validate(
      await agenda(provider, { span, date }),
    );
    expect(await days).not.toHaveProperty('issues');
  }
});
