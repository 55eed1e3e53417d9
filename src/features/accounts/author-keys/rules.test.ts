import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { recoverySecret, recoveryText } from './rules.ts';

test('writes 160 bits in eight groups of four, and reads them back', () => {
  for (let round = 0; round < 200; round++) {
    const secret = randomBytes(20);
    const text = recoveryText(secret);
    expect(text).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(Buffer.from(recoverySecret(text)!)).toEqual(secret);
  }
  expect(recoveryText(new Uint8Array(20))).toBe(Array(8).fill('0000').join('-'));
  expect(recoveryText(new Uint8Array(20).fill(255))).toBe(Array(8).fill('ZZZZ').join('-'));
});

test('reads lowercase, other separators and letters that look like digits', () => {
  const text = recoveryText(randomBytes(20)).replaceAll(/[01]/g, '1');
  const right = recoverySecret(text);
  expect(recoverySecret(` ${text.toLowerCase().replaceAll('-', ' ')} `)).toEqual(right);
  expect(recoverySecret(text.replaceAll('1', 'l'))).toEqual(right);
});

test.each(['', '0', '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(31)}U`, `${'0'.repeat(31)}é`])(
  'refuses %j',
  (typed) => expect(recoverySecret(typed)).toBeNull(),
);
