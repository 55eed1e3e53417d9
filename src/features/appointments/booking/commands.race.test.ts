import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { transact } from '#/platform/db/transact.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { fillAppointments } from '../../../../tests/support/full-table.ts';
import { addClients, addProvider, sixtyMinutes, type Person } from '../../../../tests/support/people.ts';
import { manyForEach, overlapsSql, race, tally, type Attempt } from '../../../../tests/support/race.ts';
import { book, bookOnce } from './commands.ts';
import { lockDiaries } from '../diary/queries.ts';
import { cancel, confirm, reschedule } from '../life-cycle/commands.ts';

const { db, as, url } = await testDatabase({ now: '2026-02-16T12:00:00Z', poolSize: 10 });
// A second pool simulates another server process: they share no memory.
const second = connect(url, 10);
const service = await sixtyMinutes(db);
await db.updateTable('site_settings').set({ max_daily_bookings: 100 }).execute();
/** Below the concurrency of `npm run bench`: other tests share two cores. */
const inFlight = 16;
await fillAppointments(db, { count: 5_000, from: '2026-02-17T00:00:00Z' });

/** Runs `work` on every connection of both pools, releasing none until all finish. */
async function onEach(work: (connection: typeof db) => Promise<unknown>): Promise<void> {
  for (const pool of [db, second.db]) {
    const { promise: allDone, resolve } = Promise.withResolvers<void>();
    let done = 0;
    const one = () =>
      pool.connection().execute(async (connection) => {
        await work(connection);
        if (++done === 10) resolve();
        await allDone;
      });
    await Promise.all(Array.from({ length: 10 }, one));
  }
}

// Opens connections first, so the race is only for sessions.
await onEach((connection) => sql`select 1`.execute(connection));

const processes = [
  (person: Person): Ctx => as(person),
  (person: Person): Ctx => ({ ...as(person), db: second.db }),
];

function booker(clients: readonly Person[], provider: Person) {
  return async (attempt: Attempt, index: number): Promise<unknown> =>
    book(
      processes[index % 2]!(clients[attempt.client]!),
      bookInputFor(provider.id, service, attempt.startsAt, {
        durationMinutes: attempt.durationMinutes,
        recurrence: attempt.recurrence,
        timeZone: 'America/New_York',
      }),
    );
}

async function deadlocks(): Promise<number> {
  // Backends report statistics at most once a second unless flushed.
  await onEach((connection) => sql`select pg_stat_force_next_flush()`.execute(connection));
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::int4 from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]!.deadlocks;
}

async function overlapping(): Promise<number> {
  return (await sql.raw(overlapsSql).execute(db)).rows.length;
}

async function heldBy(provider: Person): Promise<number> {
  const rows = await db
    .selectFrom('appointments')
    .select('id')
    .where('provider_id', '=', provider.id)
    .where('status', 'in', ['pending', 'confirmed'])
    .execute();
  return rows.length;
}

test('has one winner per time among forty clients, and offers the losers the next free times', async () => {
  const [clients, provider] = [await addClients(db, 40 * 8), await addProvider(db)];
  const starts = [14, 15, 16, 17].flatMap((hour) => [
    `2026-02-23T${hour}:00:00Z`,
    `2026-02-23T${hour}:30:00Z`,
  ]);
  const attempts = manyForEach(40, starts).filter(
    // Drops longer sessions that would run past noon: those never race.
    ({ startsAt, durationMinutes }) =>
      Date.parse(startsAt) + durationMinutes * 60_000 <= Date.parse('2026-02-23T18:00:00Z'),
  );
  const outcomes = await race(attempts, inFlight, booker(clients, provider));
  const won = outcomes.filter(({ ended }) => ended === 'won');
  const losers = outcomes.filter(({ ended }) => ended !== 'won');
  expect(await overlapping()).toBe(0);
  expect(won.length).toBeGreaterThan(1);
  expect(new Set(won.map(({ startsAt }) => startsAt)).size).toBe(won.length);
  expect(await heldBy(provider)).toBe(won.length);
  expect(Object.keys(tally(losers))).toEqual(['conflict slot_taken']);
  expect(losers.every(({ offered }) => offered === 5)).toBe(true);
  // Each deadlock would delay a client by a second; `npm run bench` measures the timing.
  expect(await deadlocks()).toBe(0);
});

test('stores a contested weekly series completely or not at all', { tags: ['long'] }, async () => {
  const [clients, provider] = [await addClients(db, 20), await addProvider(db)];
  const attempts = clients.map((_, client): Attempt => {
    const week = client % 4;
    return {
      client,
      startsAt: `2026-05-${String(4 + week * 7).padStart(2, '0')}T14:00:00Z`,
      durationMinutes: 60,
      recurrence: client % 5 === 4 ? 'one_time' : 'weekly',
    };
  });
  const outcomes = await race(attempts, 20, booker(clients, provider));
  expect(await overlapping()).toBe(0);
  expect(Object.keys(tally(outcomes)).toSorted()).toEqual(['conflict slot_taken', 'won']);
  const sizes = await db
    .selectFrom('appointments')
    .select(({ fn }) => ['booking_id', 'series_count', fn.countAll<number>().as('n')])
    .where('provider_id', '=', provider.id)
    .groupBy(['booking_id', 'series_count'])
    .execute();
  expect(sizes.every(({ series_count, n }) => series_count === n)).toBe(true);
  expect(sizes).toHaveLength(outcomes.filter(({ ended }) => ended === 'won').length);
});

test('enforces the daily maximum in a race', async () => {
  await db.updateTable('site_settings').set({ max_daily_bookings: 3 }).execute();
  const [clients, provider] = [await addClients(db, 9), await addProvider(db)];
  const attempts = clients.map((_, client): Attempt => ({
    client,
    startsAt: `2026-02-23T${String(client < 4 ? 14 + client : 15 + client).padStart(2, '0')}:00:00Z`,
    durationMinutes: 30,
    recurrence: 'one_time',
  }));
  const outcomes = await race(attempts, 9, booker(clients, provider));
  await db.updateTable('site_settings').set({ max_daily_bookings: 100 }).execute();
  expect(tally(outcomes)).toEqual({ won: 3, 'precondition day_full': 6 });
  expect(outcomes.filter(({ ended }) => ended !== 'won').every(({ offered }) => offered === 5)).toBe(true);
});

test('reads the diary after waiting for its lock, never before', async () => {
  await db.updateTable('site_settings').set({ max_daily_bookings: 1 }).execute();
  const [[first, late], provider] = [await addClients(db, 2), await addProvider(db)];
  const at = (hour: number) =>
    bookInputFor(provider.id, service, `2026-02-24T${hour}:00:00Z`, { durationMinutes: 60 });
  const waiting = async () =>
    (
      await sql`select from pg_locks join pg_database on pg_database.oid = database
        where locktype = 'advisory' and not granted and datname = current_database()`.execute(db)
    ).rows.length;
  const blocked = transact(as(first!), async (tx) => {
    await lockDiaries(tx, [provider.id]);
    const waits = book(processes[1]!(late!), at(16)).catch((error: unknown) => error);
    await expect.poll(waiting).toBe(1);
    const party = { by: 'client', self: selfOf(tx), clientId: first!.id } as const;
    await bookOnce(tx, party, at(14));
    return { waits };
  });
  expect(await (await blocked).waits).toMatchObject({ reason: 'day_full' });
  await db.updateTable('site_settings').set({ max_daily_bookings: 100 }).execute();
});

test('gives a client one of several simultaneous sessions', async () => {
  const clients = await addClients(db, 1);
  const providers = await Promise.all(Array.from({ length: 8 }, () => addProvider(db)));
  const attempts = providers.map((): Attempt => ({
    client: 0,
    startsAt: '2026-02-23T15:00:00Z',
    durationMinutes: 60,
    recurrence: 'one_time',
  }));
  const outcomes = await race(attempts, 8, (attempt, index) =>
    booker(clients, providers[index]!)(attempt, index),
  );
  expect(tally(outcomes)).toEqual({ won: 1, 'conflict own_clash': 7 });
});

test('confirms two pending sessions once each, despite double clicks', async () => {
  const [clients, provider] = [await addClients(db, 2), await addProvider(db, { approvesFirst: true })];
  const attempts = clients.map((_, client): Attempt => ({
    client,
    startsAt: `2026-02-23T${14 + client * 2}:00:00Z`,
    durationMinutes: 90,
    recurrence: 'one_time',
  }));
  await race(attempts, 2, booker(clients, provider));
  const ids = (
    await db.selectFrom('appointments').select('id').where('provider_id', '=', provider.id).execute()
  ).map(({ id }) => id);
  const clicks = [...ids, ...ids].map((_, client) => ({ ...attempts[0]!, client }));
  const outcomes = await race(clicks, 4, (_, index) =>
    confirm(processes[index % 2]!(provider), ids[(index % 2) ^ (index >> 1)]!),
  );
  expect(tally(outcomes)).toEqual({ won: 2, 'conflict wrong_status': 2 });
  expect(await overlapping()).toBe(0);
});

test('keeps rows consistent when canceling and rescheduling race', async () => {
  const [clients, provider] = [await addClients(db, 6), await addProvider(db)];
  const attempts = clients
    .map((_, client): Attempt => ({
      client,
      startsAt: `2026-03-0${2 + client}T15:00:00Z`,
      durationMinutes: 60,
      recurrence: 'one_time',
    }))
    .slice(0, 5);
  await race(attempts, 5, booker(clients, provider));
  const rows = await db
    .selectFrom('appointments')
    .select(['id', 'client_id', 'starts_at'])
    .where('provider_id', '=', provider.id)
    .execute();
  const outcomes = await race([...attempts, ...attempts], 10, (_, index) => {
    const row = rows[index % 5]!;
    const client = clients.find(({ id }) => id === row.client_id)!;
    const moved = new Date(row.starts_at.getTime() + 3_600_000 * 5).toISOString();
    return index < 5
      ? cancel(processes[0]!(client), row.id)
      : reschedule(processes[1]!(client), row.id, moved);
  });
  const ended = tally(outcomes);
  // A reschedule may precede the same appointment's cancellation, but never follow it.
  expect((ended.won ?? 0) + (ended['conflict wrong_status'] ?? 0)).toBe(10);
  const after = await db
    .selectFrom('appointments')
    .innerJoin('participants', 'appointment_id', 'appointments.id')
    .select(['status', 'held', 'appointments.starts_at', 'participants.starts_at as held_from', 'sequence'])
    .where('provider_id', '=', provider.id)
    .execute();
  expect(after.every(({ status, held }) => status === 'cancelled' && !held)).toBe(true);
  expect(after.every((row) => row.starts_at.getTime() === row.held_from.getTime())).toBe(true);
});

test('lets one of many simultaneous reschedules have the time', { tags: ['long'] }, async () => {
  const [clients, provider] = [await addClients(db, 6), await addProvider(db)];
  const attempts = clients.map((_, client): Attempt => ({
    client,
    startsAt: `2026-04-${String(13 + (client % 5)).padStart(2, '0')}T${client < 5 ? 13 : 15}:00:00Z`,
    durationMinutes: 30,
    recurrence: 'one_time',
  }));
  expect(tally(await race(attempts, 6, booker(clients, provider)))).toEqual({ won: 6 });
  const rows = await db
    .selectFrom('appointments')
    .select(['id', 'client_id'])
    .where('provider_id', '=', provider.id)
    .execute();
  const outcomes = await race(attempts, 6, (_, index) => {
    const row = rows[index]!;
    const actor = clients.find(({ id }) => id === row.client_id)!;
    return reschedule(processes[index % 2]!(actor), row.id, '2026-04-20T14:00:00Z');
  });
  expect(tally(outcomes)).toEqual({ won: 1, 'conflict slot_taken': 5 });
  expect(outcomes.every(({ ended, offered }) => ended === 'won' || offered === 5)).toBe(true);
  expect(await overlapping()).toBe(0);
  await second.db.destroy();
});
