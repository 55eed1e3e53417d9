import { expect, test } from 'vitest';
import { searchAppointments } from '#/features/appointments/administration/queries.ts';
import { newId } from '#/platform/clock.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addAdministrator, addClient, addProvider } from '../../../../tests/support/people.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { attentionOf } from './queries.ts';

const now = '2026-03-02T12:00:00Z';
const { db, as } = await testDatabase({ now });
const admin = as(await addAdministrator(db));

test('is empty while nothing waits', async () => {
  expect(await attentionOf(admin)).toEqual([]);
});

test('counts what waits, most urgent first', async () => {
  const client = await addClient(db);
  const [suspended, ending, ended] = [await addProvider(db), await addProvider(db), await addProvider(db)];
  await db
    .updateTable('profiles')
    .set({ suspended_at: new Date(now) })
    .where('id', '=', suspended.id)
    .execute();
  for (const [{ id }, licensed_until] of [
    [ending, '2026-03-02'],
    [ended, '2026-03-01'],
  ] as const)
    await db.updateTable('providers').set({ licensed_until }).where('id', '=', id).execute();
  const session = (start: string, status: 'confirmed' | 'completed', provider = suspended) =>
    addSession(db, { client, provider, start, status });
  await session('2026-03-03T12:00:00Z', 'confirmed');
  await session('2026-03-04T12:00:00Z', 'confirmed');
  await session('2026-03-05T12:00:00Z', 'completed');
  await session('2026-03-06T12:00:00Z', 'confirmed', ending);
  await session('2026-03-01T12:00:00Z', 'confirmed');
  await sendMail(admin, {
    key: 'lost',
    kind: 'welcome',
    to: 'naomi@people.example',
    subject: 'Hello',
    text: 'Words',
    html: '<p>Words</p>',
  });
  await db
    .updateTable('mails')
    .set({ failed_at: new Date(now), fault: '550' })
    .execute();
  await db
    .insertInto('backups')
    .values({
      id: newId(),
      state: 'failed',
      origin: 'schedule',
      requested_at: new Date(now),
      started_at: new Date(now),
      finished_at: new Date(now),
      reason: 'disk_full',
    })
    .execute();
  await db
    .insertInto('audit_checks')
    .values({
      checked_at: new Date(now),
      entries: 1,
      broken: JSON.stringify({ kind: 'seal_removed', seq: 1 }),
    })
    .execute();
  expect(await attentionOf(admin)).toEqual([
    { concern: 'audit', count: 1 },
    { concern: 'backups', count: 1 },
    { concern: 'licensesEnded', count: 1 },
    { concern: 'sessions', count: 2 },
    { concern: 'licensesEnding', count: 1 },
    { concern: 'undelivered', count: 1 },
  ]);
  const listed = await searchAppointments(admin, { suspended: true, order: 'soonest', limit: 10 });
  expect(listed.appointments.map(({ provider }) => provider.id)).toEqual([suspended.id, suspended.id]);
});

test('counts nothing for people without the capability of its page', async () => {
  expect(await attentionOf(as(await addProvider(db)))).toEqual([]);
  expect(await attentionOf(as(await addClient(db)))).toEqual([]);
});
