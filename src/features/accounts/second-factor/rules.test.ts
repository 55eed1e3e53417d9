import { expect, it } from 'vitest';
import { grouped, isAppCode, plainCode } from './rules.ts';

it('normalizes a code as people type it', () => {
  expect(plainCode(' 123 456 ')).toBe('123456');
  expect(plainCode('abcd-efgh-jkmn')).toBe('ABCDEFGHJKMN');
  expect(plainCode('o1il')).toBe('0111');
});

it('distinguishes app codes from backup codes', () => {
  expect(isAppCode('000000')).toBe(true);
  for (const other of ['12345', '1234567', '12345A', '']) expect(isAppCode(other)).toBe(false);
});

it('groups a backup code so that it can still be read back', () => {
  expect(grouped('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN');
  expect(plainCode(grouped('ABCDEFGHJKMN'))).toBe('ABCDEFGHJKMN');
});
