import { expect, test } from 'vitest';
import { actionNames } from './rules.ts';

test('gives every action a distinct name', () => {
  const words = Object.values(actionNames).map((name) => name());
  expect(new Set(words).size).toBe(words.length);
  for (const one of words) expect(one).toMatch(/^[A-Z][^.:]+$/);
});
