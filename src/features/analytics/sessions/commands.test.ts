import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../../tests/support/people.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { countSessions } from './commands.ts';
import { sessionsBetween } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-15T12:00:00Z' });
const job = as({ kind: 'job', name: 'figures' });
const client = await addClient(db);
const provider = await addProvider(db);

const bounds = ['2026-01-01T05:00Z', '2026-02-01T05:00Z', '2026-03-01T05:00Z', '2026-04-01T04:00Z'].map(
  (iso) => new Date(iso),
);

/** Reference implementation: scans all appointments. */
async function oneByOne() {
  const rows = await db.selectFrom('appointments').selectAll().execute();
  const now = job.now().epochMilliseconds;
  return bounds.slice(1).map((end, index) => {
    const within = rows.filter(({ starts_at }) => starts_at >= bounds[index]! && starts_at < end);
    const minutes = (of: typeof rows) =>
      of.reduce((sum, { starts_at, ends_at }) => sum + (ends_at.getTime() - starts_at.getTime()) / 60_000, 0);
    const held = within.filter(
      ({ status, starts_at }) => ['confirmed', 'completed'].includes(status) && starts_at.getTime() <= now,
    );
    return {
      sessions: held.length,
      minutes: minutes(held),
      bookedMinutes: minutes(within.filter(({ status }) => status !== 'cancelled')),
    };
  });
}

const waiting = async () => (await db.selectFrom('session_counts_changed').selectAll().execute()).length;

test('matches a full scan, before and after changes are counted', async () => {
  const ids: string[] = [];
  const statuses = ['completed', 'confirmed', 'no_show'] as const;
  for (let number = 0; number < 90; number++) {
    // Late December to late March: two simultaneous sessions about every two days.
    const start = new Date(
      Date.UTC(2025, 11, 29, 22) + Math.floor(number / 2) * 2 * 86_990_000,
    ).toISOString();
    const whose = number % 2 === 0 ? provider : await addProvider(db);
    ids.push(await addSession(db, { client, provider: whose, start, status: statuses[number % 3]! }));
  }
  const inserted = await oneByOne();
  expect(inserted.every(({ sessions }) => sessions > 5)).toBe(true);
  expect(inserted[2]!.bookedMinutes).toBeGreaterThan(inserted[2]!.minutes);
  expect(await waiting()).toBe(90);
  expect(await sessionsBetween(job, bounds)).toEqual(inserted);
  await countSessions(job);
  expect(await waiting()).toBe(0);
  expect(await sessionsBetween(job, bounds)).toEqual(inserted);

  const change = (set: object, id: string) =>
    db.updateTable('appointments').set(set).where('id', '=', id).execute();
  await change({ status: 'cancelled' }, ids[30]!);
  await change({ status: 'completed' }, ids[5]!);
  const moved = new Date('2026-02-10T10:30Z');
  const end = new Date('2026-02-10T12:00Z');
  await change({ starts_at: moved, ends_at: end, blocked_until: end }, ids[1]!);
  await db.deleteFrom('appointments').where('id', '=', ids[9]!).execute();
  const changed = await oneByOne();
  expect(changed).not.toEqual(inserted);
  expect(await sessionsBetween(job, bounds)).toEqual(changed);
  await Promise.all([countSessions(job), countSessions(job), countSessions(job)]);
  expect(await waiting()).toBe(0);
  expect(await sessionsBetween(job, bounds)).toEqual(changed);

  await change({ contact_phone: '+1 555 010 0142' }, ids[2]!);
  expect(await waiting()).toBe(0);
});

test('counts a change later if it commits after the others are counted', async () => {
  const before = await sessionsBetween(job, bounds);
  const id = await addSession(db, {
    client,
    provider: await addProvider(db),
    start: '2026-02-20T10:00:00Z',
    status: 'completed',
  });
  await countSessions(job);
  await db.transaction().execute(async (open) => {
    await open.updateTable('appointments').set({ status: 'cancelled' }).where('id', '=', id).execute();
    await addSession(db, {
      client,
      provider: await addProvider(db),
      start: '2026-02-20T10:00:00Z',
      status: 'completed',
    });
    await countSessions(job);
    expect((await sessionsBetween(job, bounds))[1]!.sessions).toBe(before[1]!.sessions + 2);
  });
  expect((await sessionsBetween(job, bounds))[1]!.sessions).toBe(before[1]!.sessions + 1);
  await countSessions(job);
  expect(await sessionsBetween(job, bounds)).toEqual(await oneByOne());
});
