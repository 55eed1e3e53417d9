import { sql, type Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';
import { addProvider, sixtyMinutes } from './people.ts';

/**
 * Adds clients with past sessions, participants, reminders and pending jobs, spread over providers. Everything lies
 * years back, so no current time is taken.
 */
export async function addCrowd(
  db: Kysely<Database>,
  { clients, sessionsEach, providers }: { clients: number; sessionsEach: number; providers: number },
): Promise<void> {
  const serviceId = await sixtyMinutes(db);
  const doctors = await Promise.all(Array.from({ length: providers }, () => addProvider(db)));
  const doctorIds = doctors.map(({ id }) => id);
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`create temporary table crowd on commit drop as
      select gen_random_uuid() as id, n from generate_series(0, ${clients - 1}::int) n`.execute(tx);
    await sql`insert into users (id, name, email)
      select id, E'Ruth\\tÅ\\\\' || n, 'crowd-' || n || '@people.example' from crowd`.execute(tx);
    await sql`insert into profiles (id, role, full_name)
      select id, 'client', E'Ruth\\nof the crowd “' || n || '”' from crowd`.execute(tx);
    await sql`create temporary table crowd_sessions on commit drop as
      select gen_random_uuid() as id, crowd.id as client_id, (${doctorIds}::uuid[])[1 + nth % ${providers}::int] as provider_id,
        timestamptz '2001-01-01T00:00Z' + (nth / ${providers}::int) * interval '2 hours' as at
      from crowd, generate_series(0, ${sessionsEach - 1}::int) k, lateral (select n * ${sessionsEach}::int + k as nth) one`.execute(
      tx,
    );
    await sql`insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
      select id, client_id, id, '', 'one_time', at from crowd_sessions`.execute(tx);
    await sql`insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id,
        status, kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name,
        contact_email, client_time_zone, reminder_minutes, created_at, updated_at)
      select id, id, 1, 1, client_id, provider_id, ${serviceId}, 'completed', 'follow-up', 'online', at,
        at + interval '1 hour', at + interval '75 minutes', at::date, 9000, 'Ruth', 'ruth@people.example', 'UTC', 15, at, at
      from crowd_sessions`.execute(tx);
    await sql`insert into participants (appointment_id, person_id, starts_at, ends_at, held)
      select id, unnest(array[client_id, provider_id]), at, at + interval '1 hour', false from crowd_sessions`.execute(
      tx,
    );
    await sql`insert into reminders (id, appointment_id, person_id, kind, due_at)
      select gen_random_uuid(), id, client_id, 'own', at - interval '15 minutes' from crowd_sessions`.execute(
      tx,
    );
    // Due far in the future, so no worker runs them.
    await sql`insert into jobs.job (name, data, start_after)
      select (select name from jobs.queue where name not like '\\_\\_%' order by name limit 1), jsonb_build_object('payload', jsonb_build_object('id', id)),
        now() + interval '900 days' from crowd_sessions where id::text < '4'`.execute(tx);
  });
  await sql`analyze`.execute(db);
}
