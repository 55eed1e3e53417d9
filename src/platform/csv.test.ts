import { expect, test } from 'vitest';
import { csv } from './csv.ts';

const text = (rows: Parameters<typeof csv>[0]) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(csv(rows));

test('separates cells and lines by RFC 4180, after a UTF-8 byte order mark', () => {
  expect(text([['Name', 'Users'], ['Łukasz', 12], ['', null]])).toBe('\ufeffName,Users\r\nŁukasz,12\r\n,\r\n'); // oxfmt-ignore
  expect(text([])).toBe('\ufeff');
});

test.each([
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['one\ntwo', '"one\ntwo"'],
  ['one\r\ntwo', '"one\r\ntwo"'],
  ["it's 5 > 3", "it's 5 > 3"],
])('round-trips %j', (value, written) => {
  expect(text([[value]])).toBe(`\ufeff${written}\r\n`);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1 555 010 0142', "'+1 555 010 0142"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r\'=1"'],
  ['\n=1', '"\'\n\'=1"'],
  ['＝1+1', "'＝1+1"],
  // In decimal-comma locales, spreadsheets split cells at semicolons and ignore quotes after a comma.
  ["Ann;=cmd|' /C calc'!A0", "Ann;'=cmd|' /C calc'!A0"],
  ['Ann\r\n@SUM(A1)', '"Ann\r\n\'@SUM(A1)"'],
  ['=HYPERLINK("https://example.org","a")', `"'=HYPERLINK(""https://example.org"",""a"")"`],
])('writes %j so that spreadsheets see no formula', (value, written) => {
  expect(text([[value]])).toBe(`\ufeff${written}\r\n`);
});

test('keeps a negative number a number', () => {
  expect(text([[-2, 0, 1.5]])).toBe('\ufeff-2,0,1.5\r\n');
});
