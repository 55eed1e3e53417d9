import { selfOf } from '#/features/access/rules.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#/features/accounts/commands.ts';
import { updatePreferences, updateProfile } from '#/features/accounts/profile/commands.ts';
import { viewerOf } from '#/features/accounts/queries.ts';
import { createProvider } from '#/features/providers/practice/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { saveWeek, setWeeklyHours } from './commands.ts';
import { setApproval } from '../commands.ts';
import { availabilityOf, scheduleOf } from '../queries.ts';
import { defaultWeek } from '../rules.ts';
import { noTerms } from '../terms/rules.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const system = as({ kind: 'system' });
let providerId: string;

beforeAll(async () => {
  providerId = await createAccount(system, {
    email: 'doctor@example.org',
    name: 'Doctor',
    role: 'client',
    emailVerified: true,
  });
  await createProvider(system, {
    userId: providerId,
    kind: 'doctor',
    title: 'Psychologist',
    specialties: ['Anxiety'],
    experience: '10 years',
    location: 'Chicago, IL',
    bio: 'Listens.',
    education: [],
    approach: '',
    languages: ['English'],
    traditions: ['SDA'],
    faithPart: 'as_you_wish',
    sessionTypes: ['online', 'phone', 'in-person'],
    phone: null,
    timeZone: 'America/Chicago',
    approvesFirst: false,
    serviceIds: ['grief'],
  });
});

/** A schedule without rest days or own terms. */
const unnarrowed = { rest: { kind: 'none', place: null }, terms: noTerms, placed: false };

it('keeps the minutes offered on each weekday', async () => {
  const minutes = async () => {
    const row = await db
      .selectFrom('providers')
      .select('weekly_minutes')
      .where('id', '=', providerId)
      .executeTakeFirstOrThrow();
    return row.weekly_minutes;
  };
  await setWeeklyHours(system, providerId, [
    { weekday: 1, from: '09:00', to: '12:30' },
    { weekday: 1, from: '14:00', to: '15:15' },
    { weekday: 7, from: '00:00', to: '24:00' },
  ]);
  expect(await minutes()).toEqual([285, 0, 0, 0, 0, 0, 1440]);
  await db
    .updateTable('weekly_hours')
    .set({ to_time: '09:15' })
    .where('provider_id', '=', providerId)
    .where('from_time', '=', '09:00')
    .execute();
  expect(await minutes()).toEqual([90, 0, 0, 0, 0, 0, 1440]);
  await setWeeklyHours(system, providerId, []);
  expect(await minutes()).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

describe('scheduleOf', () => {
  it('returns the time zone, the weekly hours, and exceptions from today on', async () => {
    expect(await scheduleOf(system, providerId)).toEqual({
      timeZone: 'America/Chicago',
      weekly: [],
      exceptions: [],
      ...unnarrowed,
    });
    await setWeeklyHours(system, providerId, defaultWeek.toReversed());
    const windows = [{ from: '10:00', to: '12:00', placeId: null }];
    await db
      .insertInto('date_exceptions')
      .values([
        { provider_id: providerId, date: '2026-02-20' },
        { provider_id: providerId, date: '2026-03-20', windows: JSON.stringify(windows) },
        { provider_id: providerId, date: '2026-03-02' },
      ])
      .execute();
    expect(await scheduleOf(system, providerId)).toEqual({
      timeZone: 'America/Chicago',
      weekly: defaultWeek.map((window) => ({ ...window, placeId: null })),
      exceptions: [
        { date: '2026-03-02', windows: [] },
        { date: '2026-03-20', windows },
      ],
      ...unnarrowed,
    });
    // March 2 isn't over in Chicago.
    setNow('2026-03-03T04:00:00Z');
    expect((await scheduleOf(system, providerId)).exceptions[0]?.date).toBe('2026-03-02');
  });

  it('throws not_found for anyone but a provider', async () => {
    await expect(scheduleOf(system, system.newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('setWeeklyHours', () => {
  const own = () => as({ kind: 'person', id: providerId, role: 'doctor', sessionId: system.newId() });
  const monday = (from: string, to: string) => ({ weekday: 1, from, to, placeId: null });

  it('replaces the hours and audits the change', async () => {
    await setWeeklyHours(own(), providerId, [
      monday('09:00', '12:00'),
      monday('12:00', '24:00'),
      { ...monday('09:00', '12:00'), weekday: 7 },
    ]);
    await setWeeklyHours(own(), providerId, [monday('08:30', '10:00')]);
    expect((await scheduleOf(system, providerId)).weekly).toEqual([monday('08:30', '10:00')]);
    const filed = await db
      .selectFrom('audit_entries')
      .select(['actor_id', 'subject_id', 'category'])
      .where('action', '=', 'availability.weekly_hours_set')
      .where('actor_kind', '=', 'person')
      .orderBy('id')
      .execute();
    expect(filed).toEqual(
      [1, 2].map(() => ({ actor_id: providerId, subject_id: providerId, category: 'service_management' })),
    );
  });

  it.each([
    ['two that overlap', [monday('09:00', '12:00'), monday('11:30', '13:00')], 'windows.1', 'overlaps'],
    ['the same twice', [monday('09:00', '12:00'), monday('09:00', '12:00')], 'windows.1', 'overlaps'],
    ['one that ends before it begins', [monday('12:00', '09:00')], 'windows.0', 'ends_before_it_begins'],
    ['one without length', [monday('12:00', '12:00')], 'windows.0', 'ends_before_it_begins'],
    ['an hour that no clock shows', [monday('25:00', '26:00')], 'windows.0', 'not_a_time'],
    ['a start at 24:00', [monday('24:00', '24:00')], 'windows.0', 'not_a_time'],
    ['an eighth weekday', [{ weekday: 8, from: '09:00', to: '10:00' }], 'windows.0', 'not_a_weekday'],
  ])('rejects %s and keeps the previous hours', async (_, windows, field, reason) => {
    await expect(setWeeklyHours(own(), providerId, windows)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field, reason }],
    });
    expect((await scheduleOf(system, providerId)).weekly).toEqual([monday('08:30', '10:00')]);
  });

  it('is allowed only for the provider', async () => {
    const other = as({ kind: 'person', id: system.newId(), role: 'doctor', sessionId: system.newId() });
    await expect(setWeeklyHours(other, providerId, [])).rejects.toMatchObject({ code: 'not_found' });
    const client = as({ kind: 'person', id: providerId, role: 'client', sessionId: system.newId() });
    await expect(setWeeklyHours(client, providerId, [])).rejects.toMatchObject({ code: 'forbidden' });
    await expect(setWeeklyHours(system, system.newId(), [])).rejects.toMatchObject({ code: 'not_found' });
  });

  it('serializes two simultaneous changes', async () => {
    await Promise.all(
      ['09:00', '10:00', '11:00'].map((from) => setWeeklyHours(own(), providerId, [monday(from, '12:00')])),
    );
    expect((await scheduleOf(system, providerId)).weekly).toHaveLength(1);
  });
});

describe('saveWeek', () => {
  const own = () => as({ kind: 'person', id: providerId, role: 'doctor', sessionId: system.newId() });
  const mine = () => availabilityOf(own(), selfOf(own()));
  const place = { name: 'Jerusalem', latitude: 31.78, longitude: 35.23, timeZone: 'Asia/Jerusalem' };
  const week = {
    timeZone: 'Asia/Jerusalem',
    weekly: [{ weekday: 2, from: '09:00', to: '17:00', placeId: null }],
    terms: { sessionLengths: [90, 60, 60], bufferMinutes: 20, noticeHours: 30, dailyMaximum: 5 },
    rest: { kind: 'sabbath' as const, place },
  };
  const save = (changes: object, version: number) =>
    saveWeek(own(), selfOf(own()), { ...week, ...changes, version });

  it('changes the account’s time zone with the practice’s, which the account itself can’t', async () => {
    const zone = async () => (await viewerOf(own()))!.timeZone;
    const before = (await mine()).version;
    await save({ timeZone: 'Asia/Tokyo' }, before);
    expect(await zone()).toBe('Asia/Tokyo');
    for (const change of [updateProfile, updatePreferences]) {
      await expect(change(own(), { timeZone: 'America/Chicago' })).rejects.toMatchObject({
        code: 'invalid',
        fields: [{ field: 'timeZone', reason: 'practice_zone' }],
      });
    }
    expect(await updateProfile(own(), { timeZone: 'Asia/Tokyo', fullName: 'Doctor' })).toMatchObject({
      timeZone: 'Asia/Tokyo',
    });
    // Writes like the previous release: directly to the account's column.
    await db.updateTable('profiles').set({ time_zone: 'UTC' }).where('id', '=', providerId).execute();
    expect(await zone()).toBe('Asia/Tokyo');
    await save({ timeZone: 'America/Chicago' }, before + 1);
    expect(await zone()).toBe('America/Chicago');
  });

  it('stores week, terms, rest and time zone together, and returns the effective values', async () => {
    const before = await mine();
    expect(before.site).toEqual({
      bufferMinutes: 15,
      noticeHours: 24,
      dailyMaximum: 8,
      sessionLengths: [30, 60, 90],
    });
    const view = await save({}, before.version);
    const stored = { ...week, terms: { ...week.terms, sessionLengths: [60, 90] } };
    // The date can differ between zones.
    const { today, dates } = view;
    expect(view).toEqual({ ...before, ...stored, version: before.version + 1, today, dates });
    expect(await mine()).toEqual(view);
    expect(await scheduleOf(system, providerId)).toMatchObject(stored);
  });

  it('stores nothing when invalid, and names every field', async () => {
    const before = await mine();
    const weekly = [{ weekday: 2, from: '17:00', to: '09:00', placeId: system.newId() }];
    const terms = { ...week.terms, dailyMaximum: 9 };
    await expect(save({ weekly, terms, timeZone: 'Mars/Olympus' }, before.version)).rejects.toMatchObject({
      code: 'invalid',
      fields: [
        { field: 'timeZone', reason: 'unknown_zone' },
        { field: 'terms.dailyMaximum', reason: 'above_site' },
        { field: 'weekly.0', reason: 'ends_before_it_begins' },
      ],
    });
    expect(await mine()).toEqual(before);
  });

  it('rejects changes to an older version: one of two simultaneous saves wins', async () => {
    const { version } = await mine();
    const ended = await Promise.allSettled([
      save({ weekly: [] }, version),
      save({ weekly: week.weekly }, version),
    ]);
    const refused = ended.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'conflict', reason: 'changed_meanwhile' } }]);
    await expect(save({}, version)).rejects.toMatchObject({ reason: 'changed_meanwhile' });
    expect((await mine()).version).toBe(version + 1);
  });

  it('keeps an open location of the provider’s; hours at a closed one have none', async () => {
    const placeId = system.newId();
    await db
      .insertInto('places')
      .values({ id: placeId, provider_id: providerId, name: 'Office', address: '1 Elm', town: 'Haifa' })
      .execute();
    const weekly = [{ weekday: 2, from: '09:00', to: '17:00', placeId }];
    const view = await save({ weekly }, (await mine()).version);
    expect(view).toMatchObject({ weekly, places: [{ id: placeId, name: 'Office', town: 'Haifa' }] });
    expect(await scheduleOf(system, providerId)).toMatchObject({ weekly, placed: true });
    await db.updateTable('places').set({ closed: true }).where('id', '=', placeId).execute();
    const without = [{ ...weekly[0], placeId: null }];
    expect(await mine()).toMatchObject({ weekly: without, places: [] });
    expect(await scheduleOf(system, providerId)).toMatchObject({ weekly: without, placed: true });
    await expect(save({ weekly }, (await mine()).version)).rejects.toMatchObject({
      fields: [{ field: 'weekly.0', reason: 'unknown_place' }],
    });
  });

  it('is allowed only for the provider, including whether bookings need approval', async () => {
    const other = as({ kind: 'person', id: system.newId(), role: 'doctor', sessionId: system.newId() });
    const theirs = { ...week, version: 1 };
    await expect(saveWeek(other, selfOf(own()), theirs)).rejects.toMatchObject({ code: 'not_found' });
    await expect(setApproval(other, selfOf(own()), true)).rejects.toMatchObject({ code: 'not_found' });
    await expect(setApproval(other, selfOf(other), true)).rejects.toMatchObject({ code: 'not_found' });
    expect(await setApproval(own(), selfOf(own()), true)).toEqual({ approvesFirst: true });
    expect((await mine()).approvesFirst).toBe(true);
  });
});
