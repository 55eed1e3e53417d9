import { expect, test } from 'vitest';
import { settings } from '#/features/settings/rules.ts';
import { sectionOf } from '../../../tests/support/documents.ts';
import { isDeleted, mailedLink, nameFromAddress, safeReturnPath, sessionEnd } from './rules.ts';

test('continues only to a path on this site', () => {
  expect(safeReturnPath('/therapists?book=7&x=%20#top')).toBe('/therapists?book=7&x=%20#top');
  expect(safeReturnPath('/')).toBe('/');
  const foreign = [
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '/\t/evil.test',
    '',
    ' /x',
  ];
  for (const path of [...foreign, `/${'x'.repeat(500)}`, null, undefined])
    expect(safeReturnPath(path)).toBe('/home');
});

test('puts the token of an emailed link after the #, and the next path in the query', () => {
  expect(mailedLink('https://italk.test', 'verify', 'a-b_c', '/therapists?book=7')).toBe(
    'https://italk.test/verify?next=%2Ftherapists%3Fbook%3D7#a-b_c',
  );
});

test('ends a session after the idle time, and at most twelve hours after it began', () => {
  const at = (time: string) => Temporal.Instant.from(`2026-03-02T${time}:00Z`);
  expect(sessionEnd(at('08:00'), at('09:00'), 30)).toEqual(at('09:30'));
  expect(sessionEnd(at('08:00'), at('19:45'), 30)).toEqual(at('20:00'));
});

test('ends sessions as documented', () => {
  const { initial, min, max } = settings.sessionTimeout;
  const at = Temporal.Instant.from('2026-03-02T08:00:00Z');
  const longest = sessionEnd(at, at.add({ hours: 24 }), initial)
    .since(at)
    .total('hours');
  expect(sectionOf('docs/safeguards.md', 'Sessions')).toContain(
    `A session ends after ${initial} idle minutes (a site setting, ${min} minutes to ${max / 60} hours) and after ${longest} hours at most`,
  );
});

test('treats an account as deleted from the moment its deletion is due', () => {
  const deleteAfter = '2026-03-16T12:00:00.000Z';
  const due = Temporal.Instant.from(deleteAfter);
  expect(isDeleted({ deleteAfter }, due.subtract({ milliseconds: 1 }))).toBe(false);
  expect(isDeleted({ deleteAfter }, due)).toBe(true);
  expect(isDeleted({ deleteAfter: null }, due)).toBe(false);
});

test('derives a name from an email address', () => {
  expect(nameFromAddress('ruth.van-amsel@x.test')).toBe('Ruth Van Amsel');
  expect(nameFromAddress('...@x.test')).toBe('...@x.test');
});
