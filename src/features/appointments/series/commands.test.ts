import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx, Emit } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addClient,
  addProvider,
  sixtyMinutes,
  type Person,
  type ProviderTerms,
} from '../../../../tests/support/people.ts';
import { overlapsSql } from '../../../../tests/support/race.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { book } from '../booking/commands.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import type { BookInput } from '../booking/contract.ts';
import { freeStarts } from '../free-starts/queries.ts';
import { cancel, reschedule } from '../life-cycle/commands.ts';
import { cancelSeries, deleteOldSeriesChanges, rescheduleSeries } from './commands.ts';
import { checkMove, sessionsAhead } from './queries.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';

const database = await testDatabase();
const { db, url } = database;
const second = connect(url, 5);
afterAll(() => second.db.destroy());
const service = await sixtyMinutes(db);
const morning = '2026-02-16T12:00:00Z';
/** Mondays at 15:00 in New York, across the DST change on March 8. */
const mondays = [
  '2026-02-23T20:00:00Z',
  '2026-03-02T20:00:00Z',
  '2026-03-09T19:00:00Z',
  '2026-03-16T19:00:00Z',
];

let emitted: { event: string; payload: object }[] = [];
const emit: Emit = async (_tx, event, payload) => {
  emitted.push({ event, payload });
};

function as(person: Person | { kind: 'job'; name: string }): Ctx {
  return { ...database.as(person), emit };
}

function wish(provider: Person, more: Partial<BookInput> = {}): BookInput {
  return bookInputFor(provider.id, service, mondays[0]!, { recurrence: 'weekly', ...more });
}

async function series(terms: ProviderTerms = {}) {
  database.setNow(morning);
  const [client, provider] = [await addClient(db), await addProvider(db, terms)];
  const { appointments } = await book(as(client), wish(provider));
  emitted = [];
  return { client, provider, sessions: appointments };
}

const seen = (sessions: readonly AppointmentView[]) =>
  sessions.map(({ id, sequence }) => ({ appointmentId: id, sequence }));

function change(sessions: readonly AppointmentView[], from = sessions[0]!) {
  return {
    appointmentId: from.id,
    idempotencyKey: newId(),
    scope: 'all' as const,
    chosen: seen(sessions),
  };
}

async function stored(sessions: readonly AppointmentView[]) {
  const rows = await db
    .selectFrom('appointments')
    .select(['id', 'status', 'starts_at', 'sequence', 'cancel_reason'])
    .where(
      'id',
      'in',
      sessions.map(({ id }) => id),
    )
    .orderBy('series_index')
    .execute();
  return rows.map(
    (row) => [row.status, row.starts_at.toISOString().replace('.000', ''), row.sequence] as const,
  );
}

async function acts(id: string) {
  const rows = await db
    .selectFrom('audit_entries')
    .select(['action', 'details'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ action, details }) => [action, details] as const);
}

const count = async (table: 'reminders' | 'participants', sessions: readonly AppointmentView[]) =>
  (
    await db
      .selectFrom(table)
      .select('appointment_id')
      .where(
        'appointment_id',
        'in',
        sessions.map(({ id }) => id),
      )
      .$if(table === 'participants', (rows) => rows.where('held' as never, '=', true as never))
      .execute()
  ).length;

test('cancels this session and the following ones together', async () => {
  const { client, provider, sessions } = await series();
  const [first, ...rest] = sessions;
  expect((await sessionsAhead(as(provider), rest[0]!.id)).map(({ id }) => id)).toEqual(
    sessions.map(({ id }) => id),
  );
  const input = { ...change(rest), scope: 'following' as const, reason: 'We move away.' };
  const changed = await cancelSeries(as(client), input);
  expect(changed.map(({ id, status, cancelReason }) => [id, status, cancelReason])).toEqual(
    rest.map(({ id }) => [id, 'cancelled', 'We move away.']),
  );
  expect(await stored(sessions)).toEqual([
    ['confirmed', mondays[0], 0],
    ['cancelled', mondays[1], 1],
    ['cancelled', mondays[2], 1],
    ['cancelled', mondays[3], 1],
  ]);
  expect(emitted).toEqual([
    {
      event: 'booking.series_changed',
      payload: { appointmentIds: rest.map(({ id }) => id), change: 'cancelled', by: 'client' },
    },
  ]);
  expect(await count('reminders', rest)).toBe(0);
  expect(await count('participants', rest)).toBe(0);
  expect(await count('reminders', [first!])).toBe(3);
  for (const { id } of rest) {
    expect(await acts(id)).toEqual([['booking.cancelled', { by: 'client', series: 'following' }]]);
  }
  await book(as(await addClient(db)), wish(provider, { startsAt: mondays[1]!, sessions: 3 }));
});

test('changes a series once per idempotency key, and rejects other uses of it', async () => {
  const { client, sessions } = await series();
  const input = change(sessions);
  const [once, twice] = await Promise.all([cancelSeries(as(client), input), cancelSeries(as(client), input)]);
  expect(twice).toEqual(once);
  expect(await cancelSeries(as(client), input)).toEqual(once);
  expect(emitted).toHaveLength(1);
  expect((await stored(sessions)).map(([, , sequence]) => sequence)).toEqual([1, 1, 1, 1]);
  expect(await refusalOf(cancelSeries(as(client), { ...input, scope: 'following' }))).toMatchObject({
    reason: 'idempotency_key_reused',
  });

  const other = await series();
  const move = { ...change(other.sessions), startsAt: '2026-02-24T20:00:00Z' };
  const moved = await Promise.all([1, 2, 3].map(() => rescheduleSeries(as(other.provider), move)));
  expect(moved[1]).toEqual(moved[0]);
  expect(emitted).toHaveLength(1);
  expect((await stored(other.sessions)).map(([, , sequence]) => sequence)).toEqual([1, 1, 1, 1]);
});

test('deletes idempotency keys after a week', async () => {
  const { client, sessions } = await series();
  await cancelSeries(as(client), change(sessions));
  const job = as({ kind: 'job', name: 'tidy' });
  const keys = () =>
    db.selectFrom('series_changes').select('person_id').where('person_id', '=', client.id).execute();
  database.setNow('2026-02-23T11:59:59Z');
  await deleteOldSeriesChanges({ ...job, now: database.as(client).now });
  expect(await keys()).toHaveLength(1);
  database.setNow('2026-02-23T12:00:01Z');
  await deleteOldSeriesChanges({ ...job, now: database.as(client).now });
  expect(await keys()).toEqual([]);
});

test('skips sessions too late for the client, and cancels none if one was selected anyway', async () => {
  const { client, provider, sessions } = await series();
  database.setNow('2026-02-23T19:00:00Z');
  const refused = await refusalOf(cancelSeries(as(client), change(sessions, sessions[1])));
  expect(refused).toMatchObject({ code: 'precondition', reason: 'deadline_passed' });
  expect((await stored(sessions)).map(([status]) => status)).toEqual(Array(4).fill('confirmed'));
  const ahead = await sessionsAhead(as(client), sessions[1]!.id);
  expect(ahead.map(({ actions }) => actions.includes('cancel'))).toEqual([false, true, true, true]);
  await cancelSeries(as(client), change(sessions.slice(1)));
  expect((await stored(sessions)).map(([status]) => status)).toEqual([
    'confirmed',
    'cancelled',
    'cancelled',
    'cancelled',
  ]);

  // Past sessions never change, even for providers.
  const other = await series();
  database.setNow('2026-03-01T12:00:00Z');
  expect(
    await refusalOf(cancelSeries(as(other.provider), change(other.sessions, other.sessions[1]))),
  ).toMatchObject({
    reason: 'already_started',
  });
  expect((await sessionsAhead(as(provider), sessions[1]!.id)).length).toBe(0);
  expect((await sessionsAhead(as(other.provider), other.sessions[1]!.id)).length).toBe(3);
});

test('declines pending sessions when the provider cancels a series', async () => {
  const { provider, sessions } = await series({ approvesFirst: true });
  await db
    .updateTable('appointments')
    .set({ status: 'confirmed' })
    .where('id', '=', sessions[0]!.id)
    .execute();
  await cancelSeries(as(provider), change(sessions));
  expect((await stored(sessions)).map(([status]) => status)).toEqual(Array(4).fill('cancelled'));
  expect((await acts(sessions[0]!.id)).map(([action]) => action)).toEqual(['booking.cancelled']);
  expect((await acts(sessions[1]!.id)).map(([action]) => action)).toEqual(['booking.declined']);
});

test('moves all sessions by the same local time across a DST change', async () => {
  const { provider, sessions } = await series();
  const moved = await rescheduleSeries(as(provider), {
    ...change(sessions, sessions[1]),
    startsAt: '2026-03-03T21:30:00Z',
  });
  expect(moved.map(({ startsAt, status }) => [startsAt, status])).toEqual([
    ['2026-02-24T21:30:00Z', 'confirmed'],
    ['2026-03-03T21:30:00Z', 'confirmed'],
    ['2026-03-10T20:30:00Z', 'confirmed'],
    ['2026-03-17T20:30:00Z', 'confirmed'],
  ]);
  expect(emitted).toEqual([
    {
      event: 'booking.series_changed',
      payload: { appointmentIds: sessions.map(({ id }) => id), change: 'rescheduled', by: 'provider' },
    },
  ]);
  expect(await count('reminders', sessions)).toBe(12);
  const due = await db
    .selectFrom('reminders')
    .select('due_at')
    .where('appointment_id', '=', sessions[3]!.id)
    .where('kind', '=', 'own')
    .execute();
  expect(due.map(({ due_at }) => due_at.toISOString())).toEqual(['2026-03-17T20:15:00.000Z']);
  const start = '2026-03-09 19:00 UTC → 2026-03-10 20:30 UTC';
  expect(await acts(sessions[2]!.id)).toEqual([
    ['booking.rescheduled', { by: 'provider', series: 'all', start }],
  ]);
});

test('moves a series onto its own later times, forward and back', async () => {
  const { client, provider, sessions } = await series();
  const range = {
    providerId: provider.id,
    from: '2026-03-02T05:00:00Z',
    to: '2026-03-03T05:00:00Z',
    durationMinutes: 60,
    moving: sessions[0]!.id,
  };
  expect((await freeStarts(as(client), range)).starts).not.toContain(mondays[1]);
  expect((await freeStarts(as(client), { ...range, scope: 'all' })).starts).toContain(mondays[1]);
  const moved = await rescheduleSeries(as(client), { ...change(sessions), startsAt: mondays[1]! });
  expect(moved.map(({ startsAt }) => startsAt)).toEqual([...mondays.slice(1), '2026-03-23T19:00:00Z']);
  await rescheduleSeries(as(client), { ...change(moved), startsAt: mondays[0]! });
  expect((await stored(sessions)).map(([, startsAt]) => startsAt)).toEqual(mondays);
});

test('lists dates that don’t work, and moves the rest only if those are excluded', async () => {
  const { client, provider, sessions } = await series({ approvesFirst: true });
  await db
    .updateTable('appointments')
    .set({ status: 'confirmed' })
    .where('provider_id', '=', provider.id)
    .execute();
  await book(
    as(await addClient(db)),
    wish(provider, { startsAt: '2026-03-03T20:30:00Z', recurrence: 'one_time' }),
  );
  await book(
    as(client),
    wish(await addProvider(db), { startsAt: '2026-03-17T19:00:00Z', recurrence: 'one_time' }),
  );
  emitted = [];
  const startsAt = '2026-02-24T20:00:00Z';
  const asked = { appointmentId: sessions[0]!.id, scope: 'all' as const, startsAt };
  const plan = await checkMove(as(client), asked);
  expect(plan.map((one) => [one.startsAt, one.refusal])).toEqual([
    [startsAt, null],
    ['2026-03-03T20:00:00Z', 'slot_taken'],
    ['2026-03-10T19:00:00Z', null],
    ['2026-03-17T19:00:00Z', 'own_clash'],
  ]);
  // Hides the client's other appointment from the provider.
  expect((await checkMove(as(provider), asked)).map(({ refusal }) => refusal)).toEqual([
    null,
    'slot_taken',
    null,
    'slot_taken',
  ]);
  const before = await stored(sessions);
  const refused = await refusalOf(rescheduleSeries(as(client), { ...change(sessions), startsAt }));
  expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
  expect(refused.data.clashes).toEqual(plan.filter(({ refusal }) => refusal !== null));
  expect(await stored(sessions)).toEqual(before);
  expect(emitted).toEqual([]);

  const works = [sessions[0]!, sessions[2]!];
  const moved = await rescheduleSeries(as(client), { ...change(works), startsAt });
  // Same rule as a single move: needs new approval from a provider who approves first.
  expect(moved.map((one) => [one.startsAt, one.status])).toEqual([
    [startsAt, 'pending'],
    ['2026-03-10T19:00:00Z', 'pending'],
  ]);
  expect((await stored(sessions)).map(([status, start]) => [status, start])).toEqual([
    ['pending', startsAt],
    ['confirmed', mondays[1]],
    ['pending', '2026-03-10T19:00:00Z'],
    ['confirmed', mondays[3]],
  ]);
});

test('keeps only the session whose guest is busy', async () => {
  const { client, sessions } = await series();
  const guest = await addClient(db);
  await book(
    as(guest),
    wish(await addProvider(db), { startsAt: '2026-03-03T20:00:00Z', recurrence: 'one_time' }),
  );
  await db
    .insertInto('participants')
    .values({
      appointment_id: sessions[1]!.id,
      person_id: guest.id,
      starts_at: new Date(sessions[1]!.startsAt),
      ends_at: new Date(sessions[1]!.endsAt),
      held: true,
    })
    .execute();
  const plan = await checkMove(as(client), {
    appointmentId: sessions[0]!.id,
    scope: 'all',
    startsAt: '2026-02-24T20:00:00Z',
  });
  expect(plan.map(({ refusal }) => refusal)).toEqual([null, 'not_free', null, null]);
  expect(await refusalOf(sessionsAhead(as(guest), sessions[1]!.id))).toMatchObject({ code: 'not_found' });
});

test('rejects stale, out-of-scope or missing sessions without changing anything', async () => {
  const { client, provider, sessions } = await series();
  await reschedule(as(provider), sessions[2]!.id, '2026-03-10T19:00:00Z');
  const before = await stored(sessions);
  const other = await series();
  for (const [input, code, reason] of [
    [change(sessions), 'conflict', 'changed_meanwhile'],
    [
      { ...change(sessions.slice(0, 2), sessions[1]), scope: 'following' as const },
      'invalid',
      'not_in_scope',
    ],
    [change(sessions.slice(0, 2), sessions[3]), 'invalid', 'not_in_scope'],
    [
      { ...change(sessions.slice(0, 2)), chosen: seen([sessions[0]!, other.sessions[0]!]) },
      'invalid',
      'not_in_scope',
    ],
    [
      { ...change(sessions.slice(0, 2)), chosen: seen([sessions[0]!, sessions[0]!]) },
      'invalid',
      'not_in_scope',
    ],
  ] as const) {
    expect(await refusalOf(cancelSeries(as(client), { ...input, chosen: [...input.chosen] }))).toMatchObject({
      code,
      reason,
    });
    const move = { ...input, chosen: [...input.chosen], startsAt: '2026-02-25T20:00:00Z' };
    expect(await refusalOf(rescheduleSeries(as(client), move))).toMatchObject({ code, reason });
  }
  expect(
    await refusalOf(rescheduleSeries(as(client), { ...change(sessions.slice(0, 2)), startsAt: mondays[0]! })),
  ).toMatchObject({
    reason: 'same_time',
  });
  for (const stranger of [other.client, other.provider]) {
    const input = change(sessions);
    const attempts = [
      cancelSeries(as(stranger), input),
      rescheduleSeries(as(stranger), { ...input, startsAt: '2026-02-25T20:00:00Z' }),
      sessionsAhead(as(stranger), sessions[0]!.id),
      checkMove(as(stranger), { appointmentId: sessions[0]!.id, scope: 'all', startsAt: mondays[1]! }),
    ];
    for (const refused of await Promise.all(attempts.map((attempt) => refusalOf(attempt)))) {
      expect(refused).toMatchObject({ code: 'not_found', reason: 'appointment' });
    }
  }
  expect(await stored(sessions)).toEqual(before);
});

test('moves a series whole or not at all against a concurrent booking', { tags: ['long'] }, async () => {
  const losses = { series: 0, booking: 0 };
  const tuesdays = [
    '2026-02-24T20:00:00Z',
    '2026-03-03T20:00:00Z',
    '2026-03-10T19:00:00Z',
    '2026-03-17T19:00:00Z',
  ];
  for (let round = 0; round < 12; round++) {
    const { client, provider, sessions } = await series();
    const rival = await addClient(db);
    const startsAt = '2026-02-24T20:00:00Z';
    const taken = wish(provider, { startsAt: '2026-03-10T19:00:00Z', recurrence: 'one_time' });
    const book1 = () => refusalOrNull(book({ ...as(rival), db: second.db }, taken));
    const move1 = () => refusalOrNull(rescheduleSeries(as(client), { ...change(sessions), startsAt }));
    const [lostBooking, lostMove] =
      round % 2
        ? await Promise.all([book1(), move1()])
        : (await Promise.all([move1(), book1()])).toReversed();
    const starts = (await stored(sessions)).map(([, start]) => start);
    const lost = lostMove ? 'series' : 'booking';
    losses[lost]++;
    const theirs = { appointmentId: sessions[2]!.id, from: mondays[2], startsAt: taken.startsAt };
    expect([lostBooking?.reason, lostMove?.data.clashes, starts]).toEqual(
      {
        series: [undefined, [{ ...theirs, refusal: 'slot_taken' }], mondays],
        booking: ['slot_taken', undefined, tuesdays],
      }[lost],
    );
  }
  expect(losses.series + losses.booking).toBe(12);
  expect((await sql.raw(overlapsSql).execute(db)).rows).toEqual([]);
});

test('names the date when the database constraint rejects an unlocked conflict', async () => {
  const { client, sessions } = await series();
  const elsewhere = await series();
  const hold = {
    starts_at: new Date('2026-03-03T20:30:00Z'),
    ends_at: new Date('2026-03-03T21:30:00Z'),
  };
  let lost: ReturnType<typeof refusalOf> | undefined;
  // Another transaction takes the client's time without a lock and stays uncommitted.
  await second.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('participants')
      .values({ ...hold, appointment_id: elsewhere.sessions[0]!.id, person_id: client.id, held: true })
      .execute();
    lost = refusalOf(rescheduleSeries(as(client), { ...change(sessions), startsAt: '2026-02-24T20:00:00Z' }));
    await expect.poll(() => blockedConnections(db)).toBe(1);
  });
  const refused = await lost!;
  expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
  expect(refused.data.clashes).toMatchObject([{ appointmentId: sessions[1]!.id, refusal: 'slot_taken' }]);
  expect((await stored(sessions)).map(([, start]) => start)).toEqual(mondays);
});

test('resolves canceling one session during a series change to one outcome', async () => {
  for (let round = 0; round < 8; round++) {
    const { client, provider, sessions } = await series();
    const whole = round % 2 ? cancelSeries : rescheduleSeries;
    const [one, all] = await Promise.all([
      refusalOrNull(cancel({ ...as(provider), db: second.db }, sessions[2]!.id)),
      refusalOrNull(whole(as(client), { ...change(sessions), startsAt: '2026-02-24T20:00:00Z' })),
    ]);
    const cancelled = (await stored(sessions)).filter(([status]) => status === 'cancelled').length;
    const ended = all ? 'one' : whole === cancelSeries ? 'all' : 'moved';
    expect([one?.reason, all?.reason, cancelled]).toEqual(
      {
        one: [undefined, 'changed_meanwhile', 1],
        all: ['wrong_status', undefined, 4],
        // Cancels the session after its move with the series.
        moved: [undefined, undefined, 1],
      }[ended],
    );
  }
});

/** Returns the attempt's refusal, or null if it succeeded. */
async function refusalOrNull(attempt: Promise<unknown>): Promise<AppError | null> {
  return attempt.then(
    () => null,
    (error: unknown) => refusalOf(Promise.reject(error as Error)),
  );
}
