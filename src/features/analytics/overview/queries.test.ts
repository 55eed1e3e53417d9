import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, addProvider, type Person } from '../../../../tests/support/people.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { overview, usersSince } from './queries.ts';

// Still March in New York, the site's time zone.
const { db, as } = await testDatabase({ now: '2026-04-01T02:00:00Z' });
const ctx = as({ kind: 'system' });
const marchBegan = new Date('2026-03-01T05:00:00Z');

const cameAt = (person: Person, created_at: Date) =>
  db.updateTable('profiles').set({ created_at }).where('id', '=', person.id).execute();
const erasedAt = (person: Person, erased_at: string) =>
  db
    .updateTable('profiles')
    .set({ erased_at: new Date(erased_at) })
    .where('id', '=', person.id)
    .execute();

test('shows zeros without users, and never divides by zero', async () => {
  expect(await overview(ctx)).toEqual({
    totalUsers: { now: 0, before: 0 },
    activeProviders: { now: 0, before: 0 },
    pendingApprovals: { now: 0, before: 0 },
    activeSessions: { now: 0, before: 0, running: 0 },
  });
});

test('counts all accounts, and erased ones until their erasure', async () => {
  const [old, lastMinute, fresh, goneBefore, goneSince, cameAndWent] = await addClients(db, 6);
  await cameAt(old!, new Date('2025-01-01T00:00Z'));
  await cameAt(lastMinute!, new Date(marchBegan.getTime() - 1));
  await cameAt(fresh!, marchBegan);
  for (const [person, came, went] of [
    [goneBefore!, '2025-01-01T00:00Z', '2026-02-27T00:00Z'],
    [goneSince!, '2025-01-01T00:00Z', '2026-03-03T00:00Z'],
    [cameAndWent!, '2026-03-05T00:00Z', '2026-03-07T00:00Z'],
  ] as const) {
    await cameAt(person, new Date(came));
    await erasedAt(person, went);
  }
  expect((await overview(ctx)).totalUsers).toEqual({ now: 3, before: 3 });
  const moments = ['2024-12-31', '2025-06-01', '2026-02-28', '2026-03-04', '2026-03-06', '2026-03-20'];
  const there = [0, 3, 2, 3, 4, 3];
  const grown = await usersSince(
    ctx,
    moments.map((day) => new Date(`${day}T12:00Z`)),
  );
  expect(grown.map((since) => 3 - since)).toEqual(there);
});

test('counts specialists while listed with a valid license', async () => {
  const created = new Date('2026-01-05T00:00Z');
  const [staying, leaving, , expiring] = [
    await addProvider(db),
    await addProvider(db),
    await addProvider(db, { listed: false }),
    await addProvider(db),
    await addProvider(db),
  ];
  await db.deleteFrom('listing_changes').execute();
  for (let number = 0; number < 3; number++)
    await db.insertInto('listing_changes').values({ at: created, change: 1 }).execute();
  await db
    .insertInto('listing_changes')
    .values({ at: new Date('2026-03-20T00:00Z'), change: 1 })
    .execute();
  const change = (set: object, { id }: Person) =>
    db.updateTable('providers').set(set).where('id', '=', id).execute();
  await change({ licensed_until: '2026-03-10' }, expiring);
  expect((await overview(ctx)).activeProviders).toEqual({ now: 3, before: 3 });
  await change({ listed: false }, leaving);
  expect((await overview(ctx)).activeProviders).toEqual({ now: 2, before: 3 });
  await change({ listed: true, bio: 'Listens well.' }, staying);
  expect((await overview(ctx)).activeProviders).toEqual({ now: 2, before: 3 });
  await change({ listed: true }, leaving);
  expect((await overview(ctx)).activeProviders).toEqual({ now: 3, before: 3 });
});

test('counts applications until they are decided', async () => {
  const people = await addClients(db, 5);
  const day = (date: string) => new Date(`${date}T12:00Z`);
  for (const [index, [submitted, decided]] of (
    [
      ['2026-02-01', null],
      ['2026-02-02', '2026-02-20'],
      ['2026-02-03', '2026-03-02'],
      ['2026-03-04', '2026-03-05'],
      ['2026-03-06', null],
    ] as const
  ).entries()) {
    await db
      .insertInto('provider_applications')
      .values({
        id: newId(),
        person_id: people[index]!.id,
        kind: 'pastor',
        full_name: 'Boaz',
        phone: '',
        specialization: 'Grief',
        experience: '',
        education: [],
        location: '',
        time_zone: 'UTC',
        bio: '',
        languages: [],
        service_ids: [],
        credential_kind: 'ordination',
        credential_number: '1',
        credential_issuer: 'x',
        credential_region: 'x',
        credential_expires_on: null,
        status: decided ? 'rejected' : 'pending',
        reason: null,
        submitted_at: day(submitted),
        decided_at: decided && day(decided),
        decided_by: null,
      })
      .execute();
  }
  expect((await overview(ctx)).pendingApprovals).toEqual({ now: 2, before: 2 });
  await db
    .updateTable('provider_applications')
    .set({ status: 'approved', decided_at: new Date('2026-03-30T12:00Z') })
    .where('submitted_at', '=', day('2026-03-06'))
    .execute();
  expect((await overview(ctx)).pendingApprovals).toEqual({ now: 1, before: 2 });
});

test('compares this month’s sessions with the same part of last month', async () => {
  const [client] = await addClients(db, 1);
  const hour = async (start: string, status: 'confirmed' | 'completed' | 'no_show') =>
    addSession(db, { client: client!, provider: await addProvider(db), start, status });
  // March 31, 10 PM: shorter February is compared in full.
  await hour('2026-02-01T05:00:00Z', 'completed');
  await hour('2026-03-01T04:30:00Z', 'completed');
  await hour('2026-02-01T04:59:00Z', 'completed');
  await hour('2026-02-14T15:00:00Z', 'no_show');
  await hour('2026-03-01T05:00:00Z', 'completed');
  await hour('2026-03-14T15:00:00Z', 'completed');
  // Two in progress, one of them starting now; one upcoming; one over.
  await hour('2026-04-01T01:30:00Z', 'confirmed');
  await hour('2026-04-01T02:00:00Z', 'confirmed');
  await hour('2026-04-01T02:00:01Z', 'confirmed');
  await hour('2026-04-01T01:00:00Z', 'confirmed');
  expect((await overview(ctx)).activeSessions).toEqual({ now: 5, before: 2, running: 2 });
});
