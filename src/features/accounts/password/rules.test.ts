import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sectionOf } from '../../../../tests/support/documents.ts';
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

test('refuses the documented words: common passwords, and each of this site with digits and symbols', () => {
  const text = sectionOf('docs/safeguards.md', 'Against guessing');
  const [, common] = /the ([\d,]+) most common leaked passwords/.exec(text)!;
  expect(common).toBe(commonPasswords.size.toLocaleString('en-US'));
  const [, path] = /the words in `([^`]+)` \(the product, its roles, its subjects\)/.exec(text)!;
  const [, list] = /siteWords[^[]*\[([^\]]+)\]/.exec(readFileSync(path!, 'utf8'))!;
  const words = [...list!.matchAll(/'(\w+)'/g)].map(([, word]) => word!);
  expect(words).toEqual(expect.arrayContaining(['italk', 'administrator', 'counseling']));
  for (const word of words) expect(passwordFault(`${word}-2026!`, ruth), word).toBe('too_common');
});

test('knows more than 3,000 common passwords of the default length', () => {
  const long = [...commonPasswords].filter((password) => password.length >= 8);
  expect(long.length).toBeGreaterThan(3_000);
  expect(long.filter((password) => passwordFault(password, ruth) === null)).toEqual([]);
});

test.each(['a-quiet-room-42', 'my-own-choice-7', 'Ruth likes rain', 'ümläute-überall', 'correct horse'])(
  '%s can be chosen',
  (password) => expect(passwordFault(password, ruth)).toBeNull(),
);
