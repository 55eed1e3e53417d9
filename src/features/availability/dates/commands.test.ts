import { selfOf } from '#/features/access/rules.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { extendHolidays, saveHolidays } from '../holidays/commands.ts';
import { holidaysView } from '../holidays/queries.ts';
import { availabilityOf, scheduleOf } from '../queries.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addProvider, type Person } from '../../../../tests/support/people.ts';
import { removeDates, setDates } from './commands.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-11-02T12:00:00Z' });
let provider: Person;
beforeAll(async () => {
  provider = await addProvider(db);
});

const own = () => as(provider);
const id = () => selfOf(own());
const set = (from: string, to: string | undefined, windows: { from: string; to: string }[], note = '') =>
  setDates(own(), id(), { from, to, windows, note });
const remove = (from: string, to?: string) => removeDates(own(), id(), { from, to });
const dates = async () =>
  (await availabilityOf(own(), id())).dates.map(
    ({ date, windows, holiday }) =>
      `${date} ${windows.map((window) => `${window.from}-${window.to}`).join(' ') || 'off'}${holiday ? ` ${holiday}` : ''}`,
  );
const offDates = async () =>
  (await scheduleOf(own(), provider.id)).exceptions
    .filter(({ windows }) => windows.length === 0)
    .map(({ date }) => date);

describe('dates with different hours', () => {
  test('are set for a range, changed individually, and reset to the weekly hours', async () => {
    await set('2026-11-09', '2026-11-11', [], 'Away');
    const view = await set('2026-11-10', undefined, [
      { from: '14:00', to: '16:00' },
      { from: '09:00', to: '12:00' },
    ]);
    expect(view.dates).toEqual([
      { date: '2026-11-09', windows: [], note: 'Away', holiday: null },
      {
        date: '2026-11-10',
        windows: [
          { from: '09:00', to: '12:00', placeId: null },
          { from: '14:00', to: '16:00', placeId: null },
        ],
        note: '',
        holiday: null,
      },
      { date: '2026-11-11', windows: [], note: 'Away', holiday: null },
    ]);
    await remove('2026-11-09', '2026-11-10');
    expect(await dates()).toEqual(['2026-11-11 off']);
    await remove('2026-11-11');
    expect(await dates()).toEqual([]);
  });

  test('move with an edited entry, which restores the days it leaves', async () => {
    await set('2026-11-09', '2026-11-12', [], 'Away');
    await setDates(own(), id(), {
      from: '2026-11-11',
      to: '2026-11-13',
      windows: [],
      note: 'Away',
      replaces: { from: '2026-11-09', to: '2026-11-12' },
    });
    expect(await dates()).toEqual(['2026-11-11 off', '2026-11-12 off', '2026-11-13 off']);
    await remove('2026-11-11', '2026-11-13');
  });

  test('are rejected at the invalid field, without storing any of the range', async () => {
    await expect(set('2026-11-01', '2026-11-05', [])).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'from', reason: 'in_past' }],
    });
    await expect(set('2027-03-14', undefined, [{ from: '02:30', to: '04:00' }])).rejects.toMatchObject({
      fields: [{ field: 'windows.0', reason: 'skipped_time' }],
    });
    await expect(set('2026-11-05', undefined, [{ from: '09:00', to: '09:10' }])).rejects.toMatchObject({
      fields: [{ field: 'windows.0', reason: 'too_short' }],
    });
    expect(await dates()).toEqual([]);
  });

  test('may include today, by the provider’s time zone', async () => {
    setNow('2026-11-03T04:59:00Z');
    await set('2026-11-02', undefined, []);
    expect(await dates()).toEqual(['2026-11-02 off']);
    setNow('2026-11-03T05:00:00Z');
    expect(await dates()).toEqual([]);
    await expect(set('2026-11-02', undefined, [])).rejects.toMatchObject({ code: 'invalid' });
    await remove('2026-11-02');
  });
});

describe('holidays', () => {
  test('are off for two years once observed, except for own dates', async () => {
    await set('2026-12-24', undefined, [{ from: '09:00', to: '12:00' }]);
    const view = await saveHolidays(own(), id(), {
      region: 'US',
      names: ['Christmas Day', 'Christmas Eve', 'Thanksgiving Day'],
    });
    expect(view.kept?.names).toHaveLength(3);
    expect(view.holidays.find(({ name }) => name === 'Thanksgiving Day')).toEqual({
      name: 'Thanksgiving Day',
      isPublic: true,
      isKept: true,
      dates: ['2026-11-26', '2027-11-25'],
    });
    expect(await dates()).toEqual([
      '2026-11-26 off Thanksgiving Day',
      '2026-12-24 09:00-12:00',
      '2026-12-25 off Christmas Day',
      // The observed holiday when Christmas is on a Saturday.
      '2027-11-25 off Thanksgiving Day',
      '2027-12-24 off Christmas Day',
      '2027-12-25 off Christmas Day',
    ]);
  });

  test('can be worked on once, and return when an own date is removed', async () => {
    await remove('2026-11-26');
    expect(await offDates()).not.toContain('2026-11-26');
    expect(await dates()).not.toContain('2026-11-26 off Thanksgiving Day');
    await saveHolidays(own(), id(), { region: 'US', names: ['Christmas Eve', 'Thanksgiving Day'] });
    expect(await offDates()).toEqual(['2027-11-25', '2027-12-24']);
    await remove('2026-12-24');
    expect(await offDates()).toEqual(['2026-12-24', '2027-11-25', '2027-12-24']);
    await saveHolidays(own(), id(), { region: 'US', names: ['Christmas Eve'] });
    await saveHolidays(own(), id(), { region: 'US', names: ['Thanksgiving Day'] });
    expect(await offDates()).toEqual(['2026-11-26', '2027-11-25']);
  });

  test('stay holidays when their removal is undone', async () => {
    const names = ['Thanksgiving Day'];
    await saveHolidays(own(), id(), { region: 'US', names });
    await remove('2026-11-26');
    await set('2026-11-26', undefined, [], 'Thanksgiving Day');
    expect(await dates()).toEqual(['2026-11-26 off Thanksgiving Day', '2027-11-25 off Thanksgiving Day']);
  });

  test('switch with the region, and “none” clears them', async () => {
    const view = await saveHolidays(own(), id(), { region: 'CA-ON', names: ['Thanksgiving'] });
    expect(view.kept).toEqual({ region: 'CA-ON', names: ['Thanksgiving'] });
    expect(await offDates()).toEqual(['2027-10-11', '2028-10-09']);
    expect((await saveHolidays(own(), id(), { region: 'CA-ON', names: [] })).kept).toBeNull();
    expect(await offDates()).toEqual([]);
  });

  test('extend monthly in the hourly cleanup', async () => {
    await saveHolidays(own(), id(), { region: 'DE', names: ['Christmas Day'] });
    expect(await offDates()).toEqual(['2026-12-25', '2027-12-25']);
    const filled = async () =>
      (await db.selectFrom('kept_holidays').select('filled_until').executeTakeFirstOrThrow()).filled_until;
    const before = await filled();
    setNow('2026-11-20T12:00:00Z');
    await extendHolidays(as({ kind: 'system' }));
    expect(await filled()).toBe(before);
    setNow('2027-01-02T12:00:00Z');
    await extendHolidays(as({ kind: 'system' }));
    expect(await filled()).toBe('2029-01-02');
    const noted = db
      .selectFrom('audit_entries')
      .select('actor_kind')
      .where('action', '=', 'availability.holidays_extended')
      .where('subject_id', '=', id());
    expect(await noted.execute()).toEqual([{ actor_kind: 'system' }]);
    expect(await offDates()).toEqual(['2027-12-25', '2028-12-25']);
  });

  test('cover countries and states, with English names', async () => {
    const { regions, holidays } = await holidaysView(own(), id(), 'US-CA');
    expect(regions.length).toBeGreaterThan(200);
    expect(regions).toContainEqual({ id: 'US-CA', name: 'United States of America: California' });
    expect(regions).toContainEqual({ id: 'KE', name: 'Kenya' });
    expect(holidays.some(({ name }) => name === 'César Chávez Day' || name === 'Cesar Chavez Day')).toBe(
      true,
    );
    await expect(holidaysView(own(), id(), 'US-ZZ')).rejects.toMatchObject({
      fields: [{ field: 'region', reason: 'not_an_option' }],
    });
    await expect(saveHolidays(own(), id(), { region: 'US', names: ['My Birthday'] })).rejects.toMatchObject({
      fields: [{ field: 'names.0', reason: 'not_an_option' }],
    });
  });
});
