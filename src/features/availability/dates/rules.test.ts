import { expect, test } from 'vitest';
import { datesIn, datesProblems, type DatesQuestion } from './rules.ts';

const question: DatesQuestion = {
  from: '2026-03-29',
  to: '2026-03-29',
  windows: [{ from: '09:00', to: '12:00' }],
  today: '2026-03-02',
  timeZone: 'Europe/Berlin',
  placeIds: [],
  shortestMinutes: 30,
};

const problems = (changes: Partial<DatesQuestion>) =>
  datesProblems({ ...question, ...changes }).map(({ field, reason }) => `${field} ${reason}`);
const windows = (from: string, to: string) => [{ from, to }];

test('accepts a date with hours, a date off and a year off', () => {
  expect(problems({})).toEqual([]);
  expect(problems({ windows: [] })).toEqual([]);
  expect(problems({ from: '2026-03-02', to: '2027-03-02', windows: [] })).toEqual([]);
});

test.each<[string, Partial<DatesQuestion>, string]>([
  ['a date in the past', { from: '2026-03-01', to: '2026-03-01', windows: [] }, 'from in_past'],
  ['a range that ends before it begins', { to: '2026-03-28' }, 'to before_from'],
  ['more than a year', { from: '2026-03-02', to: '2027-03-03', windows: [] }, 'to too_far'],
  ['years ahead', { from: '2031-01-01', to: '2031-01-01' }, 'from too_far'],
  ['a time that the clocks skip that day', { windows: windows('02:30', '06:00') }, 'windows.0 skipped_time'],
  ['an end that they skip', { windows: windows('01:00', '02:30') }, 'windows.0 skipped_time'],
  ['the next day’s hours', { windows: windows('20:00', '02:00') }, 'windows.0 crosses_midnight'],
  ['hours without a session', { windows: windows('09:00', '09:20') }, 'windows.0 too_short'],
  ['a short night at the end', { windows: windows('23:45', '24:00') }, 'windows.0 too_short'],
  [
    'overlapping hours',
    { windows: [...windows('09:00', '12:00'), ...windows('11:00', '13:00')] },
    'windows.1 overlaps',
  ],
  [
    'a midnight that is skipped',
    { timeZone: 'Asia/Beirut', windows: windows('00:00', '06:00') },
    'windows.0 skipped_time',
  ],
])('refuses %s', (_, changes, expected) => {
  expect(problems(changes)).toEqual([expected]);
});

test('accepts a skipped time on other days, and rejects a range that includes its day', () => {
  const early = windows('02:30', '06:00');
  expect(problems({ from: '2026-03-28', to: '2026-03-28', windows: early })).toEqual([]);
  expect(problems({ from: '2026-03-25', to: '2026-03-28', windows: early })).toEqual([]);
  expect(problems({ from: '2026-03-25', to: '2026-04-02', windows: early })).toEqual([
    'windows.0 skipped_time',
  ]);
});

test('includes both ends of a date range', () => {
  expect(datesIn('2026-02-27', '2026-03-02')).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
});
