import type { Role } from '#/kernel/actor.ts';
import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addClient,
  addProvider,
  addService,
  sixtyMinutes,
  type Person,
} from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { book } from './commands.ts';
import { appointmentsContract } from '../contract.ts';
import type { BookInput } from './contract.ts';
import { checkSeries, freeStarts } from '../free-starts/queries.ts';
import { cancel, reschedule } from '../life-cycle/commands.ts';
import { appointmentView } from '../appointment/queries.ts';
import { requireParty } from '../appointment/policies.ts';

const database = await testDatabase({ now: '2026-02-16T12:00:00Z' });
const { db, as } = database;
const service = await sixtyMinutes(db);

function wish(provider: Person, startsAt: string, more: Partial<BookInput> = {}): BookInput {
  return bookInputFor(provider.id, service, startsAt, more);
}

async function counts(): Promise<Record<string, number>> {
  const tables = ['bookings', 'appointments', 'participants', 'reminders', 'audit_entries'] as const;
  const found = await Promise.all(
    tables.map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, found[index]!.n]));
}

test('stores a booking with both participants, reminders and an audit entry', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const booked = await book(as(client), wish(provider, '2026-02-23T20:00:00Z', { reminderMinutes: 1440 }));
  expect(booked.appointments).toMatchObject([
    {
      bookingId: booked.bookingId,
      seriesIndex: 1,
      seriesCount: 1,
      status: 'confirmed',
      kind: 'consultation',
      startsAt: '2026-02-23T20:00:00Z',
      endsAt: '2026-02-23T21:00:00Z',
      durationMinutes: 60,
      priceCents: 10_000,
      client: null,
      sequence: 0,
      actions: ['reschedule', 'cancel', 'set_reminder'],
    },
  ]);
  const id = booked.appointments[0]!.id;
  const row = await db.selectFrom('appointments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.blocked_until.toISOString()).toBe('2026-02-23T21:15:00.000Z');
  expect(row.local_date).toBe('2026-02-23');
  const people = await db
    .selectFrom('participants')
    .select(['person_id', 'held'])
    .where('appointment_id', '=', id)
    .execute();
  expect(people).toHaveLength(2);
  expect(people.every(({ held }) => held)).toBe(true);
  const reminders = await db.selectFrom('reminders').selectAll().where('appointment_id', '=', id).execute();
  const planned = reminders.map(
    (one) => `${one.kind} ${one.person_id === client.id ? 'client' : 'provider'} ${one.due_at.toISOString()}`,
  );
  expect(new Set(planned)).toEqual(
    new Set([
      'own client 2026-02-22T20:00:00.000Z',
      'site client 2026-02-23T19:00:00.000Z',
      'site provider 2026-02-23T19:00:00.000Z',
    ]),
  );
  const audit = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('subject_id', '=', booked.bookingId)
    .orderBy('id')
    .execute();
  expect(audit).toMatchObject([
    { action: 'booking.booked', category: 'service_management', actor_id: client.id },
  ]);
});

test('makes the second session with a provider a follow-up, and the first with another a consultation', async () => {
  const [client, provider, other] = [await addClient(db), await addProvider(db), await addProvider(db)];
  const kinds = [];
  for (const [whom, at] of [
    [provider, '2026-02-23T20:00:00Z'],
    [provider, '2026-02-24T20:00:00Z'],
    [other, '2026-02-25T20:00:00Z'],
  ] as const) {
    kinds.push((await book(as(client), wish(whom, at))).appointments[0]!.kind);
  }
  expect(kinds).toEqual(['consultation', 'follow-up', 'consultation']);
});

test('keeps a weekly 3 PM in New York across the DST change', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const { appointments } = await book(
    as(client),
    wish(provider, '2026-02-23T20:00:00Z', { recurrence: 'weekly' }),
  );
  expect(appointments.map(({ startsAt }) => startsAt)).toEqual([
    '2026-02-23T20:00:00Z',
    '2026-03-02T20:00:00Z',
    '2026-03-09T19:00:00Z',
    '2026-03-16T19:00:00Z',
  ]);
  expect(appointments.map(({ kind }) => kind)).toEqual([
    'consultation',
    'follow-up',
    'follow-up',
    'follow-up',
  ]);
  expect(appointments.map(({ seriesIndex }) => seriesIndex)).toEqual([1, 2, 3, 4]);
});

test('ends 24 hours’ notice at 13:00 across the DST change of March 8', async () => {
  const provider = await addProvider(db, { week: [{ weekday: 7, from: '13:00', to: '18:00' }] });
  const range = { from: '2026-03-08T00:00:00Z', to: '2026-03-09T04:00:00Z', durationMinutes: 30 };
  database.setNow('2026-03-07T17:00:00Z');
  const { starts } = await freeStarts(as({ kind: 'guest' }), { providerId: provider.id, ...range });
  expect([starts[0], starts.at(-1)]).toEqual(['2026-03-08T17:00:00Z', '2026-03-08T21:30:00Z']);
  database.setNow('2026-03-07T17:00:00.001Z');
  const later = await freeStarts(as({ kind: 'guest' }), { providerId: provider.id, ...range });
  expect(later.starts[0]).toBe('2026-03-08T17:30:00Z');
  const client = await addClient(db);
  const early = await refusalOf(
    book(as(client), wish(provider, '2026-03-08T17:00:00Z', { durationMinutes: 30 })),
  );
  expect(early).toMatchObject({ code: 'precondition', reason: 'too_little_notice' });
  database.setNow('2026-02-16T12:00:00Z');
});

test('rejects a taken time including its buffer, and offers the next free ones', async () => {
  const [first, second, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  await book(as(first), wish(provider, '2026-02-23T15:00:00Z'));
  const refused = await refusalOf(book(as(second), wish(provider, '2026-02-23T15:30:00Z')));
  expect(refused).toMatchObject({
    code: 'conflict',
    reason: 'slot_taken',
    fields: [{ field: 'startsAt', reason: 'slot_taken' }],
    data: {
      clashes: [{ startsAt: '2026-02-23T15:30:00Z', refusal: 'slot_taken' }],
      nextFreeStarts: [
        '2026-02-23T16:30:00Z',
        '2026-02-23T17:00:00Z',
        '2026-02-23T19:00:00Z',
        '2026-02-23T19:30:00Z',
        '2026-02-23T20:00:00Z',
      ],
    },
  });
  // 16:00 is free of the session, but within its buffer.
  expect(await refusalOf(book(as(second), wish(provider, '2026-02-23T16:00:00Z')))).toMatchObject({
    reason: 'slot_taken',
  });
  await book(as(second), wish(provider, '2026-02-23T16:30:00Z'));
});

test('neither offers nor accepts overlapping sessions of one client', async () => {
  const [client, provider, other] = [await addClient(db), await addProvider(db), await addProvider(db)];
  await book(as(client), wish(provider, '2026-02-23T15:00:00Z'));
  const refused = await refusalOf(book(as(client), wish(other, '2026-02-23T14:30:00Z')));
  expect(refused).toMatchObject({ code: 'conflict', reason: 'own_clash' });
  expect(refused.data.nextFreeStarts).toEqual([
    '2026-02-23T16:00:00Z',
    '2026-02-23T16:30:00Z',
    '2026-02-23T17:00:00Z',
    '2026-02-23T19:00:00Z',
    '2026-02-23T19:30:00Z',
  ]);
});

test('rejects each unavailable time with its own reason, and stores nothing', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const before = await counts();
  for (const [startsAt, code, reason] of [
    ['2026-02-13T20:00:00Z', 'invalid', 'past'],
    ['2026-02-17T11:00:00Z', 'precondition', 'too_little_notice'],
    ['2026-02-22T20:00:00Z', 'invalid', 'outside_hours'],
    ['2026-02-23T18:00:00Z', 'invalid', 'outside_hours'],
    ['2026-02-23T20:10:00Z', 'invalid', 'unaligned'],
    ['2028-02-23T20:00:00Z', 'invalid', 'too_far_ahead'],
    ['9999-12-31T23:59:59Z', 'invalid', 'too_far_ahead'],
    ['0000-01-01T00:00:00Z', 'invalid', 'past'],
  ] as const) {
    const refused = await refusalOf(book(as(client), wish(provider, startsAt)));
    expect({ ...refused, startsAt }).toMatchObject({
      startsAt,
      code,
      reason,
      fields: [{ field: 'startsAt', reason }],
    });
  }
  expect(await counts()).toEqual(before);
});

test('rejects only the full day', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await db.updateTable('site_settings').set({ max_daily_bookings: 2 }).execute();
  await book(as(client), wish(provider, '2026-02-23T15:00:00Z'));
  await book(as(client), wish(provider, '2026-02-23T20:00:00Z'));
  const refused = await refusalOf(book(as(client), wish(provider, '2026-02-23T22:00:00Z')));
  expect(refused).toMatchObject({ code: 'precondition', reason: 'day_full' });
  expect((refused.data.nextFreeStarts as string[])[0]).toBe('2026-02-24T14:00:00Z');
  await book(as(client), wish(provider, '2026-02-24T22:00:00Z'));
  await db.updateTable('site_settings').set({ max_daily_bookings: 8 }).execute();
});

test('rejects unbookable people and services, and stores nothing', async () => {
  const [client, provider, hidden] = [
    await addClient(db),
    await addProvider(db),
    await addProvider(db, { listed: false }),
  ];
  const retired = await addService(db, { id: 'retired', durationMinutes: 60, priceCents: 1, active: false });
  const unoffered = await addService(db, { id: 'unoffered', durationMinutes: 60, priceCents: 1 });
  await db
    .insertInto('provider_services')
    .values({ provider_id: provider.id, service_id: retired })
    .execute();
  const byPhone = await addProvider(db);
  await db
    .updateTable('providers')
    .set({ session_types: ['phone'] })
    .where('id', '=', byPhone.id)
    .execute();
  const before = await counts();
  const at = '2026-02-23T20:00:00Z';
  const notOffered = { code: 'invalid', fields: [{ field: 'serviceId', reason: 'not_offered' }] };
  for (const [input, expected] of [
    [wish(hidden, at), { code: 'not_found', reason: 'specialist' }],
    [wish(client, at), { code: 'invalid', fields: [{ field: 'providerId', reason: 'yourself' }] }],
    [wish(await addClient(db), at), { code: 'not_found', reason: 'specialist' }],
    [wish(provider, at, { serviceId: unoffered }), notOffered],
    [wish(provider, at, { serviceId: retired }), notOffered],
    [wish(provider, at, { serviceId: 'nowhere' }), notOffered],
    [
      wish(provider, at, { durationMinutes: 45 }),
      { code: 'invalid', fields: [{ field: 'durationMinutes', reason: 'not_offered' }] },
    ],
    [
      wish(byPhone, at, { sessionType: 'online' }),
      { code: 'invalid', reason: 'not_offered', fields: [{ field: 'sessionType', reason: 'not_offered' }] },
    ],
    [
      wish(provider, at, { timeZone: 'Europe/Atlantis' }),
      { code: 'invalid', fields: [{ field: 'timeZone', reason: 'unknown_zone' }] },
    ],
  ] as const) {
    expect(await refusalOf(book(as(client), input))).toMatchObject(expected);
  }
  expect(await refusalOf(book(as({ kind: 'guest' }), wish(provider, at)))).toMatchObject({
    code: 'unauthenticated',
  });
  expect(await counts()).toEqual(before);
});

test('books a service at its own length', async () => {
  const long = await addService(db, { id: 'long', durationMinutes: 75, priceCents: 12_500 });
  const [client, provider] = [await addClient(db), await addProvider(db, { services: [long] })];
  const { appointments } = await book(
    as(client),
    wish(provider, '2026-02-23T20:00:00Z', { serviceId: long, durationMinutes: 75 }),
  );
  expect(appointments[0]).toMatchObject({
    durationMinutes: 75,
    priceCents: 12_500,
    endsAt: '2026-02-23T21:15:00Z',
  });
});

test('rejects an outdated price with the new one, and books once confirmed', async () => {
  const id = await addService(db, { id: 'raised', durationMinutes: 60, priceCents: 12_000 });
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await db.insertInto('provider_services').values({ provider_id: provider.id, service_id: id }).execute();
  const wanted = wish(provider, '2026-02-23T20:00:00Z', { serviceId: id, priceCents: 12_000 });
  const priced = (priceCents: number) =>
    db.updateTable('services').set({ price_cents: priceCents }).where('id', '=', id).execute();
  await priced(12_500);
  const before = await counts();
  expect(await refusalOf(book(as(client), wanted))).toMatchObject({
    code: 'conflict',
    reason: 'price_changed',
    data: { priceCents: 12_500 },
  });
  expect(await counts()).toEqual(before);
  const confirmed = { ...wanted, priceCents: 12_500 };
  const { bookingId, appointments } = await book(as(client), confirmed);
  expect(appointments[0]!.priceCents).toBe(12_500);
  // Retry after a lost response, from a page already showing another price.
  await priced(13_000);
  expect(await book(as(client), { ...confirmed, priceCents: 13_000 })).toMatchObject({ bookingId });
});

test('prices each length, and keeps the price of a booking', async () => {
  const id = await addService(db, { id: 'by-length', durationMinutes: 60, priceCents: 12_000 });
  await db
    .updateTable('services')
    .set({ length_prices: JSON.stringify([{ minutes: 90, priceCents: 15_000 }]) })
    .where('id', '=', id)
    .execute();
  const [client, provider] = [await addClient(db), await addProvider(db, { services: [id] })];
  const booked = [];
  for (const [durationMinutes, hour] of [
    [30, 14],
    [60, 16],
    [90, 20],
  ] as const) {
    const input = wish(provider, `2026-02-23T${hour}:00:00Z`, { serviceId: id, durationMinutes });
    booked.push((await book(as(client), input)).appointments[0]!);
  }
  expect(booked.map(({ priceCents }) => priceCents)).toEqual([6_000, 12_000, 15_000]);
  await db
    .updateTable('services')
    .set({ price_cents: 20_000, length_prices: '[]' })
    .where('id', '=', id)
    .execute();
  const own = await requireParty(as(client), booked[0]!.id);
  expect((await appointmentView(as(client), own.appointmentId)).priceCents).toBe(6_000);
});

test('rejects malformed text, numbers and options', () => {
  const shape = appointmentsContract.book['~orpc'].inputSchema!;
  const good = wish({ kind: 'person', id: newId(), role: 'doctor', sessionId: '' }, '2026-02-23T20:00:00Z');
  for (const wrong of [
    { startsAt: '2026-02-30T20:00:00Z' },
    { startsAt: '2026-02-23T20:00:00+01:00' },
    { startsAt: 'tomorrow' },
    { durationMinutes: 1e9 },
    { durationMinutes: '60' },
    { durationMinutes: Number.NaN },
    { recurrence: 'daily' },
    { sessions: 13 },
    { sessions: 1 },
    { providerId: "' or 1=1" },
    { serviceId: '../admin' },
    { contact: { name: '', email: 'ruth@people.example' } },
    { contact: { name: 'a'.repeat(201), email: 'ruth@people.example' } },
    { contact: { name: 'Ruth\u0000', email: 'ruth@people.example' } },
    { contact: { name: 'Ruth\r\nBcc: all@people.example', email: 'ruth@people.example' } },
    { contact: { name: 'Ruth', email: 'ruth' } },
    { contact: { name: 'Ruth', email: 'ruth@people.example', phone: '<script>' } },
    { reminderMinutes: 16 },
    { timeZone: '+01:00' },
    { idempotencyKey: 'again' },
  ]) {
    expect({ ...wrong, accepted: shape.safeParse({ ...good, ...wrong }).success }).toEqual({
      ...wrong,
      accepted: false,
    });
  }
});

test('returns the same booking for a repeated key, and rejects the key for another one', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const input = wish(provider, '2026-02-23T20:00:00Z', { recurrence: 'weekly', sessions: 3 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => book(as(client), input)));
  expect(new Set(answers.map(({ bookingId }) => bookingId)).size).toBe(1);
  expect(answers.every((answer) => JSON.stringify(answer) === JSON.stringify(answers[0]))).toBe(true);
  expect(
    await db.selectFrom('appointments').select('id').where('client_id', '=', client.id).execute(),
  ).toHaveLength(3);
  const other = { ...input, startsAt: '2026-02-24T20:00:00Z' };
  expect(await refusalOf(book(as(client), other))).toMatchObject({
    code: 'conflict',
    reason: 'idempotency_key_reused',
  });
  await book(as(await addClient(db)), other);
});

test('stores a series completely or not at all, and names every clash', async () => {
  const [first, second, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  await book(as(first), wish(provider, '2026-03-02T20:00:00Z'));
  await book(as(second), wish(await addProvider(db), '2026-03-16T19:00:00Z'));
  const before = await counts();
  const series = wish(provider, '2026-02-23T20:00:00Z', { recurrence: 'weekly' });
  const refused = await refusalOf(book(as(second), series));
  const clashes = [
    { startsAt: '2026-03-02T20:00:00Z', refusal: 'slot_taken' },
    { startsAt: '2026-03-16T19:00:00Z', refusal: 'own_clash' },
  ];
  expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken', data: { clashes } });
  expect(await counts()).toEqual(before);
  const checked = await checkSeries(as(second), selfOf(as(second)), series);
  expect(checked).toEqual([
    { startsAt: '2026-02-23T20:00:00Z', refusal: null },
    clashes[0],
    { startsAt: '2026-03-09T19:00:00Z', refusal: null },
    clashes[1],
  ]);
});

test('reports a time skipped by DST as a clash of the series', async () => {
  const provider = await addProvider(db, { week: [{ weekday: 7, from: '00:00', to: '06:00' }] });
  const client = await addClient(db);
  const series = wish(provider, '2026-03-01T07:30:00Z', {
    recurrence: 'weekly',
    sessions: 2,
    durationMinutes: 30,
  });
  const refused = await refusalOf(book(as(client), series));
  expect(refused).toMatchObject({
    code: 'invalid',
    reason: 'skipped_time',
    data: { clashes: [{ startsAt: '2026-03-08T07:30:00Z', refusal: 'skipped_time' }] },
  });
});

test('rejects overlapping rows in the database, with the usual error', async () => {
  const [client, rival, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  const { appointments } = await book(as(rival), wish(provider, '2026-02-23T20:00:00Z'));
  const row = await db
    .selectFrom('appointments')
    .selectAll()
    .where('id', '=', appointments[0]!.id)
    .executeTakeFirstOrThrow();
  const copy = { ...row, id: newId(), client_id: client.id };
  await expect(db.insertInto('appointments').values(copy).execute()).rejects.toMatchObject({ code: '23P01' });
  // Moves only the participant row: the availability rule misses this session, but its time is still held.
  await db
    .updateTable('participants')
    .set({
      held: true,
      starts_at: new Date('2026-02-24T20:00:00Z'),
      ends_at: new Date('2026-02-24T21:00:00Z'),
    })
    .where('appointment_id', '=', row.id)
    .where('person_id', '=', provider.id)
    .execute();
  const refused = await refusalOf(book(as(client), wish(provider, '2026-02-24T20:00:00Z')));
  expect(refused).toMatchObject({ code: 'conflict', reason: 'slot_taken' });
  expect(refused.data.nextFreeStarts).toHaveLength(5);
  expect(await db.selectFrom('bookings').select('id').where('client_id', '=', client.id).execute()).toEqual(
    [],
  );
});

test('offers the eighteen labels on an empty day, and rejects invalid queries', async () => {
  const [provider, hidden] = [await addProvider(db), await addProvider(db, { listed: false })];
  const guest = as({ kind: 'guest' });
  const day = { from: '2026-02-23T05:00:00Z', to: '2026-02-24T05:00:00Z', durationMinutes: 30 };
  expect((await freeStarts(guest, { providerId: provider.id, ...day })).starts).toHaveLength(18);
  expect(await refusalOf(freeStarts(guest, { providerId: hidden.id, ...day }))).toMatchObject({
    code: 'not_found',
  });
  for (const to of ['2026-02-23T05:00:00Z', '2026-04-26T05:00:01Z']) {
    const refused = await refusalOf(freeStarts(guest, { providerId: provider.id, ...day, to }));
    expect(refused).toMatchObject({ code: 'invalid', fields: [{ field: 'to' }] });
  }
});

test('rejects only online sessions with Video Sessions off, globally or by role', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const flag = (change: { enabled?: boolean; roles?: Role[] }) =>
    db.updateTable('feature_flags').set(change).where('id', '=', 'video_sessions').execute();
  const contact = { name: 'Ruth', email: 'ruth@people.example', phone: '+1 617 555 0100' };
  const byPhone = { sessionType: 'phone' as const, contact };
  const online = () => book(as(client), wish(provider, '2026-02-23T20:00:00Z'));
  try {
    for (const change of [{ enabled: false }, { enabled: true, roles: ['super_admin' as const] }]) {
      await flag(change);
      expect(await refusalOf(online())).toMatchObject({ code: 'not_found', reason: 'feature_off' });
    }
    await book(as(client), wish(provider, '2026-02-23T15:00:00Z', byPhone));
  } finally {
    await flag({ enabled: true, roles: ['doctor', 'pastor'] });
  }
  await expect(online()).resolves.toMatchObject({ appointments: [{ sessionType: 'online' }] });
});

test('applies a raised buffer after existing sessions when searching, booking and moving', async () => {
  const [client, other, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  await book(as(client), wish(provider, '2026-02-23T20:00:00Z'));
  const moved = await book(as(other), wish(provider, '2026-02-24T20:00:00Z'));
  const free = async () => {
    const day = { from: '2026-02-23T14:00:00Z', to: '2026-02-24T00:00:00Z', durationMinutes: 30 };
    return (await freeStarts(as(other), { providerId: provider.id, ...day })).starts;
  };
  expect(await free()).toContain('2026-02-23T21:30:00Z');
  await db.updateTable('site_settings').set({ buffer_time_minutes: 60 }).execute();
  try {
    expect(await free()).not.toContain('2026-02-23T21:30:00Z');
    expect(await free()).toContain('2026-02-23T22:00:00Z');
    const late = wish(provider, '2026-02-23T21:30:00Z', { durationMinutes: 30 });
    expect(await refusalOf(book(as(other), late))).toMatchObject({ reason: 'slot_taken' });
    const id = moved.appointments[0]!.id;
    expect(await refusalOf(reschedule(as(provider), id, '2026-02-23T21:30:00Z'))).toMatchObject({
      reason: 'slot_taken',
    });
    await book(as(other), { ...late, startsAt: '2026-02-23T22:00:00Z' });
  } finally {
    await db.updateTable('site_settings').set({ buffer_time_minutes: 15 }).execute();
  }
});

test('requires the client’s number for a phone session, and shares only that with both', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await db.updateTable('providers').set({ phone: '+1 617 555 0111' }).where('id', '=', provider.id).execute();
  const contact = { name: 'Ruth', email: 'ruth@people.example' };
  const called = (phone: string | undefined) =>
    wish(provider, '2026-02-23T20:00:00Z', {
      sessionType: 'phone',
      contact: { ...contact, ...(phone ? { phone } : {}) },
    });
  for (const phone of [undefined, '911', '+ ( ) -'])
    expect(await refusalOf(book(as(client), called(phone)))).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'contact.phone', reason: 'required' }],
    });
  const { appointments } = await book(as(client), called('+1 617 555 0100'));
  expect(appointments[0]).toMatchObject({ calledAt: '+1 617 555 0100', client: null });
  expect(JSON.stringify(appointments)).not.toContain('555 0111');
  const { appointments: online } = await book(as(client), wish(provider, '2026-02-24T20:00:00Z'));
  expect(online[0]!.calledAt).toBeNull();
});

/** The hour of a session to come, far beyond the ones that tests book. */
const farOff = (index: number) => new Date(Date.UTC(2026, 5, 1 + index, 12)).toISOString();

test('gives a client at most sixty sessions to come, with all specialists together', async () => {
  const [client, other] = [await addClient(db), await addClient(db)];
  const [provider, second] = [await addProvider(db), await addProvider(db)];
  for (let index = 0; index < 58; index++)
    await addSession(db, { client, provider, start: farOff(index), status: 'confirmed' });
  await addSession(db, { client, provider, start: '2026-02-10T12:00:00Z' });
  const weekly = wish(second, '2026-02-23T20:00:00Z', { recurrence: 'weekly', sessions: 3 });
  const full = { code: 'precondition', reason: 'too_many_sessions' };
  expect(await refusalOf(book(as(client), weekly))).toMatchObject(full);
  const { appointments } = await book(as(client), { ...weekly, idempotencyKey: newId(), sessions: 2 });
  const next = wish(second, '2026-02-24T20:00:00Z');
  expect(await refusalOf(book(as(client), next))).toMatchObject(full);
  await book(as(other), { ...next, startsAt: '2026-02-25T20:00:00Z' });
  await cancel(as(client), appointments[0]!.id);
  await book(as(client), next);
});

test('allows a client sixty bookings and moves a day, and cancellations always', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const { appointments } = await book(as(client), wish(provider, '2026-02-23T20:00:00Z'));
  const { id } = appointments[0]!;
  await db.updateTable('rate_limits').set({ hits: 59 }).where('key', '=', `sessions:${client.id}`).execute();
  await reschedule(as(client), id, '2026-02-24T20:00:00Z');
  const spent = { code: 'rate_limited', reason: 'too_many_today' };
  expect(await refusalOf(reschedule(as(client), id, '2026-02-25T20:00:00Z'))).toMatchObject(spent);
  expect(await refusalOf(book(as(client), wish(provider, '2026-02-26T20:00:00Z')))).toMatchObject(spent);
  await reschedule(as(provider), id, '2026-02-25T20:00:00Z');
  await cancel(as(client), id);
});

test('allows a specialist twenty bookings and moves a day for one client', async () => {
  const [client, other, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  const { appointments } = await book(as(client), wish(provider, '2026-02-23T20:00:00Z'));
  const { id } = appointments[0]!;
  await reschedule(as(provider), id, '2026-02-24T20:00:00Z');
  await db
    .updateTable('rate_limits')
    .set({ hits: 19 })
    .where('key', '=', `sessions:${provider.id}:${client.id}`)
    .execute();
  await reschedule(as(provider), id, '2026-02-25T20:00:00Z');
  expect(await refusalOf(reschedule(as(provider), id, '2026-02-26T20:00:00Z'))).toMatchObject({
    code: 'rate_limited',
    reason: 'too_many_today',
  });
  await reschedule(as(client), id, '2026-02-26T20:00:00Z');
  const another = await book(as(other), wish(provider, '2026-03-02T20:00:00Z'));
  await reschedule(as(provider), another.appointments[0]!.id, '2026-03-03T20:00:00Z');
});
