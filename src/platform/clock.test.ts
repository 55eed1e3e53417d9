import { expect, test } from 'vitest';
import { newId } from './clock.ts';

test('makes ids that only grow, even within a millisecond', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
});
