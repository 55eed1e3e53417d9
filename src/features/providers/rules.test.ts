import { expect, it } from 'vitest';
import { meanRating } from './rules.ts';

it('gives the mean of ratings to one decimal, and none without a rating', () => {
  expect(meanRating(314, 64)).toBe(4.9);
  expect(meanRating(9, 2)).toBe(4.5);
  expect(meanRating(0, 0)).toBeNull();
});
