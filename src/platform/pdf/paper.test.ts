import { expect, test } from 'vitest';
import { barHeights } from './bars.ts';
import { paperIn } from './paper.ts';

test.each([
  ['America/New_York', 'LETTER'],
  ['America/Toronto', 'LETTER'],
  ['Pacific/Honolulu', 'LETTER'],
  ['Asia/Manila', 'LETTER'],
  ['America/Sao_Paulo', 'A4'],
  ['America/Argentina/Buenos_Aires', 'A4'],
  ['Europe/Berlin', 'A4'],
  ['Asia/Kathmandu', 'A4'],
  ['UTC', 'A4'],
])('in %s paper is %s', (zone, size) => {
  expect(paperIn(zone)).toBe(size);
});

test('scales bars to the available height, and gives zero no height', () => {
  expect(barHeights([0, 5, 10], 70)).toEqual([0, 35, 70]);
  expect(barHeights([0, 0], 70)).toEqual([0, 0]);
  expect(barHeights([5, 10], 70, 20)).toEqual([17.5, 35]);
  expect(barHeights([5, 40], 70, 20)).toEqual([8.75, 70]);
});
