import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { fillAppointments } from '../../../../tests/support/full-table.ts';
import { addClient, addProvider, sixtyMinutes } from '../../../../tests/support/people.ts';
import { book } from '../booking/commands.ts';
import { queueDueReminders } from './commands.ts';

const { db, as, url, setNow } = await testDatabase({ now: '2026-02-16T12:00:00Z' });
const service = await sixtyMinutes(db);

/** Runs as the scheduler of another process would, and records what it queues. */
function worker(connection: typeof db, queued: string[]): Ctx {
  const emit: Ctx['emit'] = async (_tx, event, payload) => {
    queued.push(`${event} ${Object.values(payload).join()}`);
  };
  return { ...as({ kind: 'job', name: 'reminders' }), db: connection, emit };
}

const waiting = async () =>
  (await db.selectFrom('reminders').select('id').where('queued_at', 'is', null).execute()).map(
    ({ id }) => id,
  );

test('queues each reminder once when it is due, in any number of processes', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await book(
    as(client),
    bookInputFor(provider.id, service, '2026-02-23T20:00:00Z', { reminderMinutes: 1440 }),
  );
  const [own, ...site] = (await db.selectFrom('reminders').select('id').orderBy('due_at').execute()).map(
    ({ id }) => id,
  );
  const second = connect(url, 2);
  const queued: string[] = [];
  const runAll = () =>
    Promise.all([db, second.db, db, second.db].map((one) => queueDueReminders(worker(one, queued))));
  setNow('2026-02-22T19:59:59Z');
  await runAll();
  expect(queued).toEqual([]);
  setNow('2026-02-22T20:00:00Z');
  await runAll();
  expect(queued).toEqual([`booking.reminder_due ${own}`]);
  expect((await waiting()).toSorted()).toEqual(site.toSorted());
  // The program was down when these were due.
  setNow('2026-02-24T00:00:00Z');
  await runAll();
  await second.db.destroy();
  expect(queued.toSorted()).toEqual([own, ...site].map((id) => `booking.reminder_due ${id}`).toSorted());
});

test('queues none whose transaction fails', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await book(as(client), bookInputFor(provider.id, service, '2026-03-02T20:00:00Z'));
  setNow('2026-03-02T19:00:00Z');
  const before = await waiting();
  const failing: Ctx = { ...worker(db, []), emit: () => Promise.reject(new Error('no jobs')) };
  await expect(queueDueReminders(failing)).rejects.toThrow('no jobs');
  expect(await waiting()).toEqual(before);
});

test('queues thousands at once, in batches', { tags: ['long'] }, async () => {
  await fillAppointments(db, { count: 1_200, from: '2026-03-10T00:00:00Z' });
  await sql`insert into reminders (id, appointment_id, person_id, kind, due_at)
    select gen_random_uuid(), id, client_id, 'site', starts_at from appointments
    on conflict do nothing`.execute(db);
  setNow('2028-01-01T00:00:00Z');
  const due = await waiting();
  const queued: string[] = [];
  await queueDueReminders(worker(db, queued));
  expect(queued).toHaveLength(due.length);
  expect(due.length).toBeGreaterThan(1_200);
  expect(await waiting()).toEqual([]);
});
