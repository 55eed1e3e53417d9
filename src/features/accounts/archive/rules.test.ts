import { expect, test } from 'vitest';
import { csvOf, fileNameIn, indexPage, jsonOf, omittedPage, type ArchivePages } from './rules.ts';

test.each(['=1+1', '+1', '-1', '@sum', '\t=1', ' =cmd', '\n=1', '＝1', '\r'])(
  'a text that a spreadsheet would run stays a text: %j',
  (text) => {
    const cell = csvOf([{ note: text }])
      .split('\r\n')
      .slice(1)
      .join('\r\n')
      .replace(/^"/, '');
    expect(cell.startsWith("'")).toBe(true);
  },
);

test('quotes commas, quotes and line breaks in CSV, and leaves numbers unchanged', () => {
  const rows = [
    { a: 'one, two', b: 'say "yes"', c: 'two\nlines', d: -5, e: null, f: ['x', 'y'], g: new Date(0) },
    { a: 'plain', h: true },
  ];
  expect(csvOf(rows)).toBe(
    '\ufeffa,b,c,d,e,f,g,h\r\n' +
      '"one, two","say ""yes""","two\nlines",-5,,"[""x"",""y""]",1970-01-01T00:00:00.000Z,\r\n' +
      'plain,,,,,,,true\r\n',
  );
  expect(csvOf([])).toBe('\ufeff\r\n');
});

test('preserves the rows in JSON', () => {
  const rows = [{ at: new Date(0), words: ['a'], none: null, text: '</script>' }];
  expect(JSON.parse(jsonOf(rows))).toEqual([
    { at: '1970-01-01T00:00:00.000Z', words: ['a'], none: null, text: '</script>' },
  ]);
});

test('gives files unique names that every system can store', () => {
  const taken = new Set<string>();
  const names = [
    '../../etc/passwd',
    'a:b*c?.pdf',
    'me.jpg',
    'ME.JPG',
    '...',
    '',
    'שלום.pdf',
    'x'.repeat(300),
  ];
  const stored = names.map((name) => {
    const found = fileNameIn(taken, name);
    taken.add(found.toLowerCase());
    return found;
  });
  expect(stored.slice(0, 7)).toEqual([
    '_.._etc_passwd',
    'a_b_c_.pdf',
    'me.jpg',
    'ME (2).JPG',
    'file',
    'file (2)',
    'שלום.pdf',
  ]);
  expect(stored[7]).toHaveLength(120);
});

test('escapes user text in the pages, and shows times in the person’s time zone', () => {
  const pages: ArchivePages = {
    locale: 'en',
    person: { fullName: '<b>Ruth</b>', email: 'ruth@people.example' },
    madeAt: 0,
    timeZone: 'Asia/Kathmandu',
    parts: [{ name: 'growth', tables: { goals: [{ title: '<img src=x>', at: new Date(0) }], none: [] } }],
    files: ['a & b.pdf'],
    leftOut: ['Others’ <words>.'],
  };
  const page = indexPage(pages);
  expect(page).toContain('&lt;b&gt;Ruth&lt;/b&gt;');
  expect(page).toContain('&lt;img src=x&gt;');
  expect(page).toContain('January 1, 1970 at 5:30');
  expect(page).toContain('href="files/a%20%26%20b.pdf"');
  expect(page).not.toContain('None');
  expect(omittedPage(pages)).toContain('Others’ &lt;words&gt;.');
});
