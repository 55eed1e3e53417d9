import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#/features/accounts/commands.ts';
import { createProvider } from '#/features/providers/commands.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { setWeeklyHours } from './commands.ts';
import { scheduleOf } from './queries.ts';
import { defaultWeek } from './rules.ts';
import { noTerms } from './terms/rules.ts';

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

/** A schedule that nothing narrows. */
const unnarrowed = { rest: { kind: 'none', place: null }, terms: noTerms, placed: false };

describe('scheduleOf', () => {
  it('gives the zone, the weekly hours as they were set, and the exceptions from today on', async () => {
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
    // 2 March is not over in Chicago.
    setNow('2026-03-03T04:00:00Z');
    expect((await scheduleOf(system, providerId)).exceptions[0]?.date).toBe('2026-03-02');
  });

  it('answers not_found for whoever is no provider', async () => {
    await expect(scheduleOf(system, system.newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('setWeeklyHours', () => {
  const own = () => as({ kind: 'person', id: providerId, role: 'doctor', sessionId: system.newId() });
  const monday = (from: string, to: string) => ({ weekday: 1, from, to, placeId: null });

  it('replaces the hours and files the act', async () => {
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
  ])('refuses %s and keeps what was', async (_, windows, field, reason) => {
    await expect(setWeeklyHours(own(), providerId, windows)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field, reason }],
    });
    expect((await scheduleOf(system, providerId)).weekly).toEqual([monday('08:30', '10:00')]);
  });

  it('is for the provider alone', async () => {
    const other = as({ kind: 'person', id: system.newId(), role: 'doctor', sessionId: system.newId() });
    await expect(setWeeklyHours(other, providerId, [])).rejects.toMatchObject({ code: 'not_found' });
    const client = as({ kind: 'person', id: providerId, role: 'client', sessionId: system.newId() });
    await expect(setWeeklyHours(client, providerId, [])).rejects.toMatchObject({ code: 'forbidden' });
    await expect(setWeeklyHours(system, system.newId(), [])).rejects.toMatchObject({ code: 'not_found' });
  });

  it('lets two changes at once follow each other', async () => {
    await Promise.all(
      ['09:00', '10:00', '11:00'].map((from) => setWeeklyHours(own(), providerId, [monday(from, '12:00')])),
    );
    expect((await scheduleOf(system, providerId)).weekly).toHaveLength(1);
  });
});
