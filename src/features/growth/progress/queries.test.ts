import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { selfOf } from '#/features/booking/queries.ts';
import { achieveGoal, addGoal, removeGoal, tickStep } from '#/features/growth/goals/commands.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { askPrayer, markPrayed } from '#/features/growth/prayers/commands.ts';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from '../../../../tests/support/people.ts';
import { progressOf } from './queries.ts';

const { db, as, setNow } = await testDatabase();
const service = await sixtyMinutes(db);

async function addSession(client: Person, provider: Person, start: string, status = 'completed') {
  const bookingId = newId();
  await db
    .insertInto('bookings')
    .values({
      id: bookingId,
      client_id: client.id,
      idempotency_key: newId(),
      fingerprint: '',
      recurrence: 'one_time',
      created_at: new Date(start),
    })
    .execute();
  await sql`
    insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status,
      kind, session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
      client_time_zone, reminder_minutes, created_at, updated_at)
    select gen_random_uuid(), ${bookingId}, 1, 1, ${client.id}, ${provider.id}, ${service}, ${status}, 'follow-up',
      'online', at, at + interval '1 hour', at + interval '75 minutes', at::date, 0, 'C', 'c@people.example', 'UTC', 15,
      at, at from (select ${start}::timestamptz as at) as start`.execute(db);
}

async function setZone(person: Person, timeZone: string | null): Promise<void> {
  await db.updateTable('profiles').set({ time_zone: timeZone }).where('id', '=', person.id).execute();
}

test('progress counts what a person did, by the days and months of their own zone', async () => {
  const [client, other, doctor] = [await addClient(db), await addClient(db), await addProvider(db)];
  await setZone(client, 'America/New_York');
  // Half past eleven in the evening of 28 February there, already March in UTC.
  await addSession(client, doctor, '2026-03-01T04:30:00Z');
  await addSession(client, doctor, '2026-03-08T06:30:00Z');
  // The same day there: its clocks were put forward in between.
  setNow('2026-03-09T03:30:00Z');
  const goal = await addGoal(as(client), { title: 'Rest', steps: [{ text: 'One' }] });
  await tickStep(as(client), { goalId: goal.id, stepId: goal.steps[0]!.id, done: true });
  await achieveGoal(as(client), goal.id, true);
  setNow('2026-03-10T12:00:00Z');
  await writeEntry(as(client), { text: 'x', date: '2026-02-28' });
  await writeEntry(as(client), { text: 'x', date: '2026-01-15' });
  const { id } = await askPrayer(as(client), {
    text: 'x',
    audience: 'counsellor',
    providerId: doctor.id,
    showName: false,
  });
  setNow('2026-03-12T12:00:00Z');
  await markPrayed(as(doctor), id, undefined);
  // None of these count: not yet held, missed, removed, somebody else's.
  await addSession(client, doctor, '2026-03-11T15:00:00Z', 'confirmed');
  await addSession(client, doctor, '2026-03-12T15:00:00Z', 'no_show');
  const removed = await addGoal(as(client), { title: 'Removed', steps: [] });
  await achieveGoal(as(client), removed.id, true);
  await removeGoal(as(client), removed.id);
  await db
    .updateTable('goals')
    .set({ achieved_at: new Date('2026-03-09T03:30:00Z') })
    .where('id', '=', removed.id)
    .execute();
  await addSession(other, doctor, '2026-03-05T15:00:00Z');

  const progress = await progressOf(as(client), selfOf(as(client)));
  expect(progress).toMatchObject({
    timeZone: 'America/New_York',
    sessionsCompleted: 2,
    resourcesUsed: 0,
    goalsAchieved: 1,
    // 15 January, 28 February, 8 and 10 March.
    daysActive: 4,
  });
  expect(progress.months.slice(-3)).toEqual([
    { month: '2026-01', sessions: 0, activeDays: 1 },
    { month: '2026-02', sessions: 1, activeDays: 1 },
    { month: '2026-03', sessions: 1, activeDays: 2 },
  ]);
  // For the provider: three sessions that they held, and the day on which they prayed.
  expect(await progressOf(as(doctor), selfOf(as(doctor)))).toMatchObject({
    sessionsCompleted: 3,
    daysActive: 4,
  });

  await setZone(client, 'Asia/Kathmandu');
  // 15 January, 28 February, 1, 8, 9 and 10 March.
  expect(await progressOf(as(client), selfOf(as(client)))).toMatchObject({ daysActive: 6 });
});

test('days are those that Temporal counts, whatever the zone', async () => {
  setNow('2026-06-01T12:00:00Z');
  const [client, doctor] = [await addClient(db), await addProvider(db)];
  const starts = Array.from({ length: 60 }, (_, index) =>
    Temporal.Instant.from('2025-06-02T00:07:00Z').add({ hours: 131 * index + (index % 5) * 7 }),
  );
  for (const start of starts) await addSession(client, doctor, start.toString());
  for (const timeZone of [
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'America/St_Johns',
    'Australia/Lord_Howe',
    null,
  ]) {
    await setZone(client, timeZone);
    const progress = await progressOf(as(client), selfOf(as(client)));
    const dates = starts.map((start) => start.toZonedDateTimeISO(progress.timeZone).toPlainDate());
    expect(progress.daysActive).toBe(new Set(dates.map(String)).size);
    for (const { month, sessions, activeDays } of progress.months) {
      const inMonth = dates.map(String).filter((date) => date.startsWith(month));
      expect([month, sessions, activeDays]).toEqual([month, inMonth.length, new Set(inMonth).size]);
    }
  }
});
