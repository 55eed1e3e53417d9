import type { Kysely } from 'kysely';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import { sixtyMinutes } from './people.ts';

let sessions = 0;

interface Session {
  client: { id: string };
  provider: { id: string };
  start?: string;
  status?: 'completed' | 'confirmed' | 'no_show';
}

/** Stores a one-hour session and returns its id; completed by default, some hours before the previously stored one. */
export async function addSession(
  db: Kysely<Database>,
  { client, provider, start: startsAt, status = 'completed' }: Session,
): Promise<string> {
  const service = await sixtyMinutes(db);
  sessions += 1;
  const start = new Date(startsAt ?? Date.UTC(2026, 1, 27, 12) - sessions * 2 * 3_600_000);
  const end = new Date(start.getTime() + 3_600_000);
  const [bookingId, id] = [newId(), newId()];
  await db
    .insertInto('bookings')
    .values({
      id: bookingId,
      client_id: client.id,
      idempotency_key: newId(),
      fingerprint: '',
      recurrence: 'one_time',
      created_at: start,
    })
    .execute();
  await db
    .insertInto('appointments')
    .values({
      id,
      booking_id: bookingId,
      series_index: 1,
      series_count: 1,
      client_id: client.id,
      provider_id: provider.id,
      service_id: service,
      status,
      kind: 'consultation',
      session_type: 'online',
      starts_at: start,
      ends_at: end,
      blocked_until: end,
      local_date: start.toISOString().slice(0, 10),
      price_cents: 10_000,
      contact_name: 'Naomi Weiss',
      contact_email: 'naomi@weiss.example',
      contact_phone: null,
      client_time_zone: 'America/Chicago',
      sequence: 0,
      reminder_minutes: 60,
      cancelled_by: null,
      cancel_reason: null,
      created_at: start,
      updated_at: end,
    })
    .execute();
  return id;
}
