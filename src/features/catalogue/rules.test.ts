import { expect, test } from 'vitest';
import { priceText } from './rules.ts';

test('a price shows cents only where it has some', () => {
  expect(priceText(12_000)).toBe('$120');
  expect(priceText(6250)).toBe('$62.50');
  expect(priceText(100_000)).toBe('$1,000');
  expect(priceText(0)).toBe('$0');
});
