import { expect, it } from 'vitest';
import { grouped, isAppCode, plainCode } from './rules.ts';

it('takes a code as people type it', () => {
  expect(plainCode(' 123 456 ')).toBe('123456');
  expect(plainCode('abcd-efgh-jkmn')).toBe('ABCDEFGHJKMN');
  expect(plainCode('o1il')).toBe('0111');
});

it('tells an app’s code from one on paper', () => {
  expect(isAppCode('000000')).toBe(true);
  for (const other of ['12345', '1234567', '12345A', '']) expect(isAppCode(other)).toBe(false);
});

it('shows a code on paper in groups that lead back to it', () => {
  expect(grouped('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN');
  expect(plainCode(grouped('ABCDEFGHJKMN'))).toBe('ABCDEFGHJKMN');
});
