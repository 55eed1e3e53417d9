import { describe, expect, test } from 'vitest';
import type { AvailabilityDraft } from '../contract.ts';
import { defaultWeek, type Frame, type WeeklyWindow } from '../rules.ts';
import { noTerms } from '../terms/rules.ts';
import { shortestOf, weekProblems } from './rules.ts';

const own = 'place-of-their-own';
const frame: Frame = {
  site: { bufferMinutes: 15, advanceNoticeHours: 24, dailyMaximum: 8 },
  servicesMinutes: [60, 75],
  placeIds: [own],
};

const draft: AvailabilityDraft = {
  timeZone: 'America/New_York',
  weekly: defaultWeek.map((window) => ({ ...window, placeId: null })),
  terms: noTerms,
  rest: { kind: 'none', place: null },
};

const problems = (changes: object) =>
  weekProblems({ ...draft, ...changes }, frame).map(({ field, reason }) => `${field} ${reason}`);

const monday = (from: string, to: string, placeId: string | null = null) => ({
  weekday: 1,
  from,
  to,
  placeId,
});

test('accepts the default week and an empty one', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ weekly: [] })).toEqual([]);
  expect(problems({ weekly: [monday('09:00', '12:00', own)] })).toEqual([]);
});

describe('rejected hours', () => {
  test.each<[string, WeeklyWindow[], string]>([
    ['two that overlap', [monday('09:00', '12:00'), monday('11:59', '13:00')], 'weekly.1 overlaps'],
    ['that end before they begin', [monday('12:00', '09:00')], 'weekly.0 ends_before_it_begins'],
    ['that cross midnight', [monday('22:00', '02:00')], 'weekly.0 crosses_midnight'],
    ['that no clock shows', [monday('24:30', '25:00')], 'weekly.0 not_a_time'],
    ['on no weekday', [{ weekday: 0, from: '09:00', to: '12:00' }], 'weekly.0 not_a_weekday'],
    ['at another’s place', [monday('09:00', '12:00', 'another')], 'weekly.0 unknown_place'],
    ['in which no session fits', [monday('09:00', '09:29')], 'weekly.0 too_short'],
  ])('%s', (_, weekly, expected) => {
    expect(problems({ weekly })).toEqual([expected]);
  });

  test('too many on one day', () => {
    const weekly = Array.from({ length: 13 }, (_, index) => {
      const hour = String(index).padStart(2, '0');
      return monday(`${hour}:00`, `${hour}:45`);
    });
    expect(problems({ weekly })).toEqual(['weekly.12 too_many']);
  });
});

test('accepts touching hours that are long enough together, even across midnight', () => {
  expect(problems({ weekly: [monday('09:00', '09:15'), monday('09:15', '09:30')] })).toEqual([]);
  const night = { weekday: 7, from: '23:45', to: '24:00' };
  expect(problems({ weekly: [monday('00:00', '00:15'), night] })).toEqual([]);
  expect(problems({ weekly: [monday('00:00', '00:10'), night] })).toEqual([
    'weekly.0 too_short',
    'weekly.1 too_short',
  ]);
  expect(problems({ weekly: [night] })).toEqual(['weekly.0 too_short']);
});

test('bases the minimum window on the shortest offered session', () => {
  expect(shortestOf(null, [60, 75])).toBe(30);
  expect(shortestOf([90], [60, 75])).toBe(90);
  expect(shortestOf([60, 90], [])).toBe(60);
  expect(shortestOf(null, [20])).toBe(20);
  const terms = { ...noTerms, sessionLengths: [90] };
  expect(problems({ terms, weekly: [monday('09:00', '10:29')] })).toEqual(['weekly.0 too_short']);
});

test('rejects terms looser than the site’s, and session lengths that aren’t offered', () => {
  const terms = { sessionLengths: [45], bufferMinutes: 10, noticeHours: 23, dailyMaximum: 9 };
  expect(problems({ terms })).toEqual([
    'terms.sessionLengths not_offered',
    'terms.bufferMinutes below_site',
    'terms.noticeHours below_site',
    'terms.dailyMaximum above_site',
  ]);
});

test('rejects an unknown zone, a Sabbath without a place, and invalid coordinates', () => {
  const place = { name: 'Nowhere', latitude: 90.1, longitude: -180.1, timeZone: 'Mars/Olympus' };
  expect(problems({ timeZone: 'Mars/Olympus' })).toEqual(['timeZone unknown_zone']);
  expect(problems({ rest: { kind: 'sabbath', place: null } })).toEqual(['rest.place required']);
  expect(problems({ rest: { kind: 'sunday', place } })).toEqual([
    'rest.place.latitude out_of_bounds',
    'rest.place.longitude out_of_bounds',
    'rest.place.timeZone unknown_zone',
  ]);
});
