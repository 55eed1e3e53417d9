import { expect, test } from 'vitest';
import { commonPasswords } from '../common-passwords/rules.ts';
import { passwordFault } from './rules.ts';

const ruth = { email: 'ruth.amsel@people.example', name: 'Ruth Amsel' };

test.each([
  'password',
  'PassWord',
  'password1!',
  '12345678',
  '1234567890',
  'qwertyuiop',
  'iloveyou2024',
  '!!!sunshine!!!',
  'aaaaaaaaaa',
  'abcdefghijkl',
  '98765432',
  'ｐａｓｓｗｏｒｄ',
  'iTalk-2026',
  'Peace-be-with-you!',
  'pastoral7777',
])('%s is too common', (password) => expect(passwordFault(password, ruth)).toBe('too_common'));

test.each([
  'ruth.amsel@people.example',
  'Ruth.Amsel',
  'ruthamsel1985',
  'Ruth Amsel',
  'amsel!!!1',
  'people.example',
])('%s is its owner’s own', (password) => expect(passwordFault(password, ruth)).toBe('is_yours'));

test('knows more than 3,000 common passwords of the default length', () => {
  const long = [...commonPasswords].filter((password) => password.length >= 8);
  expect(long.length).toBeGreaterThan(3_000);
  expect(long.filter((password) => passwordFault(password, ruth) === null)).toEqual([]);
});

test.each(['a-quiet-room-42', 'my-own-choice-7', 'Ruth likes rain', 'ümläute-überall', 'correct horse'])(
  '%s can be chosen',
  (password) => expect(passwordFault(password, ruth)).toBeNull(),
);
