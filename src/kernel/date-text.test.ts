import { expect, test } from 'vitest';
import { dateFormat, formatDate, formatInstant, isFormatZone } from './date-text.ts';

test('formats an instant in a zone, in American English by default', () => {
  const options = { dateStyle: 'long', timeStyle: 'short' } as const;
  const instant = '2026-03-08T20:15:00Z';
  expect(formatInstant(instant, 'America/New_York', options)).toBe('March 8, 2026 at 4:15 PM');
  expect(formatInstant(Date.parse(instant), 'Asia/Kathmandu', options)).toBe('March 9, 2026 at 2:00 AM');
  expect(formatInstant(instant, 'Europe/Berlin', options, 'de')).toBe('8. März 2026 um 21:15');
});

test('formats a plain date regardless of the machine’s zone', () => {
  expect(formatDate('2026-03-08', { dateStyle: 'full' })).toBe('Sunday, March 8, 2026');
  expect(formatDate('2026-03-08', { month: 'long' }, 'de')).toBe('März');
});

test('caches one formatter per zone, locale and options', () => {
  const first = dateFormat('UTC', { month: 'long' });
  expect(dateFormat('UTC', { month: 'long' })).toBe(first);
  for (const other of [
    dateFormat('UTC', { month: 'short' }),
    dateFormat('Europe/Berlin', { month: 'long' }),
    dateFormat('UTC', { month: 'long' }, 'de'),
  ]) {
    expect(other).not.toBe(first);
  }
});

test('rejects unknown zones', () => {
  expect(() => formatInstant(0, 'Nowhere/City', { month: 'long' })).toThrow(RangeError);
  for (const name of ['America/New_York', 'europe/berlin', 'UTC', 'Etc/GMT+5']) {
    expect(isFormatZone(name)).toBe(true);
  }
  for (const name of ['', 'Nowhere/City', '+05:30', '2026-03-08T00:00[UTC]']) {
    expect(isFormatZone(name)).toBe(false);
  }
});
