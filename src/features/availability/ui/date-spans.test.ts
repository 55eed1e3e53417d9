import { expect, it } from 'vitest';
import { groupedDates } from './date-spans.ts';

const off = { windows: [], note: '', holiday: null };
const late = { windows: [{ from: '18:00', to: '20:00', placeId: null }], note: '', holiday: null };

it('groups consecutive identical dates, even across months', () => {
  const dates = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-03'].map((date) => ({ date, ...off }));
  expect(groupedDates(dates).map(({ from, to }) => [from, to])).toEqual([
    ['2026-02-27', '2026-03-01'],
    ['2026-03-03', '2026-03-03'],
  ]);
});

it('separates dates that differ in hours or note, and every holiday', () => {
  const dates = [
    { date: '2026-12-23', ...off },
    { date: '2026-12-24', ...off, note: 'With my mother' },
    { date: '2026-12-25', ...off, note: 'Christmas Day', holiday: 'Christmas Day' },
    { date: '2026-12-26', ...off, note: 'Boxing Day', holiday: 'Boxing Day' },
    { date: '2026-12-27', ...late },
  ];
  expect(groupedDates(dates)).toHaveLength(5);
});

it('groups at most as many dates as one request may change', () => {
  const first = Date.parse('2026-01-01T00:00Z');
  const dates = Array.from({ length: 700 }, (_, index) => ({
    date: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
    ...off,
  }));
  expect(groupedDates(dates).map(({ from, to }) => [from, to])).toEqual([
    ['2026-01-01', '2027-01-01'],
    ['2027-01-02', '2027-12-01'],
  ]);
});
