import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '#/platform/db/database.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes } from '../../../../tests/support/people.ts';
import { screensOf } from '../../../../tests/support/screen-updates.ts';
import { book } from '../booking/commands.ts';
import { confirm } from '../life-cycle/commands.ts';
import { bookedSessions } from '../appointment/queries.ts';
import { expireUnanswered } from './commands.ts';

const { db, as, setNow, url, runJobs, readMails } = await testDatabase();
const service = await sixtyMinutes(db);
const job = as({ kind: 'job', name: 'expiry' });
const start = '2026-03-09T14:00:00Z';
const screens = await screensOf(url);
afterAll(() => screens.close());

async function waiting(startsAt = start) {
  setNow('2026-03-02T12:00:00Z');
  const [client, provider] = [await addClient(db), await addProvider(db, { approvesFirst: true })];
  const { bookingId, appointments } = await book(as(client), bookInputFor(provider.id, service, startsAt));
  const session = async () => (await bookedSessions(as(client), selfOf(as(client)), bookingId))[0]!;
  return { client, provider, id: appointments[0]!.id, session };
}

test('cancels an unanswered session at its start, frees its time, and notifies both', async () => {
  const { client, provider, id, session } = await waiting();
  const answered = await waiting();
  await confirm(as(answered.provider), answered.id);
  await runJobs();
  await db.deleteFrom('mails').execute();
  setNow('2026-03-09T13:59:59Z');
  await expireUnanswered(job);
  expect(await session()).toMatchObject({ status: 'pending', expired: false });
  setNow(start);
  await screens.clear();
  await expireUnanswered(job);
  expect(await screens.updates(client.id)).toEqual(['booking.changed other self']);
  expect(await session()).toMatchObject({
    status: 'cancelled',
    expired: true,
    cancelReason: null,
    sequence: 1,
    actions: [],
  });
  expect(await answered.session()).toMatchObject({ status: 'confirmed', expired: false });
  const held = await db.selectFrom('participants').select('held').where('appointment_id', '=', id).execute();
  expect(held).toEqual([{ held: false }, { held: false }]);
  const reminders = await db.selectFrom('reminders').select('id').where('appointment_id', '=', id).execute();
  expect(reminders).toEqual([]);
  const entries = await db
    .selectFrom('audit_entries')
    .select(['action', 'actor_kind', 'actor_name'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
  expect(entries).toEqual([{ action: 'booking.expired', actor_kind: 'job', actor_name: 'expiry' }]);
  await runJobs();
  const mails = await readMails();
  expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(
    [`${client.id}@people.example`, `${provider.id}@people.example`].toSorted(),
  );
  for (const { subject } of mails) expect(subject).toContain('not confirmed in time');
  expect(mails.find(({ recipient }) => recipient.startsWith(client.id))?.text_body).toContain(
    'your request wasn’t answered in time',
  );
});

test('expires each session once when two processes run at the same time', async () => {
  const sessions = [];
  for (let index = 0; index < 6; index++) sessions.push(await waiting());
  setNow(start);
  const second = connect(url, 5);
  await Promise.all([expireUnanswered(job), expireUnanswered({ ...job, db: second.db })]);
  await second.db.destroy();
  const entries = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => ['subject_id', fn.countAll<number>().as('n')])
    .where('action', '=', 'booking.expired')
    .where(
      'subject_id',
      'in',
      sessions.map(({ id }) => id),
    )
    .groupBy('subject_id')
    .execute();
  expect(entries.map(({ n }) => n)).toEqual([1, 1, 1, 1, 1, 1]);
  await expireUnanswered(job);
  for (const { session } of sessions) expect(await session()).toMatchObject({ sequence: 1 });
});

test('finds unanswered sessions through an index', async () => {
  await sql`set enable_seqscan = off`.execute(db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from appointments where status = 'pending' and starts_at <= now() order by starts_at, id`.execute(
    db,
  );
  await sql`reset enable_seqscan`.execute(db);
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('appointments_status_start');
});
