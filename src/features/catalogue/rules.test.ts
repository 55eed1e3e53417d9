import { expect, test } from 'vitest';
import { serviceIdShape } from './contract.ts';
import { priceOf } from './prices/rules.ts';
import { averagePriceText, priceText, readNumber, serviceIdFrom } from './rules.ts';

test('shows cents only in prices that have them', () => {
  expect(priceText(12_000)).toBe('$120');
  expect(priceText(6250)).toBe('$62.50');
  expect(priceText(100_000)).toBe('$1,000');
  expect(priceText(0)).toBe('$0');
});

test('rounds average prices to whole dollars', () => {
  expect(averagePriceText([12_000, 18_000, 15_000, 6_000, 8_000])).toBe('$118');
  expect(averagePriceText([150, 150])).toBe('$2');
  expect(averagePriceText([0])).toBe('$0');
  expect(averagePriceText([])).toBeNull();
});

test.each([
  ['60', 60],
  [' 90 ', 90],
  ['45 min', 45],
  ['$1,200.50', 1200.5],
  ['-3', -3],
  ['abc', null],
  ['', null],
  ['Infinity', null],
])('what is typed as a number is read as people mean it: %s', (text, number) => {
  expect(readNumber(text)).toBe(number);
});

test.each([
  ['Marriage & Family', 'marriage-family'],
  ['  Élan!  ', 'elan'],
  ['상담', 'service'],
  ['Grief', 'grief-3'],
  ['x'.repeat(100), 'x'.repeat(50)],
])('a new service has an address of its own: %s', (title, id) => {
  expect(serviceIdFrom(title, ['grief', 'grief-2'])).toBe(id);
  expect(serviceIdShape.safeParse(id).success).toBe(true);
});

test('scales a price with the duration, unless a price is set for it', () => {
  const service = { durationMinutes: 60, priceCents: 12_000, lengthPrices: [] };
  expect([30, 60, 90].map((minutes) => priceOf(service, minutes))).toEqual([6_000, 12_000, 18_000]);
  const set = {
    ...service,
    lengthPrices: [
      { minutes: 90, priceCents: 15_000 },
      { minutes: 30, priceCents: 0 },
    ],
  };
  expect([30, 60, 90, 75].map((minutes) => priceOf(set, minutes))).toEqual([0, 12_000, 15_000, 15_000]);
  expect(priceOf({ durationMinutes: 75, priceCents: 9_999, lengthPrices: [] }, 30)).toBe(4_000);
});
