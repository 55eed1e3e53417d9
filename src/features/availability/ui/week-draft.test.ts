import { expect, it } from 'vitest';
import type { AvailabilityView } from '../contract.ts';
import { noTerms } from '../terms/rules.ts';
import {
  copyDay,
  draftOf,
  isSame,
  toggleDay,
  typedFrom,
  withDay,
  withoutWindow,
  withWindow,
} from './week-draft.ts';

const view: AvailabilityView = {
  version: 3,
  timeZone: 'America/New_York',
  weekly: [
    { weekday: 1, from: '09:00', to: '13:00', placeId: null },
    { weekday: 1, from: '14:00', to: '19:00', placeId: null },
    { weekday: 6, from: '10:00', to: '24:00', placeId: null },
  ],
  terms: { ...noTerms, bufferMinutes: 20 },
  rest: {
    kind: 'sabbath',
    place: { name: 'Boston', latitude: 42.36, longitude: -71.06, timeZone: 'America/New_York' },
  },
  approvesFirst: false,
  dates: [],
  places: [],
  site: { bufferMinutes: 15, noticeHours: 24, dailyMaximum: 8, sessionLengths: [30, 60, 90] },
  today: '2026-03-02',
};
const week = typedFrom(view);
const hoursOn = (weekday: number, of = week) =>
  draftOf(of)
    .draft.weekly.filter((window) => window.weekday === weekday)
    .map(({ from, to }) => `${from}-${to}`);

it('sends stored values unchanged when nothing is edited', () => {
  const { timeZone, weekly, terms, rest } = view;
  expect(draftOf(week).draft).toEqual({ timeZone, weekly, terms, rest });
  expect(isSame(week, typedFrom(view))).toBe(true);
});

it('returns the key of each sent window', () => {
  const { keys } = draftOf(week);
  expect(keys).toEqual(week.days.flatMap(({ windows }) => windows.map(({ key }) => key)));
  expect(new Set(keys).size).toBe(3);
});

it('switches a day back on with its earlier hours, or with default hours', () => {
  const off = withDay(week, 1, toggleDay);
  expect(hoursOn(1, off)).toEqual([]);
  expect(isSame(off, week)).toBe(false);
  expect(isSame(withDay(off, 1, toggleDay), week)).toBe(true);
  expect(hoursOn(7, withDay(week, 7, toggleDay))).toEqual(['09:00-17:00']);
});

it('adds hours after a break within the day, or leaves them empty', () => {
  const windows = (weekday: number) => week.days[weekday - 1]!.windows;
  const added = (weekday: number) => withWindow(windows(weekday)).at(-1);
  expect(added(1)).toMatchObject({ from: '20:00', to: '22:00' });
  expect(added(6)).toMatchObject({ from: '', to: '' });
  const more = withWindow(windows(1));
  expect(withoutWindow(more, more[2]!.key)).toEqual(windows(1));
});

it('copies a day to others, and keeps the rest of the week', () => {
  const next = copyDay(week, 1, [1, 2, 3]);
  expect(hoursOn(2, next)).toEqual(['09:00-13:00', '14:00-19:00']);
  expect(hoursOn(6, next)).toEqual(['10:00-24:00']);
  expect(new Set(draftOf(next).keys).size).toBe(7);
  expect(hoursOn(1, copyDay(week, 7, [1]))).toEqual([]);
});

it.each([
  ['', null],
  [' 30 ', 30],
  ['soon', NaN],
  ['1.5', NaN],
  ['-5', NaN],
])('reads %j minutes as %j', (buffer, minutes) => {
  expect(draftOf({ ...week, buffer }).draft.terms.bufferMinutes).toBe(minutes);
});

it('names a place given by coordinates, and drops a half-typed one for another rest rule', () => {
  const typed = { ...week.place, by: 'coordinates' as const, latitude: '−33,87', longitude: '151.21' };
  const place = draftOf({ ...week, place: typed }).draft.rest.place;
  expect(place).toMatchObject({ name: '33.87° S, 151.21° E', latitude: -33.87, longitude: 151.21 });
  expect(typedFrom({ ...view, rest: { kind: 'sabbath', place } }).place.by).toBe('coordinates');
  const half = { ...typed, latitude: '3x' };
  expect(draftOf({ ...week, place: half }).draft.rest.place?.latitude).toBeNaN();
  expect(draftOf({ ...week, restKind: 'sunday', place: half }).draft.rest.place).toBeNull();
});
