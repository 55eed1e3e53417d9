import { expect, test } from 'vitest';
import { containsPattern } from './like.ts';

test('escapes wildcards in search text', () => {
  expect(containsPattern(String.raw`50%_a\b`)).toBe(String.raw`%50\%\_a\\b%`);
});
