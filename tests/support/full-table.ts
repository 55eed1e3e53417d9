import { sql, type Kysely } from 'kysely';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import { fillWith } from './fill.ts';
import { addClients, addProvider, sixtyMinutes } from './people.ts';

/** Stores other people's hourly appointments from `from` on: deadlocks don't show on an empty table. */
export async function fillAppointments(
  db: Kysely<Database>,
  { count, from, specialists = 2 }: { count: number; from: string; specialists?: number },
): Promise<void> {
  const service = await sixtyMinutes(db);
  const providers: string[] = [];
  for (let each = 0; each < specialists; each++) providers.push((await addProvider(db)).id);
  const clients = (await addClients(db, 50)).map(({ id }) => id);
  const bookingId = newId();
  await fillWith(db, async (tx) => {
    await tx
      .insertInto('bookings')
      .values({
        id: bookingId,
        client_id: clients[0]!,
        idempotency_key: newId(),
        fingerprint: '',
        recurrence: 'one_time',
        created_at: new Date(),
      })
      .execute();
    await sql`
    insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status,
      kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
      client_time_zone, reminder_minutes, created_at, updated_at)
    select gen_random_uuid(), ${bookingId}, 1, 1, (${sql.val(clients)}::uuid[])[1 + n % 50],
      (${sql.val(providers)}::uuid[])[1 + n % ${specialists}], ${service}, 'confirmed', 'follow-up', 'online',
      at, at + interval '1 hour', at + interval '75 minutes', at::date, 0, 'Preloaded', 'p@people.example', 'UTC', 15, at, at
    from (select n, ${from}::timestamptz + n * interval '1 hour' as at from generate_series(1, ${count}) n) as hours
  `.execute(tx);
    await sql`
    insert into participants select id, unnest(array[client_id, provider_id]), starts_at, ends_at, true
      from appointments where booking_id = ${bookingId}
  `.execute(tx);
  });
  await sql`analyze`.execute(db);
}
