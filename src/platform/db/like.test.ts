import { expect, test } from 'vitest';
import { anywhere } from './like.ts';

test('a search’s own wildcards stand for themselves', () => {
  expect(anywhere(String.raw`50%_a\b`)).toBe(String.raw`%50\%\_a\\b%`);
});
