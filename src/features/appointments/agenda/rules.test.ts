import { expect, test } from 'vitest';
import type { AgendaDay, AgendaEntry } from './contract.ts';
import {
  dateAfter,
  dayItems,
  isShownDate,
  keyTarget,
  lanesOf,
  monthsAfter,
  monthWeeks,
  weekOf,
} from './rules.ts';

test('starts weeks on Sunday, and fills a month with whole ones', () => {
  expect(weekOf('2026-03-04')).toEqual(
    ['01', '02', '03', '04', '05', '06', '07'].map((day) => `2026-03-${day}`),
  );
  expect(weekOf('2026-03-01')[0]).toBe('2026-03-01');
  expect(weekOf('2026-01-01')[0]).toBe('2025-12-28');
  expect(monthWeeks('2026-02-17').map((week) => week[0])).toEqual([
    '2026-02-01',
    '2026-02-08',
    '2026-02-15',
    '2026-02-22',
  ]);
  const may = monthWeeks('2026-05-31');
  expect([may.length, may[0]![0], may.at(-1)![6]]).toEqual([6, '2026-04-26', '2026-06-06']);
  expect(monthWeeks('2026-12-01').at(-1)!.at(-1)).toBe('2027-01-02');
});

test('moves by months to the same day, or the last of a shorter month', () => {
  expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28');
  expect(monthsAfter('2028-01-31', 1)).toBe('2028-02-29');
  expect(monthsAfter('2026-03-31', -1)).toBe('2026-02-28');
  expect(monthsAfter('2026-12-15', 1)).toBe('2027-01-15');
  expect(dateAfter('2026-03-08', 1)).toBe('2026-03-09');
});

test.each([
  ['ArrowLeft', '2026-03-03'],
  ['ArrowRight', '2026-03-05'],
  ['ArrowUp', '2026-02-25'],
  ['ArrowDown', '2026-03-11'],
  ['Home', '2026-03-01'],
  ['End', '2026-03-07'],
  ['t', '2026-03-20'],
  ['Enter', null],
])('%s moves from Wednesday, March 4 to %s', (key, target) => {
  expect(keyTarget(key, '2026-03-04', 'month', '2026-03-20')).toBe(target);
});

test('turns a month in the month view, otherwise a week', () => {
  expect(keyTarget('PageDown', '2026-01-31', 'month', '2026-03-20')).toBe('2026-02-28');
  expect(keyTarget('PageUp', '2026-01-31', 'week', '2026-03-20')).toBe('2026-01-24');
});

test.each([
  ['2026-03-02', true],
  ['2026-02-30', false],
  ['1026-03-02', false],
  ['2026-3-2', false],
  ['soon', false],
])('%s can be shown: %s', (text, shown) => {
  expect(isShownDate(text)).toBe(shown);
});

test('places overlapping entries in parallel lanes', () => {
  expect(
    lanesOf([
      { start: 0, end: 2 },
      { start: 1, end: 3 },
      { start: 2, end: 4 },
      { start: 5, end: 6 },
    ]),
  ).toEqual([
    { lane: 0, lanes: 2 },
    { lane: 1, lanes: 2 },
    { lane: 0, lanes: 2 },
    { lane: 0, lanes: 1 },
  ]);
});

const at = (time: string) => `2026-03-04T${time}:00Z`;

const day: AgendaDay = {
  date: '2026-03-04',
  startsAt: at('00:00'),
  endsAt: '2026-03-05T00:00:00Z',
  open: [
    { startsAt: at('09:00'), endsAt: at('13:00') },
    { startsAt: at('14:00'), endsAt: at('16:00') },
  ],
  rest: [{ startsAt: at('18:00'), endsAt: '2026-03-05T00:00:00Z' }],
  off: null,
  counts: { pending: 0, confirmed: 1, completed: 0, no_show: 1, cancelled: 0 },
  entries: [entry('10:00', '11:00', 'no_show'), entry('14:00', '15:45', 'confirmed')],
};

function entry(from: string, to: string, status: AgendaEntry['status']): AgendaEntry {
  return {
    id: from,
    startsAt: at(from),
    endsAt: at(to),
    status,
    kind: 'consultation',
    sessionType: 'online',
    clientName: 'Ruth',
    service: 'Grief',
  };
}

test('treats empty open hours of at least thirty minutes as free', () => {
  const free = (...sessions: [string, string][]) => {
    const entries = sessions.map(([from, to]) => entry(from, to, 'pending'));
    return dayItems({ ...day, entries }, [], Date.parse(at('00:00')))
      .filter(({ kind }) => kind === 'free')
      .map(({ start, end }) =>
        [start, end].map((time) => new Date(time).toISOString().slice(11, 16)).join('-'),
      );
  };
  expect(free(['12:00', '14:15'], ['15:00', '15:15'])).toEqual(['09:00-12:00', '14:15-15:00', '15:15-16:00']);
  expect(free(['09:00', '12:45'], ['14:00', '16:00'])).toEqual([]);
});

test('shows a day’s bookings, blocks, rest, and free time from now on', () => {
  const blocks = [{ id: 'b', startsAt: '2026-03-03T22:00:00Z', endsAt: at('09:30'), note: '' }];
  const items = (now: string | null) =>
    dayItems(day, blocks, now === null ? null : Date.parse(at(now))).map(
      ({ kind, start, end }) =>
        `${kind} ${new Date(start).toISOString().slice(11, 16)}-${new Date(end).toISOString().slice(11, 16)}`,
    );
  // No-shows hold no time, and the afternoon's remainder is too short.
  expect(items('00:00')).toEqual([
    'block 00:00-09:30',
    'free 09:30-13:00',
    'session 10:00-11:00',
    'session 14:00-15:45',
    'rest 18:00-00:00',
  ]);
  expect(items('11:10')).toContain('free 11:30-13:00');
  expect(items(null).some((item) => item.startsWith('free'))).toBe(false);
});
