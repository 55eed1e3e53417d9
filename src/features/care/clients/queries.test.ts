import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addClient,
  addClients,
  addProvider,
  sixtyMinutes,
  type Person,
} from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { setSharing } from '../sharing/commands.ts';
import { requireServed } from './policies.ts';
import { clientsOf, clientView, sessionsWith } from './queries.ts';
import type { ClientOrder } from './contract.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

const listed = (
  person: Person,
  wish: { search?: string; order?: ClientOrder; limit?: number; offset?: number } = {},
) => clientsOf(as(person), selfOf(as(person)), { search: '', order: 'next', limit: 25, offset: 0, ...wish });

async function named(name: string): Promise<Person> {
  const person = await addClient(db);
  await db.updateTable('profiles').set({ full_name: name }).where('id', '=', person.id).execute();
  return person;
}

describe('a provider’s clients', () => {
  test('are people they serve or have served, sorted by next session, last session or name', async () => {
    const [doctor, other] = [await addProvider(db), await addProvider(db)];
    const [zoe, anna, ben] = [await named('Zoë Álvarez'), await named('anna'), await named('Ben')];
    const stranger = await named('Stranger');
    await addSession(db, { client: zoe, provider: doctor, start: '2026-02-01T10:00:00Z' });
    await addSession(db, {
      client: zoe,
      provider: doctor,
      start: '2026-03-04T10:00:00Z',
      status: 'confirmed',
    });
    await addSession(db, {
      client: anna,
      provider: doctor,
      start: '2026-02-20T10:00:00Z',
      status: 'no_show',
    });
    // In progress.
    await addSession(db, {
      client: ben,
      provider: doctor,
      start: '2026-03-02T11:30:00Z',
      status: 'confirmed',
    });
    await addSession(db, { client: stranger, provider: other });
    const names = async (order: ClientOrder) =>
      (await listed(doctor, { order })).clients.map(({ name }) => name);
    expect(await names('next')).toEqual(['Ben', 'Zoë Álvarez', 'anna']);
    expect(await names('last')).toEqual(['anna', 'Zoë Álvarez', 'Ben']);
    expect(await names('name')).toEqual(['anna', 'Ben', 'Zoë Álvarez']);
    const { clients } = await listed(doctor);
    expect(clients[1]).toMatchObject({
      id: zoe.id,
      erased: false,
      lastSession: '2026-02-01T10:00:00Z',
      nextSession: '2026-03-04T10:00:00Z',
    });
    expect(clients[0]).toMatchObject({ lastSession: null, nextSession: '2026-03-02T11:30:00Z' });
    expect((await listed(doctor, { search: 'alva' })).clients.map(({ id }) => id)).toEqual([zoe.id]);
    expect((await listed(doctor, { search: '%' })).clients).toEqual([]);
    expect(await listed(doctor, { limit: 2 })).toMatchObject({ clients: [{}, {}], more: true });
    expect(await listed(doctor, { limit: 2, offset: 2 })).toMatchObject({ clients: [{}], more: false });
    expect((await listed(other)).clients.map(({ id }) => id)).toEqual([stranger.id]);
  });

  test('stay after every session is canceled, and show as deleted with their account', async () => {
    const [doctor, client] = [await addProvider(db), await addClient(db)];
    const id = await addSession(db, { client, provider: doctor, status: 'confirmed' });
    await db.updateTable('appointments').set({ status: 'cancelled' }).where('id', '=', id).execute();
    await setSharing(as(client), { providerId: doctor.id, profile: true, goals: true, progress: true });
    await db
      .updateTable('profiles')
      .set({ erased_at: new Date('2026-03-01T00:00:00Z') })
      .where('id', '=', client.id)
      .execute();
    expect((await listed(doctor)).clients).toMatchObject([
      { erased: true, lastSession: null, nextSession: null },
    ]);
    expect(await clientView(as(doctor), await requireServed(as(doctor), client.id))).toMatchObject({
      erased: true,
      contact: null,
      sessions: { completed: 0, missed: 0, cancelled: 1, toCome: 0 },
      shared: { profile: null, goals: false, progress: false },
    });
  });

  test('show contact and sessions, with upcoming ones listed separately', async () => {
    const [doctor, client] = [await addProvider(db), await addClient(db)];
    const at = (start: string, status: 'completed' | 'confirmed' | 'no_show') =>
      addSession(db, { client, provider: doctor, start, status });
    const first = await at('2026-01-05T10:00:00Z', 'completed');
    const missed = await at('2026-02-05T10:00:00Z', 'no_show');
    const [soon, later] = [
      await at('2026-03-03T10:00:00Z', 'confirmed'),
      await at('2026-03-10T10:00:00Z', 'confirmed'),
    ];
    const served = await requireServed(as(doctor), client.id);
    expect(await clientView(as(doctor), served)).toMatchObject({
      id: client.id,
      contact: { email: 'naomi@weiss.example', phone: null, timeZone: 'America/Chicago' },
      since: '2026-01-05T10:00:00Z',
      sessions: { completed: 1, missed: 1, cancelled: 0, toCome: 2 },
      shared: { profile: null, goals: false, progress: false },
    });
    const part = async (of: 'to_come' | 'past', offset = 0) => {
      const { sessions, more } = await sessionsWith(as(doctor), served, { part: of, limit: 1, offset });
      return [sessions.map(({ id }) => id), more];
    };
    expect(await part('to_come')).toEqual([[soon], true]);
    expect(await part('to_come', 1)).toEqual([[later], false]);
    expect(await part('past')).toEqual([[missed], true]);
    expect(await part('past', 1)).toEqual([[first], false]);
    await db.updateTable('profiles').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', client.id).execute();
    expect((await clientView(as(doctor), served)).contact?.timeZone).toBe('Asia/Tokyo');
  });

  test('return not_found to everyone else, like an unknown person', async () => {
    const [doctor, other, client] = [await addProvider(db), await addProvider(db), await addClient(db)];
    await addSession(db, { client, provider: doctor });
    for (const who of [other, client, { ...(await addClient(db)), role: 'super_admin' as const }])
      expect(await refusalOf(requireServed(as(who), client.id))).toMatchObject({
        code: 'not_found',
        reason: 'client',
      });
  });
});

describe('with many appointments', () => {
  test('reads only a row or two per client, without scanning appointments', { tags: ['long'] }, async () => {
    const provider = await addProvider(db);
    const clients = await addClients(db, 500);
    const service = await sixtyMinutes(db);
    const bookingId = newId();
    await db
      .insertInto('bookings')
      .values({
        id: bookingId,
        client_id: clients[0]!.id,
        idempotency_key: newId(),
        fingerprint: '',
        recurrence: 'one_time',
        created_at: new Date(),
      })
      .execute();
    const ids = sql`(${sql.val(clients.map(({ id }) => id))}::uuid[])`;
    // Inserts in batches to stay under the statement timeout.
    for (let from = 0; from < 20_000; from += 10_000) {
      await sql`
        insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status,
            kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
            client_time_zone, reminder_minutes, created_at, updated_at)
          select gen_random_uuid(), ${bookingId}, 1, 1, ${ids}[1 + n % 500], ${provider.id}, ${service},
              case when n > 19000 then 'confirmed' else 'completed' end, 'consultation', 'online', at,
              at + interval '1 hour', at + interval '1 hour', at::date, 1, 'x', 'x@people.example', 'UTC', 60, at, at
            from generate_series(${from + 1}::int, ${from + 10_000}::int) as n,
              lateral (select timestamptz '2026-03-30T12:00:00Z' - (20000 - n) * interval '1 hour' as at) as t`.execute(
        db,
      );
    }
    await sql`analyze appointments`.execute(db);
    const before = await reads();
    const { clients: found, more } = await listed(provider, { search: 'Person' });
    const after = await reads();
    expect([found.length, more]).toEqual([25, true]);
    expect(after.scans).toBe(before.scans);
    // One index step per client, plus one lookup each for the last and next session.
    expect(after.entries - before.entries).toBeLessThan(clients.length * 5);
  });
});

/** Sequential scans and index entries read on `appointments` so far. */
async function reads(): Promise<{ scans: number; entries: number }> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ scans: number; entries: number }>`
    select seq_scan::int as scans,
        (select sum(idx_tup_read)::int from pg_stat_user_indexes where relname = 'appointments') as entries
      from pg_stat_user_tables where relname = 'appointments'`.execute(db);
  return rows[0]!;
}
