import { expect, test } from 'vitest';
import { csv } from './csv.ts';

const text = (rows: Parameters<typeof csv>[0]) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(csv(rows));

test('cells stand between commas and lines end as RFC 4180 says, after the mark of UTF-8', () => {
  expect(text([['Name', 'Users'], ['Łukasz', 12], ['', null]])).toBe('\ufeffName,Users\r\nŁukasz,12\r\n,\r\n'); // prettier-ignore
  expect(text([])).toBe('\ufeff');
});

test.each([
  ['a,b', '"a,b"'],
  ['say "no"', '"say ""no"""'],
  ['one\ntwo', '"one\ntwo"'],
  ['one\r\ntwo', '"one\r\ntwo"'],
  ["it's 5 > 3", "it's 5 > 3"],
])('%j is written so that it is read again as it was', (value, written) => {
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
  // Where commas stand in numbers, spreadsheets part cells at semicolons, and know no quotation mark after a comma.
  ["Ann;=cmd|' /C calc'!A0", "Ann;'=cmd|' /C calc'!A0"],
  ['Ann\r\n@SUM(A1)', '"Ann\r\n\'@SUM(A1)"'],
  ['=HYPERLINK("https://example.org","a")', `"'=HYPERLINK(""https://example.org"",""a"")"`],
])('%j is no formula to a spreadsheet', (value, written) => {
  expect(text([[value]])).toBe(`\ufeff${written}\r\n`);
});

test('a negative number stays a number', () => {
  expect(text([[-2, 0, 1.5]])).toBe('\ufeff-2,0,1.5\r\n');
});
