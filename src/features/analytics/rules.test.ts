import { describe, expect, test } from 'vitest';
import { changeOf, fullBar, inYears, percentOf } from './rules.ts';

test.each([
  [{ now: 110, before: 100 }, 10],
  [{ now: 90, before: 100 }, -10],
  [{ now: 1, before: 3 }, -66.7],
  [{ now: 1_001, before: 1_000 }, 0.1],
  [{ now: 7, before: 7 }, 0],
  [{ now: 0, before: 0 }, 0],
  [{ now: 0, before: 4 }, -100],
  [{ now: 4, before: 0 }, 'new'],
])('%j has changed by %s', (figure, change) => {
  expect(changeOf(figure)).toBe(change);
});

test('rounds a share to a whole percent, and returns null without a total', () => {
  expect(percentOf(1, 3)).toBe(33);
  expect(percentOf(2, 3)).toBe(67);
  expect(percentOf(0, 5)).toBe(0);
  expect(percentOf(0, 0)).toBeNull();
});

describe('bars', () => {
  test('scale to 500 sessions and 1,300 users, or to a larger maximum', () => {
    expect(fullBar([{ sessions: 12 }, { sessions: 499 }], 'sessions')).toBe(500);
    expect(fullBar([{ sessions: 501 }, { sessions: 3 }], 'sessions')).toBe(501);
    expect(fullBar([{ users: 1_299 }], 'users')).toBe(1_300);
    expect(fullBar([{ users: 90_000 }], 'users')).toBe(90_000);
  });

  test('are grouped in twelves, counting back from the last', () => {
    const months = Array.from({ length: 26 }, (_, index) => index);
    expect(inYears(months).map((part) => [part[0], part.at(-1)])).toEqual([
      [0, 1],
      [2, 13],
      [14, 25],
    ]);
    expect(inYears([1])).toEqual([[1]]);
    expect(inYears([])).toEqual([]);
  });
});
