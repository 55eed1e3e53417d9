import { expect, test } from 'vitest';
import { anywhere } from './like.ts';

test('escapes wildcards in search text', () => {
  expect(anywhere(String.raw`50%_a\b`)).toBe(String.raw`%50\%\_a\\b%`);
});
