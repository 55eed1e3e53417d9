import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import { connect } from '#/platform/db/database.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { scannedBy } from '../../../../tests/support/scans.ts';
import {
  addClient,
  addClients,
  addProvider,
  sixtyMinutes,
  type Person,
} from '../../../../tests/support/people.ts';
import { fillWith } from '../../../../tests/support/fill.ts';
import { proving } from '../../../../tests/support/prove.ts';
import { book } from '../booking/commands.ts';
import type { AppointmentView } from './contract.ts';
import { bookingContext, commitmentsOf } from '../diary/queries.ts';
import { clientFigures, providerFigures } from '../figures/queries.ts';
import { cancel, complete } from '../life-cycle/commands.ts';
import { bookingNotices, appointmentNotice } from '../notice/queries.ts';
import { appointmentView, myAppointments } from './queries.ts';
import { requireParty } from './policies.ts';

// A single connection keeps its statistics current.
const database = await testDatabase({ poolSize: 1 });
const { db, as } = database;
const service = await sixtyMinutes(db);

async function booked(
  client: Person,
  provider: Person,
  startsAt: string,
  weekly = 1,
): Promise<AppointmentView[]> {
  database.setNow('2026-02-16T12:00:00Z');
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, service, startsAt, {
      durationMinutes: 90,
      sessionType: 'phone',
      recurrence: weekly > 1 ? 'weekly' : 'one_time',
      sessions: Math.max(weekly, 2),
      contact: { name: 'Ruth', email: 'typed@people.example', phone: '+1 555 0100' },
    }),
  );
  return appointments;
}

test('no longer shows former specialists how to reach their clients', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const [{ id } = { id: '' }] = await booked(client, provider, '2026-02-24T20:00:00Z');
  const reachable = async (person: Person) => {
    const view = await appointmentView(as(person), (await requireParty(as(person), id)).appointmentId);
    return [view.client?.name, view.client?.email, view.client?.phone, view.calledAt];
  };
  expect(await reachable(provider)).toEqual(['Ruth', 'typed@people.example', '+1 555 0100', '+1 555 0100']);
  expect(await reachable({ ...provider, role: 'client' })).toEqual(['Ruth', null, null, null]);
  expect((await reachable(client))[3]).toBe('+1 555 0100');
});

test('lists each party’s own appointments, ascending', async () => {
  const [client, provider, stranger] = [await addClient(db), await addProvider(db), await addClient(db)];
  await booked(client, provider, '2026-02-24T20:00:00Z');
  await booked(client, provider, '2026-02-23T20:00:00Z');
  const range = { from: '2026-02-23T21:29:59Z', to: '2026-02-24T20:00:01Z', limit: 50 };
  const mine = async (person: Person, span = range) =>
    (await myAppointments(as(person), selfOf(as(person)), span)).map(({ startsAt, client: whom }) => [
      startsAt,
      whom?.name,
    ]);
  expect(await mine(client)).toEqual([
    ['2026-02-23T20:00:00Z', undefined],
    ['2026-02-24T20:00:00Z', undefined],
  ]);
  expect(await mine(provider)).toEqual([
    ['2026-02-23T20:00:00Z', 'Ruth'],
    ['2026-02-24T20:00:00Z', 'Ruth'],
  ]);
  expect(await mine(stranger)).toEqual([]);
  expect(await mine(client, { ...range, from: '2026-02-23T21:30:00Z' })).toHaveLength(1);
  expect(await mine(client, { ...range, to: '2026-02-24T20:00:00Z' })).toHaveLength(1);
  expect(await mine(client, { ...range, limit: 1 })).toHaveLength(1);
});

test('continues after the last row, even with equal start times', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const [first] = await booked(client, provider, '2026-02-23T20:00:00Z');
  const [later] = await booked(client, provider, '2026-02-24T20:00:00Z');
  await sql`
    insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status,
      kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
      client_time_zone, reminder_minutes, created_at, updated_at)
    select gen_random_uuid(), booking_id, 1, 1, client_id, provider_id, service_id, 'cancelled', kind, session_type,
      starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email, client_time_zone,
      reminder_minutes, created_at, updated_at
    from appointments, generate_series(1, 6) where id = ${first!.id}`.execute(db);
  const span = { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z', limit: 3 };
  for (const order of ['ascending', 'descending'] as const) {
    const read: AppointmentView[] = [];
    for (;;) {
      const last = read.at(-1);
      const beyond = last && { lastStart: last.startsAt, lastId: last.id };
      const page = await myAppointments(as(client), selfOf(as(client)), { ...span, order, ...beyond });
      read.push(...page);
      if (page.length < span.limit) break;
    }
    expect(new Set(read.map(({ id }) => id)).size).toBe(8);
    expect(read).toHaveLength(8);
    expect(read.at(order === 'ascending' ? -1 : 0)!.id).toBe(later!.id);
  }
  await expect(
    myAppointments(as(client), selfOf(as(client)), { ...span, lastId: first!.id }),
  ).rejects.toMatchObject({ code: 'invalid' });
});

test('counts a client’s stats by their own month', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const [first] = await booked(client, provider, '2026-02-23T20:00:00Z', 2);
  const [gone] = await booked(client, provider, '2026-02-25T20:00:00Z');
  await cancel(as(client), gone!.id);
  // Already March 1 in Auckland.
  await booked(client, provider, '2026-02-28T22:00:00Z');
  database.setNow('2026-02-23T21:30:00Z');
  await complete(as(provider), first!.id);
  const figures = (zone: string) => clientFigures(as(client), selfOf(as(client)), zone);
  expect(await figures('America/Chicago')).toEqual({ upcoming: 2, sessionsThisMonth: 2, hoursOfCare: 1.5 });
  expect((await figures('Pacific/Auckland')).sessionsThisMonth).toBe(1);
  await expect(figures('Mars/Base')).rejects.toMatchObject({ code: 'invalid', reason: 'unknown_zone' });
  const other = await addClient(db);
  expect(await clientFigures(as(other), selfOf(as(other)), 'UTC')).toEqual({
    upcoming: 0,
    sessionsThisMonth: 0,
    hoursOfCare: 0,
  });
});

test('counts a provider’s stats in their own time zone', async () => {
  const [client, provider] = [
    await addClient(db),
    await addProvider(db, { approvesFirst: true, timeZone: 'Asia/Tokyo' }),
  ];
  await db
    .updateTable('providers')
    .set({ rating_sum: 14, rating_count: 3 })
    .where('id', '=', provider.id)
    .execute();
  await booked(client, provider, '2026-02-27T05:00:00Z', 2);
  const [gone] = await booked(client, provider, '2026-02-27T01:00:00Z');
  await cancel(as(client), gone!.id);
  database.setNow('2026-02-26T16:00:00Z');
  expect(await providerFigures(as(provider), selfOf(as(provider)))).toEqual({
    today: 1,
    thisMonth: 1,
    pending: 2,
    rating: 4.7,
    reviewCount: 3,
    timeZone: 'Asia/Tokyo',
  });
  database.setNow('2026-02-27T07:00:00Z');
  expect((await providerFigures(as(provider), selfOf(as(provider)))).pending).toBe(1);
  await expect(providerFigures(as(client), selfOf(as(client)))).rejects.toMatchObject({ code: 'not_found' });
});

test('counts a provider’s days in the zone of their calendar, even after moving', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  // Feb 26, 18:00 in New York, Feb 27, 08:00 in Tokyo.
  await booked(client, provider, '2026-02-26T21:00:00Z');
  await db.updateTable('providers').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', provider.id).execute();
  database.setNow('2026-02-26T20:00:00Z');
  expect(await providerFigures(as(provider), selfOf(as(provider)))).toMatchObject({ today: 1 });
  database.setNow('2026-02-26T13:00:00Z');
  expect(await providerFigures(as(provider), selfOf(as(provider)))).toMatchObject({ today: 0 });
});

test('includes both parties’ account email addresses only in notices to jobs', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const sessions = await booked(client, provider, '2026-02-23T20:00:00Z', 3);
  const job = as({ kind: 'job', name: 'test' });
  const notices = await bookingNotices(job, sessions[0]!.bookingId);
  expect(notices.map(({ startsAt }) => startsAt.toString())).toEqual(
    sessions.map(({ startsAt }) => startsAt),
  );
  const notice = await appointmentNotice(job, sessions[1]!.id);
  expect(notice).toMatchObject({
    seriesIndex: 2,
    client: {
      id: client.id,
      email: `${client.id}@people.example`,
      timeZone: 'America/Chicago',
      contact: { email: 'typed@people.example' },
    },
    provider: { id: provider.id, timeZone: 'America/New_York' },
  });
  await expect(appointmentNotice(as(client), sessions[1]!.id)).rejects.toBeInstanceOf(AppError);
  await expect(appointmentNotice(job, newId())).rejects.toMatchObject({ code: 'not_found' });
});

test('uses indexes with many rows, and plans the booking queries once', { tags: ['long'] }, async () => {
  const [clients, providers] = [
    await addClients(db, 300),
    await Promise.all([1, 2, 3, 4].map(() => addProvider(db))),
  ];
  const [first] = await booked(clients[0]!, providers[0]!, '2026-02-23T20:00:00Z');
  const ids = (people: Person[]) => sql`${sql.val(people.map(({ id }) => id))}::uuid[]`;
  const many = sql`generate_series(1, ${proving ? 1_000_000 : 8_000}::int) n`;
  await fillWith(db, async (tx) => {
    await sql`
    insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
    select md5(n::text)::uuid, (${ids(clients)})[1 + n % 300], md5(n::text)::uuid, 'Many', 'one_time', now()
    from ${many}`.execute(tx);
    await sql`
    insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status,
      kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
      client_time_zone, reminder_minutes, created_at, updated_at)
    select gen_random_uuid(), md5(n::text)::uuid, 1, 1, (${ids(clients)})[1 + n % 300], (${ids(providers)})[1 + n % 4],
      ${service}, 'confirmed', 'follow-up', 'online', at, at + interval '1 hour', at + interval '75 minutes', at::date,
      0, 'Many', 'm@people.example', 'UTC', 15, at, at
    from (select n, timestamptz '2026-03-17Z' + (n / 4) * interval '2 hours' as at from ${many}) as hours
  `.execute(tx);
    await sql`
    insert into participants select id, unnest(array[client_id, provider_id]), starts_at, ends_at, true
    from appointments where contact_name = 'Many'`.execute(tx);
  });
  await sql`analyze`.execute(db);
  const span = { start: Date.parse('2027-01-01'), end: Date.parse('2027-02-01') };
  const range = { from: '2027-01-01T00:00:00Z', to: '2027-02-01T00:00:00Z', limit: 50 };
  const [client, provider] = [as(clients[1]!), as(providers[1]!)];
  for (const [name, read] of Object.entries({
    'both diaries': () =>
      commitmentsOf(client, { providerId: providers[1]!.id, clientId: clients[1]!.id }, span),
    'a client’s appointments': () => myAppointments(client, selfOf(client), range),
    'a provider’s appointments': () => myAppointments(provider, selfOf(provider), range),
    'a client’s earlier appointments': () =>
      myAppointments(client, selfOf(client), {
        ...range,
        order: 'descending',
        lastStart: '2027-01-15T00:00:00Z',
        lastId: first!.id,
      }),
    'a client’s figures': () => clientFigures(client, selfOf(client), 'UTC'),
    'a provider’s figures': () => providerFigures(provider, selfOf(provider)),
    'one appointment': async () =>
      appointmentView(as(clients[0]!), (await requireParty(as(clients[0]!), first!.id)).appointmentId),
  })) {
    const scanned = await scannedBy(db, ['appointments', 'participants'], read);
    expect({ name, scanned }).toEqual({ name, scanned: [] });
  }
  // A fresh connection has no plans cached from when the tables were small.
  const { db: fresh } = connect(database.url, 1);
  const parties = { providerId: providers[1]!.id, clientId: clients[1]!.id };
  for (const [name, read] of Object.entries({
    'what a booking is decided on': () =>
      bookingContext({ ...client, db: fresh }, { ...parties, key: newId() }, span),
    'what the mails of a booking say': () =>
      bookingNotices({ ...as({ kind: 'system' }), db: fresh }, first!.bookingId),
  })) {
    // PostgreSQL tries a generic plan after five custom ones.
    for (let time = 1; time <= 6; time++) await read();
    const { rows } = await sql<{ plans: number }>`
      select generic_plans as plans from pg_prepared_statements order by prepare_time desc limit 1`.execute(
      fresh,
    );
    expect({ name, plannedForAll: rows[0]!.plans }).toEqual({ name, plannedForAll: 1 });
  }
  await fresh.destroy();
});
