import { describe, expect, test } from 'vitest';
import { photoQuery } from '../contract.ts';
import { photoQueryOf, pictureFacts, squareWithin } from './rules.ts';

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (letter) => letter.codePointAt(0)!) : part,
    ),
  );

describe('the picture facts in the first bytes', () => {
  const png = (width: number[], height: number[]) =>
    bytes([0x89], 'PNG\r\n', [0x1a, 0x0a], [0, 0, 0, 13], 'IHDR', width, height);

  test.each([
    ['JPEG', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF'), { picture: true, pixels: null }],
    ['WebP', bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 '), { picture: true, pixels: null }],
    ['PNG', png([0, 0, 3, 232], [0, 0, 0, 10]), { picture: true, pixels: 10_000 }],
    ['an enormous PNG', png([0, 1, 0, 0], [0, 1, 0, 0]), { picture: true, pixels: 2 ** 32 }],
    ['a PNG that breaks off', png([], []), { picture: true, pixels: null }],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg">'), { picture: false, pixels: null }],
    ['HTML', bytes('<!doctype html>'), { picture: false, pixels: null }],
    ['GIF', bytes('GIF89a'), { picture: false, pixels: null }],
    ['sound in a RIFF', bytes('RIFF', [1, 2, 3, 4], 'WAVEfmt '), { picture: false, pixels: null }],
    ['nothing', bytes(), { picture: false, pixels: null }],
  ])('of %s', (_, head, facts) => {
    expect(pictureFacts(head)).toEqual(facts);
  });
});

test('expresses the square in fractions that the server accepts', () => {
  const query = photoQueryOf({ x: 100, y: 0, side: 300 }, 900, 600);
  expect(query).toBe('left=0.111111&top=0&size=0.5');
  for (const square of [
    { x: 0, y: 0, side: 600 },
    { x: 300, y: -0.001, side: 600.02 },
    { x: 1e-9, y: 599.99, side: 1 },
  ]) {
    expect(
      photoQuery.safeParse(Object.fromEntries(new URLSearchParams(photoQueryOf(square, 900, 600)))).success,
    ).toBe(true);
  }
});

test('keeps a square within its picture', () => {
  expect(squareWithin(400, { x: 450, y: 300 }, 900, 600)).toEqual({ side: 400, x: 250, y: 100 });
  expect(squareWithin(400, { x: 0, y: 600 }, 900, 600)).toEqual({ side: 400, x: 0, y: 200 });
  expect(squareWithin(4_000, { x: 450, y: 300 }, 900, 600)).toEqual({ side: 600, x: 150, y: 0 });
});
