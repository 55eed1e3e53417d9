import { expect, test } from 'vitest';
import { frequencyOf } from './series-frequency.ts';

function sessions(...starts: [seriesIndex: number, date: string][]) {
  return starts.map(([seriesIndex, date]) => ({ seriesIndex, startsAt: `${date}T14:00:00Z` }));
}

test('derives the rhythm of a series from its dates', () => {
  expect(frequencyOf(sessions([1, '2026-12-01'], [2, '2026-12-08'], [3, '2026-12-15']))).toBe('weekly');
  expect(frequencyOf(sessions([1, '2026-12-01'], [2, '2026-12-15'], [3, '2026-12-29']))).toBe('biweekly');
});

test('looks past a canceled session, and one that was moved by a few days', () => {
  expect(frequencyOf(sessions([1, '2026-12-01'], [3, '2026-12-15'], [4, '2026-12-22']))).toBe('weekly');
  expect(frequencyOf(sessions([1, '2026-12-01'], [2, '2026-12-10'], [3, '2026-12-15']))).toBe('weekly');
});

test('names no rhythm once sessions were moved further or past each other', () => {
  expect(frequencyOf(sessions([1, '2026-12-01'], [2, '2026-12-08'], [3, '2027-01-05']))).toBe('other');
  expect(frequencyOf(sessions([2, '2026-12-01'], [1, '2026-12-08']))).toBe('other');
});
