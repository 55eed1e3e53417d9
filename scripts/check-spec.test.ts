import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asvsLevels } from './asvs.ts';
import { findingsInDocs } from './check-spec.ts';

function findings(rows: string, more: Readonly<Record<string, string>> = {}): string[] {
  const root = mkdtempSync(join(tmpdir(), 'italk-spec-'));
  const files = {
    'docs/spec/page.md': `# A page\n\n| The specification says | Held by |\n| --- | --- |\n${rows}\n`,
    ...more,
    'src/features/home/ui/card.test.tsx': "test('keeps what was typed', async () => {});\n",
    'tests/api/feed.test.ts': "test('answers at once', async () => {});\n",
    'src/features/home/rules.test.ts': "it('counts days', () => {});\n",
    'tests/api/door.test.ts': "test.each([['a', f(1)]])('opens %s', async () => {});\n",
    'tests/e2e/home.spec.ts':
      "test('greets the person’s own day', async () => {});\nfor (const w of ws)\n  test(`fits ${w} pixels`, run);\n",
  };
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return findingsInDocs(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('accepts rows held by tests', () => {
  expect(
    findings(
      '| A | card.test.tsx › keeps what was typed |\n| A \\| B | home.spec.ts › greets the person’s own day |\n| C | home.spec.ts › fits 390 pixels<br>home.spec.ts › greets the person’s own day |\n| D | feed.test.ts › answers at once<br>src/features/home/rules.test.ts › counts days |',
    ),
  ).toEqual([]);
});

test('reports rows without a test, with an unknown test, or with an unknown file', () => {
  const found = findings(
    '| A | |\n| B | home.spec.ts › greets |\n| C | away.spec.ts › greets the person’s own day |\n| D | home.spec.ts › fits 390 pixels, and more |\n| E | later |',
  );
  expect(found.map((finding) => finding.split(': ')[1])).toEqual([
    'no test proves',
    "there is no test 'greets' in home.spec.ts",
    "there is no test 'greets the person’s own day' in away.spec.ts",
    "there is no test 'fits 390 pixels, and more' in home.spec.ts",
    "there is no test '' in later",
  ]);
});

test('reports missing paths in docs/safeguards.md', () => {
  const page = '| (a) | `tests/e2e/home.spec.ts`, `tests` |\n| (b) | `src/gone.ts` and `AES` |\n';
  expect(findings('', { 'docs/safeguards.md': page })).toEqual([
    'docs/safeguards.md:2: there is no src/gone.ts',
  ]);
});

/** Finds faults in docs/asvs.md with these rows; `rest` fills in the requirements they leave out. */
function findingsInAsvs(rows: readonly (readonly string[])[], { rest = true } = {}): string[] {
  const given = new Set(rows.map(([id]) => id));
  const others = [...asvsLevels]
    .filter(([id]) => rest && !given.has(id))
    .map(([id, level]) => [id, level, 'is asked', 'not applicable', 'there is none']);
  const page = [...rows, ...others].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return findings('', { 'docs/asvs.md': `# ASVS\n\n## V1 Encoding\n\n${page}` });
}

test('accepts requirements shown by a test, alone or beside a heading or the text of a file', () => {
  const shown = [
    'feed.test.ts › answers at once<br>door.test.ts › opens %s',
    'docs/asvs.md › V1 Encoding<br>feed.test.ts › answers at once',
    'tests/api/feed.test.ts › answers at once',
  ];
  const ids = ['V1.2.1', 'V1.2.2', 'V1.2.3'];
  expect(findingsInAsvs(ids.map((id, at) => [id, '1', 'is asked', 'met', shown[at]!]))).toEqual([]);
  expect(findingsInAsvs([['V1.1.1', '2', 'is asked', 'open', 'needs work']])).toEqual([]);
});

test('reports requirements that are missing, twice, of another level, unshown or open at level 1', () => {
  const found = findingsInAsvs([
    ['V1.2.1', '1', 'is asked', 'met', 'feed.test.ts › answers later'],
    ['V1.2.2', '1', 'is asked', 'met', 'docs/asvs.md › Encoding<br>feed.test.ts › answers at once'],
    ['V1.2.3', '1', 'is asked', 'met', 'docs/asvs.md › V1 Encoding'],
    ['V1.2.4', '1', 'is asked', 'met', ''],
    ['V1.2.5', '1', 'is asked', 'open', 'needs work'],
    ['V1.3.1', '2', 'is asked', 'not applicable', 'there is none'],
    ['V1.3.2', '1', 'is asked', 'done', 'somehow'],
    ['V1.3.2', '1', 'is asked', 'not applicable', 'there is none'],
    ['V1.9.9', '1', 'is asked', 'not applicable', ''],
  ]);
  expect(found.map((finding) => finding.replace(/^.*?: /, ''))).toEqual([
    'V1.2.1 has no such proof: feed.test.ts › answers later',
    'V1.2.2 has no such proof: docs/asvs.md › Encoding',
    'V1.2.3 is shown by no test',
    'V1.2.4 gives neither proof nor reason',
    'V1.2.5 is open, and of level 1',
    'V1.3.1 is of level 1',
    "V1.3.2 can’t be 'done'",
    'V1.3.2 isn’t a requirement, or is listed twice',
    'V1.9.9 isn’t a requirement, or is listed twice',
    'V1.9.9 gives neither proof nor reason',
  ]);
  expect(findingsInAsvs([], { rest: false })).toHaveLength(asvsLevels.size);
  expect(findingsInAsvs([], { rest: false })[0]).toBe('docs/asvs.md: V1.2.1 is missing');
});
