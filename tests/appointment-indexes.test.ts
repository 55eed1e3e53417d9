import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { sealClear } from '#/app/seal-clear.ts';
import { selfOf } from '#/features/access/rules.ts';
import { overview } from '#/features/analytics/overview/queries.ts';
import { bookedSessions, myAppointments } from '#/features/appointments/appointment/queries.ts';
import { entriesOf } from '#/features/appointments/diary/queries.ts';
import { expireUnanswered } from '#/features/appointments/expiry/commands.ts';
import { requireServed } from '#/features/care/clients/policies.ts';
import { sessionsWith } from '#/features/care/clients/queries.ts';
import { testDatabase } from './support/database.ts';
import { fillAppointments } from './support/full-table.ts';
import { addClient, addService } from './support/people.ts';

// A single connection keeps its statistics current.
const { db, as, setNow } = await testDatabase({ poolSize: 1 });

async function indexScans(): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; scans: number }>`
    select indexrelname as name, idx_scan as scans from pg_stat_user_indexes
    where relname = 'appointments' and indexrelname not in (select conname from pg_constraint)`.execute(db);
  return new Map(rows.map(({ name, scans }) => [name, scans]));
}

test('every index of appointments serves a query', async () => {
  setNow('2026-06-01T12:00:00Z');
  await fillAppointments(db, { count: 5_000, from: '2026-03-01T00:00:00Z', specialists: 40 });
  const { client_id, provider_id } = await db
    .selectFrom('appointments')
    .select(['client_id', 'provider_id'])
    .limit(1)
    .executeTakeFirstOrThrow();
  const client = as({ kind: 'person', id: client_id, role: 'client', sessionId: newId() });
  const provider = as({ kind: 'person', id: provider_id, role: 'doctor', sessionId: newId() });
  const system = as({ kind: 'system' });
  const range = { from: '2026-05-01T00:00:00Z', to: '2026-05-03T00:00:00Z', limit: 50 };
  const span = { start: Date.parse(range.from), end: Date.parse(range.to) };
  const leaver = await addClient(db);
  const place = { id: newId(), provider_id, name: 'Office', address: 'Main Street', town: 'Boston' };
  await db
    .insertInto('places')
    .values({ ...place, latitude: null, longitude: null })
    .execute();
  const unbooked = await addService(db, { id: 'unbooked', durationMinutes: 60, priceCents: 0 });
  const uses: Record<string, () => Promise<unknown>> = {
    appointments_booking: () => bookedSessions(client, selfOf(client), newId()),
    appointments_cancelled_by: () => db.deleteFrom('users').where('id', '=', leaver.id).execute(),
    appointments_client_start: () => myAppointments(client, selfOf(client), range),
    appointments_in_clear: () => sealClear(system),
    appointments_place: () => db.deleteFrom('places').where('id', '=', place.id).execute(),
    appointments_provider_client: async () =>
      sessionsWith(provider, await requireServed(provider, client_id), { part: 'past', limit: 5, offset: 0 }),
    appointments_provider_start: () => entriesOf(provider, provider_id, span),
    appointments_service: () => db.deleteFrom('services').where('id', '=', unbooked).execute(),
    appointments_start: () => overview(system),
    appointments_status_start: () => expireUnanswered(system),
  };
  expect([...(await indexScans()).keys()].toSorted()).toEqual(Object.keys(uses));
  for (const [index, use] of Object.entries(uses)) {
    const before = await indexScans();
    await use();
    const after = await indexScans();
    const used = [...after].filter(([name, scans]) => scans !== before.get(name)).map(([name]) => name);
    expect(used, index).toContain(index);
  }
});
