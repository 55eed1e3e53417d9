import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { block, unblock } from '#/features/availability/blocks/commands.ts';
import { removeDates, setDates } from '#/features/availability/dates/commands.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { transact } from '#/platform/db/transact.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from '../../../../tests/support/people.ts';
import { overlapsSql } from '../../../../tests/support/race.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { expireUnanswered } from '#/features/appointments/expiry/commands.ts';
import { cancel, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { cancelSeries } from '#/features/appointments/series/commands.ts';
import { joinForEarlierTime, leaveWaitingList, joinWaitlist } from '../commands.ts';
import type { WaitPreferences } from '../contract.ts';
import { ownWaits, waitingCount } from '../queries.ts';
import { declineOffer, acceptOffer as take, updateWaitingList } from './commands.ts';

const { db, as, setNow, runJobs, url, readMails } = await testDatabase({ poolSize: 10 });
const second = connect(url, 10);
const service = await sixtyMinutes(db);
const morning = '2026-03-02T15:00:00Z';

/** One bookable hour a week: Mondays at 10:00 in New York. */
const oneHour = [{ weekday: 1, from: '10:00', to: '11:00', placeId: null }];
const monday = '2026-03-09T14:00:00Z';
const nextMonday = '2026-03-16T14:00:00Z';

const anything: WaitPreferences = {
  untilDate: '2026-03-31',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  dayParts: ['morning', 'afternoon', 'evening'],
  timeZone: 'America/New_York',
};

function bookAs(
  client: Person,
  provider: Person,
  startsAt: string,
  recurrence: 'one_time' | 'weekly' = 'one_time',
  through = db,
) {
  return book(
    { ...as(client), db: through },
    bookInputFor(provider.id, service, startsAt, {
      sessionType: 'phone',
      recurrence,
      sessions: 2,
      contact: { name: 'Ruth', email: 'ruth@people.example', phone: '+1 617 555 0100' },
      timeZone: 'America/New_York',
    }),
  );
}

function askAs(client: Person, provider: Person, more: Partial<WaitPreferences> = {}, through = db) {
  return joinWaitlist(
    { ...as(client), db: through },
    {
      ...anything,
      ...more,
      providerId: provider.id,
      serviceId: service,
      durationMinutes: 60,
      sessionType: 'phone',
    },
  );
}

async function waitsOf(person: Person) {
  const ctx = as(person);
  return ownWaits(ctx, selfOf(ctx));
}

const number = '+1 617 555 0100';
/** Takes an offer with a phone number new to the account. */
const takeOffer = (ctx: Ctx, offerId: string) => take(ctx, offerId, number);

async function offersOf(person: Person) {
  return (await waitsOf(person)).flatMap(({ offers }) => offers);
}

/** Creates a provider whose next Mondays are booked, the client holding them, and a waiting list. */
async function fullProvider(waiting: number, until = '2026-03-15') {
  setNow(morning);
  const provider = await addProvider(db, { week: oneHour });
  const holder = await addClient(db);
  const { appointments } = await bookAs(holder, provider, monday);
  const people = [];
  for (let index = 0; index < waiting; index++) {
    setNow(`2026-03-02T15:00:${String(index).padStart(2, '0')}Z`);
    const person = await addClient(db);
    await askAs(person, provider, { untilDate: until });
    people.push(person);
  }
  return { provider, holder, taken: appointments[0]!.id, people };
}

test('offers an open time in waiting-list order, then to the next after the deadline', async () => {
  const { provider, holder, taken, people } = await fullProvider(2);
  expect(await waitingCount(as(provider), selfOf(as(provider)))).toBe(2);
  await runJobs();
  await db.deleteFrom('mails').execute();
  await cancel(as(holder), taken);
  await runJobs();
  const [first, next] = people as [Person, Person];
  expect(await offersOf(first)).toMatchObject([
    { startsAt: monday, endsAt: '2026-03-09T15:00:00Z', deadline: '2026-03-02T16:00:01Z' },
  ]);
  expect(await offersOf(next)).toEqual([]);
  const mails = await readMails((rows) => rows.where('recipient', '=', `${first.id}@people.example`));
  expect(mails).toHaveLength(1);
  expect(mails[0]!.subject).toContain('time available');
  expect(mails[0]!.text_body).toContain('https://italk.example/home');
  // The email leaks neither the provider nor the service.
  expect(JSON.stringify(mails)).not.toMatch(/hour of care|psychologist|doctor/i);
  setNow('2026-03-02T16:00:00Z');
  await updateWaitingList(as({ kind: 'job', name: 'test' }), provider.id);
  expect(await offersOf(next)).toEqual([]);
  setNow('2026-03-02T16:00:01Z');
  await updateWaitingList(as({ kind: 'job', name: 'test' }), provider.id);
  expect(await offersOf(next)).toMatchObject([{ startsAt: monday, deadline: '2026-03-02T17:00:01Z' }]);
  // An expired offer still works while the time is free.
  const { id } = (await offersOf(first))[0]!;
  expect(await takeOffer(as(first), id)).toMatchObject({ startsAt: monday, status: 'confirmed' });
  await runJobs();
  expect(await waitsOf(first)).toEqual([]);
  expect(await waitsOf(next)).toMatchObject([{ offers: [] }]);
});

test(
  'books one of two people accepting at once; the other stays on the waiting list',
  { tags: ['long'] },
  async () => {
    for (let round = 0; round < 8; round++) {
      const { provider, holder, taken, people } = await fullProvider(2);
      await cancel(as(holder), taken);
      await runJobs();
      setNow('2026-03-02T17:00:00Z');
      await updateWaitingList(as({ kind: 'job', name: 'test' }), provider.id);
      const offers = await Promise.all(people.map(offersOf));
      expect(offers.map((one) => one.length)).toEqual([1, 1]);
      const clicks = people.map((person, index) => {
        const ctx = index === round % 2 ? as(person) : { ...as(person), db: second.db };
        return takeOffer(ctx, offers[index]![0]!.id).then(
          () => 'won',
          (error: unknown) => (error as { reason?: string }).reason ?? String(error),
        );
      });
      const ended = await Promise.all(clicks);
      expect(ended.toSorted()).toEqual(['offer_taken', 'won']);
      const loser = people[ended.indexOf('offer_taken')]!;
      await runJobs();
      expect(await waitsOf(loser)).toMatchObject([{ offers: [] }]);
      expect((await sql.raw(overlapsSql).execute(db)).rows).toEqual([]);
      const held = await db
        .selectFrom('appointments')
        .select('client_id')
        .where('provider_id', '=', provider.id)
        .where('status', '=', 'confirmed')
        .execute();
      expect(held).toEqual([{ client_id: people[ended.indexOf('won')]!.id }]);
      // The loser gets the next offer once the winner cancels.
      const [{ id }] = (await db
        .selectFrom('appointments')
        .select('id')
        .where('provider_id', '=', provider.id)
        .where('status', '=', 'confirmed')
        .execute()) as [{ id: string }];
      setNow('2026-03-02T17:10:00Z');
      await cancel(as(people[ended.indexOf('won')]!), id);
      await runJobs();
      expect(await offersOf(loser)).toMatchObject([{ startsAt: monday }]);
    }
  },
);

test('notifies people when an offered time is booked, and keeps them on the list', async () => {
  const { provider, holder, taken, people } = await fullProvider(1);
  await cancel(as(holder), taken);
  await runJobs();
  const { id } = (await offersOf(people[0]!))[0]!;
  await bookAs(await addClient(db), provider, monday);
  expect(await refusalOf(takeOffer(as(people[0]!), id))).toMatchObject({
    code: 'conflict',
    reason: 'offer_taken',
  });
  await runJobs();
  expect(await waitsOf(people[0]!)).toMatchObject([{ offers: [] }]);
});

const checksQueued = (bookingId: string) =>
  db
    .selectFrom('jobs.job' as never)
    .select(sql`id`.as('id'))
    .where(sql<boolean>`name = 'waitlist.booked' and data->'payload'->>'bookingId' = ${bookingId}`)
    .execute();

test('queues a check for a booking only while somebody waits', async () => {
  const { provider } = await fullProvider(0);
  const person = await addClient(db);
  const before = await bookAs(await addClient(db), provider, nextMonday);
  expect(await checksQueued(before.bookingId)).toEqual([]);
  const wait = await askAs(person, provider, { untilDate: '2026-03-17' });
  const meanwhile = await bookAs(await addClient(db), provider, '2026-03-23T14:00:00Z');
  expect(await checksQueued(meanwhile.bookingId)).toHaveLength(1);
  await leaveWaitingList(as(person), wait.id);
  const after = await bookAs(await addClient(db), provider, '2026-03-30T14:00:00Z');
  expect(await checksQueued(after.bookingId)).toEqual([]);
});

/** Commits `first` only once `second` waits for one of its locks. */
async function overlapping<First, Second>(
  first: (through: Ctx['db']) => Promise<First>,
  next: () => Promise<Second>,
): Promise<[First, Second]> {
  let waiting: Promise<Second>;
  const done = await transact({ ...as({ kind: 'system' }), db: second.db }, async (tx) => {
    const result = await first(tx.db);
    waiting = next();
    // Whoever doesn't wait ends, and fails the test.
    const ended = waiting.then(() => 'ended', String);
    const blocked = vi.waitUntil(async () => (await blockedConnections(db)) > 0, { timeout: 20_000 });
    expect(await Promise.race([ended, blocked])).toBe(true);
    return result;
  });
  return [done, await waiting!];
}

test('joining waits for a booking in progress, which queued no check', async () => {
  const { provider } = await fullProvider(0);
  const [booker, person] = [await addClient(db), await addClient(db)];
  const [booked] = await overlapping(
    (through) => bookAs(booker, provider, nextMonday, 'one_time', through),
    // Refused, had it read before the commit: this time was free.
    () => askAs(person, provider, { untilDate: '2026-03-17' }),
  );
  expect(await checksQueued(booked.bookingId)).toEqual([]);
  await cancel(as(booker), booked.appointments[0]!.id);
  await runJobs();
  expect(await offersOf(person)).toMatchObject([{ startsAt: nextMonday }]);
});

test('a booking waits for somebody who is joining, and queues a check', async () => {
  const { provider } = await fullProvider(0);
  const [booker, person] = [await addClient(db), await addClient(db)];
  const [, booked] = await overlapping(
    (through) => askAs(person, provider, { untilDate: '2026-03-15' }, through),
    () => bookAs(booker, provider, nextMonday),
  );
  expect(await checksQueued(booked.bookingId)).toHaveLength(1);
});

test('moves an appointment to the offered time and offers its old time to others', async () => {
  setNow(morning);
  const provider = await addProvider(db, { week: oneHour });
  const [holder, mover, other] = [await addClient(db), await addClient(db), await addClient(db)];
  const { appointments } = await bookAs(holder, provider, monday);
  const own = (await bookAs(mover, provider, nextMonday)).appointments[0]!;
  const wait = await joinForEarlierTime(as(mover), { ...anything, appointmentId: own.id });
  expect(wait).toMatchObject({ appointment: { id: own.id, startsAt: nextMonday }, durationMinutes: 60 });
  await askAs(other, provider, { untilDate: '2026-03-16' });
  await cancel(as(holder), appointments[0]!.id);
  await runJobs();
  const [offer] = await offersOf(mover);
  const moved = await takeOffer(as(mover), offer!.id);
  expect(moved).toMatchObject({ id: own.id, startsAt: monday, sequence: 1 });
  // Accepting again changes nothing.
  expect(await takeOffer(as(mover), offer!.id)).toMatchObject({ id: own.id, startsAt: monday });
  await runJobs();
  expect(await waitsOf(mover)).toEqual([]);
  expect(await offersOf(other)).toMatchObject([{ startsAt: nextMonday }]);
});

test('offers a declined time to the next person immediately', async () => {
  const { holder, taken, people } = await fullProvider(2);
  await cancel(as(holder), taken);
  await runJobs();
  const [first, next] = people as [Person, Person];
  expect(await declineOffer(as(first), (await offersOf(first))[0]!.id)).toMatchObject([{ offers: [] }]);
  await runJobs();
  expect(await offersOf(first)).toEqual([]);
  expect(await offersOf(next)).toMatchObject([{ startsAt: monday }]);
  await leaveWaitingList(as(next), (await waitsOf(next))[0]!.id);
  expect(await waitsOf(next)).toEqual([]);
  expect(await waitsOf(first)).toHaveLength(1);
});

test('withdraws an offer that changed preferences exclude, and asks the next person', async () => {
  const { provider, holder, taken, people } = await fullProvider(2);
  await cancel(as(holder), taken);
  await runJobs();
  const [first, next] = people as [Person, Person];
  expect(await offersOf(first)).toMatchObject([{ startsAt: monday }]);
  await askAs(first, provider, { untilDate: '2026-03-15', weekdays: [2] });
  await runJobs();
  expect(await offersOf(first)).toEqual([]);
  expect(await offersOf(next)).toMatchObject([{ startsAt: monday }]);
});

test('withdraws an offer once the appointment is at an earlier time', async () => {
  setNow(morning);
  const provider = await addProvider(db, { week: oneHour });
  const [holder, mover] = [await addClient(db), await addClient(db)];
  const { appointments } = await bookAs(holder, provider, nextMonday);
  const first = await bookAs(await addClient(db), provider, monday);
  const own = (await bookAs(mover, provider, '2026-03-23T14:00:00Z')).appointments[0]!;
  await joinForEarlierTime(as(mover), { ...anything, appointmentId: own.id });
  await cancel(as(holder), appointments[0]!.id);
  await runJobs();
  expect(await offersOf(mover)).toMatchObject([{ startsAt: nextMonday }]);
  await cancel(as(provider), first.appointments[0]!.id);
  await reschedule(as(mover), own.id, monday);
  await runJobs();
  expect(await offersOf(mover)).toEqual([]);
});

test('makes another offer a day after one lapses, and keeps both open', async () => {
  const { provider, holder, taken } = await fullProvider(0);
  const { appointments } = await bookAs(await addClient(db), provider, nextMonday);
  const person = await addClient(db);
  await askAs(person, provider, { untilDate: '2026-03-20' });
  await cancel(as(holder), taken);
  await runJobs();
  expect(await offersOf(person)).toMatchObject([{ startsAt: monday }]);
  setNow('2026-03-03T15:30:00Z');
  await cancel(as(provider), appointments[0]!.id);
  await runJobs();
  const both = await offersOf(person);
  expect(both).toMatchObject([{ startsAt: monday }, { startsAt: nextMonday }]);
  expect(await takeOffer(as(person), both[1]!.id)).toMatchObject({ startsAt: nextMonday });
});

test.each(['delete_after', 'suspended_at'] as const)('skips people with %s', async (column) => {
  const { provider, holder, taken, people } = await fullProvider(2);
  const [leaving, next] = people as [Person, Person];
  const setLeaving = (at: Date | null) =>
    db
      .updateTable('profiles')
      .set({ [column]: at })
      .where('id', '=', leaving.id)
      .execute();
  await setLeaving(new Date('2026-04-01T00:00:00Z'));
  await cancel(as(holder), taken);
  await runJobs();
  expect(await offersOf(leaving)).toEqual([]);
  expect(await offersOf(next)).toMatchObject([{ startsAt: monday }]);
  expect(await waitingCount(as(provider), selfOf(as(provider)))).toBe(1);
  await setLeaving(null);
});

test.each([{ suspended_at: new Date('2026-03-02T12:00:00Z') }, { role: 'doctor' as const }])(
  'withdraws the offer of somebody who can’t take it anymore: %o',
  async (change) => {
    const { provider, holder, taken, people } = await fullProvider(2);
    const [former, next] = people as [Person, Person];
    await cancel(as(holder), taken);
    await runJobs();
    expect(await offersOf(former)).toMatchObject([{ startsAt: monday }]);
    await db.updateTable('profiles').set(change).where('id', '=', former.id).execute();
    await updateWaitingList(as({ kind: 'system' }), provider.id);
    expect(await offersOf(former)).toEqual([]);
    expect(await offersOf(next)).toMatchObject([{ startsAt: monday }]);
  },
);

test('skips people who aren’t clients anymore', async () => {
  const { provider, holder, taken, people } = await fullProvider(2);
  const [former, next] = people as [Person, Person];
  await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', former.id).execute();
  await cancel(as(holder), taken);
  await runJobs();
  expect(await offersOf(next)).toMatchObject([{ startsAt: monday }]);
  expect(await waitingCount(as(provider), selfOf(as(provider)))).toBe(1);
});

test.each([{ session_types: ['online' as const] }, { session_lengths: [30] }, { listed: false }])(
  'offers nothing that the specialist stopped offering: %o',
  async (terms) => {
    const { provider, holder, taken, people } = await fullProvider(1);
    await db.updateTable('providers').set(terms).where('id', '=', provider.id).execute();
    await cancel(as(holder), taken);
    await runJobs();
    expect(await offersOf(people[0]!)).toEqual([]);
  },
);

test('offers nothing for a service that the specialist dropped', async () => {
  const { provider, holder, taken, people } = await fullProvider(1);
  await db.deleteFrom('provider_services').where('provider_id', '=', provider.id).execute();
  await cancel(as(holder), taken);
  await runJobs();
  expect(await offersOf(people[0]!)).toEqual([]);
});

test('offers times freed by new hours, removed blocks and expired sessions', async () => {
  const { provider, people } = await fullProvider(1, '2026-03-11');
  const [person] = people as [Person];
  const room = selfOf(as(provider));
  const wednesday = '2026-03-11T14:00:00Z';
  const windows = [{ from: '10:00', to: '11:00', placeId: null }];
  const span = { startsAt: '2026-03-11T13:00:00Z', endsAt: '2026-03-11T16:00:00Z', note: '' };
  const { id: blockId } = await block(as(provider), room, span);
  await setDates(as(provider), room, { from: '2026-03-11', windows, note: '' });
  await runJobs();
  expect(await offersOf(person)).toEqual([]);
  await unblock(as(provider), room, blockId);
  await runJobs();
  expect(await offersOf(person)).toMatchObject([{ startsAt: wednesday }]);
  // Blocking the time again withdraws its offers.
  await block(as(provider), room, span);
  await runJobs();
  expect(await offersOf(person)).toEqual([]);
  await removeDates(as(provider), room, { from: '2026-03-11' });
  await db
    .updateTable('appointments')
    .set({ status: 'pending', starts_at: new Date(morning) })
    .where('provider_id', '=', provider.id)
    .execute();
  await expireUnanswered(as({ kind: 'job', name: 'expiry' }));
  await runJobs();
  expect(await offersOf(person)).toMatchObject([{ startsAt: monday }]);
});

test('keeps an offer private to its client', async () => {
  const { provider, holder, taken, people } = await fullProvider(1);
  await cancel(as(holder), taken);
  await runJobs();
  const { id } = (await offersOf(people[0]!))[0]!;
  for (const stranger of [holder, provider, await addClient(db)]) {
    for (const act of [takeOffer, declineOffer]) {
      expect(await refusalOf(act(as(stranger), id))).toMatchObject({ code: 'not_found', reason: 'offer' });
      expect(await refusalOf(act(as(stranger), newId()))).toMatchObject({
        code: 'not_found',
        reason: 'offer',
      });
    }
    const [wait] = await waitsOf(people[0]!);
    expect(await refusalOf(leaveWaitingList(as(stranger), wait!.id))).toMatchObject({
      code: 'not_found',
      reason: 'wait',
    });
  }
});

test('ends a wait when its last date passes or its appointment is canceled or too late to move', async () => {
  const { provider, people } = await fullProvider(1, '2026-03-08');
  const job = as({ kind: 'job', name: 'test' });
  setNow('2026-03-09T04:30:00Z');
  expect(await waitsOf(people[0]!)).toEqual([]);
  await updateWaitingList(job, provider.id);
  const states = () =>
    db.selectFrom('waits').select('state').where('provider_id', '=', provider.id).execute();
  expect(await states()).toEqual([{ state: 'over' }]);
  const { id } = await db
    .selectFrom('waits')
    .select('id')
    .where('provider_id', '=', provider.id)
    .executeTakeFirstOrThrow();
  const noted = db.selectFrom('audit_entries').select(['actor_name', 'action']).where('subject_id', '=', id);
  expect(await noted.orderBy('id', 'desc').executeTakeFirst()).toEqual({
    actor_name: 'test',
    action: 'waitlist.over',
  });
  await db.deleteFrom('waits').where('provider_id', '=', provider.id).execute();
  const mover = await addClient(db);
  const own = (await bookAs(mover, provider, nextMonday)).appointments[0]!;
  await joinForEarlierTime(as(mover), { ...anything, untilDate: '2026-03-16', appointmentId: own.id });
  setNow('2026-03-16T13:59:00Z');
  await updateWaitingList(job, provider.id);
  expect(await states()).toEqual([{ state: 'over' }]);
  expect(await refusalOf(reschedule(as(mover), own.id, nextMonday))).toMatchObject({
    reason: 'deadline_passed',
  });
});

test.each([
  ['booked as new', null],
  ['moved', nextMonday],
])('resolves leaving the list and accepting (%s) at once to one outcome', async (_, start) => {
  for (let round = 0; round < 4; round++) {
    setNow(morning);
    const provider = await addProvider(db, { week: oneHour });
    const [holder, person] = [await addClient(db), await addClient(db)];
    const { appointments } = await bookAs(holder, provider, monday);
    if (start) {
      const own = (await bookAs(person, provider, start)).appointments[0]!;
      await joinForEarlierTime(as(person), { ...anything, appointmentId: own.id });
    } else await askAs(person, provider, { untilDate: '2026-03-15' });
    await cancel(as(holder), appointments[0]!.id);
    await runJobs();
    const [wait] = await waitsOf(person);
    const [, ended] = await Promise.all([
      leaveWaitingList(as(person), wait!.id),
      takeOffer({ ...as(person), db: second.db }, wait!.offers[0]!.id).then(
        () => 'won',
        (error: unknown) => (error as { reason?: string }).reason ?? String(error),
      ),
    ]);
    const { state } = await db
      .selectFrom('waits')
      .select('state')
      .where('id', '=', wait!.id)
      .executeTakeFirstOrThrow();
    expect([ended, state]).toEqual(ended === 'won' ? ['won', 'taken'] : ['wait_over', 'given_up']);
  }
});

test('asks for a phone number if the specialist has none', async () => {
  const { holder, taken, people } = await fullProvider(1);
  await cancel(as(holder), taken);
  await runJobs();
  const person = people[0]!;
  const offer = (await offersOf(person))[0]!.id;
  expect(await refusalOf(take(as(person), offer))).toMatchObject({
    code: 'invalid',
    fields: [{ field: 'contact.phone', reason: 'required' }],
  });
  expect(await take(as(person), offer, number)).toMatchObject({ calledAt: number });
});

test('offers times freed by canceling a whole series', async () => {
  setNow(morning);
  const provider = await addProvider(db, { week: oneHour });
  const [holder, person] = [await addClient(db), await addClient(db)];
  const { appointments } = await bookAs(holder, provider, monday, 'weekly');
  await askAs(person, provider, { untilDate: '2026-03-18' });
  await runJobs();
  expect(await offersOf(person)).toEqual([]);
  await cancelSeries(as(holder), {
    appointmentId: appointments[0]!.id,
    idempotencyKey: newId(),
    scope: 'all',
    chosen: appointments.map(({ id, sequence }) => ({ appointmentId: id, sequence })),
  });
  await runJobs();
  expect((await offersOf(person))[0]).toMatchObject({ startsAt: monday });
});
