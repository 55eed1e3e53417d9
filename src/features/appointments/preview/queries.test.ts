import { selfOf } from '#/features/access/rules.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { block } from '#/features/availability/blocks/commands.ts';
import { saveWeek } from '#/features/availability/week/commands.ts';
import { setDates } from '#/features/availability/dates/commands.ts';
import { availabilityOf } from '#/features/availability/queries.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from '../../../../tests/support/people.ts';
import { book } from '../booking/commands.ts';
import { reschedule } from '../life-cycle/commands.ts';
import { freeStarts } from '../free-starts/queries.ts';
import { ownClashes, previewAvailability } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const service = await sixtyMinutes(db);
const [north, south] = [newId(), newId()];
let [provider, client]: Person[] = [];

beforeAll(async () => {
  client = await addClient(db);
  provider = await addProvider(db);
  await db
    .insertInto('places')
    .values(
      [north, south].map((id, position) => ({
        id,
        provider_id: provider!.id,
        name: position === 0 ? 'North' : 'South',
        address: `${position + 1} Elm Street`,
        town: 'Boston, MA',
        position,
      })),
    )
    .execute();
});

const own = () => as(provider!);
const id = () => selfOf(own());

/** Saves hours through the editor's command. */
async function change(changes: object) {
  const { timeZone, weekly, terms, rest, version } = await availabilityOf(own(), id());
  return saveWeek(own(), id(), { timeZone, weekly, terms, rest, version, ...changes });
}

const monday = (from: string, to: string, placeId: string | null) => ({ weekday: 1, from, to, placeId });
const none = { sessionLengths: null, bufferMinutes: null, noticeHours: null, dailyMaximum: null };
const twoPlaces = [
  monday('09:00', '11:00', north),
  monday('11:00', '13:00', south),
  monday('14:00', '15:00', null),
];
/** Second Monday of March, 09:00 to 15:00 in New York. */
const day = { from: '2026-03-09T13:00:00Z', to: '2026-03-09T19:00:00Z' };
const hours = (starts: readonly string[]) => starts.map((start) => start.slice(11, 16));

function wish(startsAt: string, sessionType: 'phone' | 'in-person', durationMinutes = 60) {
  return bookInputFor(provider!.id, service, startsAt, {
    durationMinutes,
    sessionType,
    sessions: 2,
    contact: { name: 'Ruth Amsel', email: 'ruth@people.example', phone: '+1 617 555 0100' },
    timeZone: 'America/New_York',
  });
}
const booked = async (...wanted: Parameters<typeof wish>) =>
  (await book(as(client!), wish(...wanted))).appointments[0]!;
const free = (sessionType: 'phone' | 'in-person', durationMinutes = 60) =>
  freeStarts(as(client!), { providerId: provider!.id, ...day, durationMinutes, sessionType });

describe('places', () => {
  test('limit in-person sessions to one place’s hours, and no others', async () => {
    await change({ weekly: twoPlaces });
    const inPerson = await free('in-person');
    // Excludes 10:30, which would start in North and end in South.
    expect(hours(inPerson.starts)).toEqual(['13:00', '13:30', '14:00', '15:00', '15:30', '16:00']);
    expect(inPerson.places.map(({ name, starts }) => [name, hours(starts)])).toEqual([
      ['North', ['13:00', '13:30', '14:00']],
      ['South', ['15:00', '15:30', '16:00']],
    ]);
    const byPhone = await free('phone');
    expect(hours(byPhone.starts)).toEqual([
      '13:00',
      '13:30',
      '14:00',
      '14:30',
      '15:00',
      '15:30',
      '16:00',
      '18:00',
    ]);
    expect(byPhone.places).toEqual([]);
  });

  test('are saved with a booking and change when it moves', async () => {
    const session = await booked('2026-03-09T14:00:00Z', 'in-person');
    expect(session.provider).toMatchObject({
      location: 'North, 1 Elm Street',
      place: { name: 'North', address: '1 Elm Street', latitude: null },
    });
    const moved = await reschedule(as(client!), session.id, '2026-03-09T15:00:00Z');
    expect(moved.provider.place).toMatchObject({ name: 'South' });
    const back = await reschedule(as(client!), session.id, '2026-03-09T14:00:00Z');
    expect(back.provider.place).toMatchObject({ name: 'North' });
    await expect(booked('2026-03-16T14:30:00Z', 'in-person')).rejects.toMatchObject({
      reason: 'outside_hours',
    });
    const call = await booked('2026-03-16T14:30:00Z', 'phone');
    expect(call.provider).toMatchObject({ location: 'Boston', place: null });
  });
});

describe('terms', () => {
  test('set a provider’s own durations, buffer, notice and daily maximum', async () => {
    await change({
      weekly: twoPlaces.slice(0, 2),
      terms: { sessionLengths: [90], bufferMinutes: 60, noticeHours: 9 * 24, dailyMaximum: 1 },
    });
    await expect(booked('2026-03-23T13:00:00Z', 'phone', 60)).rejects.toMatchObject({
      fields: [{ field: 'durationMinutes', reason: 'not_offered' }],
    });
    await expect(booked('2026-03-09T16:00:00Z', 'phone', 90)).rejects.toMatchObject({
      reason: 'too_little_notice',
    });
    await booked('2026-03-23T13:00:00Z', 'phone', 90);
    await expect(booked('2026-03-23T15:00:00Z', 'phone', 90)).rejects.toMatchObject({ reason: 'day_full' });
    const { blocked_until } = await db
      .selectFrom('appointments')
      .select('blocked_until')
      .where('starts_at', '=', new Date('2026-03-23T13:00:00Z'))
      .executeTakeFirstOrThrow();
    expect(blocked_until.toISOString()).toBe('2026-03-23T15:30:00.000Z');
    await change({ weekly: twoPlaces, terms: none });
  });

  test('don’t apply the notice period to a provider who moves a session', async () => {
    await change({ terms: { ...none, noticeHours: 240 } });
    const { sessions } = await ownClashes(own(), id());
    expect(sessions).toEqual([]);
    const [session] = await db
      .selectFrom('appointments')
      .select('id')
      .where('starts_at', '=', new Date('2026-03-09T14:00:00Z'))
      .execute();
    await reschedule(own(), session!.id, '2026-03-09T13:00:00Z');
    await reschedule(own(), session!.id, '2026-03-09T14:00:00Z');
    await change({ terms: none });
  });

  test('refuse session types the provider doesn’t offer', async () => {
    await db
      .updateTable('providers')
      .set({ session_types: ['phone'] })
      .where('id', '=', provider!.id)
      .execute();
    await expect(booked('2026-03-30T13:00:00Z', 'in-person')).rejects.toMatchObject({
      fields: [{ field: 'sessionType', reason: 'not_offered' }],
    });
    await db
      .updateTable('providers')
      .set({ session_types: ['online', 'phone', 'in-person'] })
      .where('id', '=', provider!.id)
      .execute();
  });
});

test('treats blocked time as taken without counting it toward the daily maximum', async () => {
  await change({ terms: { ...none, dailyMaximum: 1 } });
  const span = { startsAt: '2026-03-30T13:00:00Z', endsAt: '2026-03-30T14:30:00Z', note: '' };
  await block(own(), id(), span);
  await expect(booked('2026-03-30T14:00:00Z', 'phone')).rejects.toMatchObject({ reason: 'slot_taken' });
  await booked('2026-03-30T14:30:00Z', 'phone');
  await change({ terms: none });
});

describe('a draft', () => {
  const draft = async (changes: object = {}) => {
    const { timeZone, weekly, terms, rest } = await availabilityOf(own(), id());
    return previewAvailability(own(), id(), {
      timeZone,
      weekly,
      terms,
      rest,
      ...day,
      durationMinutes: 60,
      sessionType: 'phone',
      ...changes,
    });
  };
  const named = ({ clashes }: Awaited<ReturnType<typeof draft>>) =>
    clashes.sessions.map(
      ({ startsAt, clientName, reason }) => `${startsAt.slice(5, 16)} ${clientName} ${reason}`,
    );

  test('shows what clients would see with existing bookings, without being stored', async () => {
    const before = await availabilityOf(own(), id());
    const now = await draft();
    expect(hours(now.starts)).toEqual(hours((await free('phone')).starts));
    expect(named(now)).toEqual([]);
    const later = await draft({ weekly: [monday('12:00', '17:00', null)] });
    expect(hours(later.starts)).toEqual(['16:00', '16:30', '17:00', '17:30', '18:00', '18:30']);
    expect(await availabilityOf(own(), id())).toEqual(before);
  });

  test('lists sessions outside the new hours, which stay booked', async () => {
    expect(named(await draft({ weekly: [monday('09:00', '10:45', null)] }))).toEqual([
      '03-09T14:00 Ruth Amsel outside_hours',
      '03-16T14:30 Ruth Amsel outside_hours',
      '03-30T14:30 Ruth Amsel outside_hours',
    ]);
    expect(named(await draft({ weekly: [monday('09:00', '13:00', south)] }))).toEqual([
      '03-09T14:00 Ruth Amsel elsewhere',
    ]);
    const dates = [{ date: '2026-03-16', windows: [] }];
    expect(named(await draft({ dates }))).toEqual(['03-16T14:30 Ruth Amsel date_off']);
  });

  test('fails with the same errors as saving', async () => {
    await expect(draft({ weekly: [monday('12:00', '09:00', null)] })).rejects.toMatchObject({
      fields: [{ field: 'weekly.0', reason: 'ends_before_it_begins' }],
    });
    await expect(draft({ to: '2026-05-11T13:00:00Z' })).rejects.toMatchObject({
      fields: [{ field: 'to', reason: 'too_far' }],
    });
  });
});

test('keeps all sessions on a change and lists those that no longer fit, with reasons', async () => {
  await setDates(own(), id(), { from: '2026-03-16', windows: [], note: 'Away' });
  await block(own(), id(), { startsAt: '2026-03-30T15:00:00Z', endsAt: '2026-03-30T16:00:00Z', note: '' });
  await change({ weekly: [...twoPlaces, { weekday: 7, from: '10:00', to: '12:00', placeId: null }] });
  const sunday = await booked('2026-03-15T14:00:00Z', 'phone');
  await change({ rest: { kind: 'sunday', place: null } });
  const { sessions, count } = await ownClashes(own(), id());
  expect(sessions.map(({ startsAt, reason }) => [startsAt.slice(5, 16), reason])).toEqual([
    ['03-15T14:00', 'rest'],
    ['03-16T14:30', 'date_off'],
    ['03-30T14:30', 'blocked'],
  ]);
  expect(count).toBe(3);
  expect(sessions[0]!.appointmentId).toBe(sunday.id);
  const { status } = await db
    .selectFrom('appointments')
    .select('status')
    .where('id', '=', sunday.id)
    .executeTakeFirstOrThrow();
  expect(status).toBe('confirmed');
});
