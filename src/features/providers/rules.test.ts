import { expect, it } from 'vitest';
import { meanRating } from './rules.ts';

it('averages ratings to one decimal, and returns null without ratings', () => {
  expect(meanRating(314, 64)).toBe(4.9);
  expect(meanRating(9, 2)).toBe(4.5);
  expect(meanRating(0, 0)).toBeNull();
});
