import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsInDocs } from './check-spec.ts';

function findings(rows: string, head = '', safeguards = ''): string[] {
  const root = mkdtempSync(join(tmpdir(), 'italk-spec-'));
  const files = {
    'docs/spec/page.md': `${head}# A page\n\n| The specification says | Held by |\n| --- | --- |\n${rows}\n`,
    'docs/safeguards.md': safeguards,
    'src/features/home/ui/card.test.tsx': "test('keeps what was typed', async () => {});\n",
    'tests/api/feed.test.ts': "test('answers at once', async () => {});\n",
    'src/features/home/rules.test.ts': "it('counts days', () => {});\n",
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
    '| A | |\n| B | home.spec.ts › greets |\n| C | away.spec.ts › greets the person’s own day |\n| D | home.spec.ts › fits 390 pixels, and more |',
  );
  expect(found.map((finding) => finding.split(': ')[1])).toEqual([
    'no test holds',
    "there is no test 'greets' in home.spec.ts",
    "there is no test 'greets the person’s own day' in away.spec.ts",
    "there is no test 'fits 390 pixels, and more' in home.spec.ts",
  ]);
});

test('allows unbuilt rows only on pages marked for them', () => {
  expect(findings('| A | later |', '<!-- rows may wait -->\n')).toEqual([]);
  expect(findings('| A | later |')).toEqual(['docs/spec/page.md:5: no test holds: A']);
});

test('reports missing paths in docs/safeguards.md', () => {
  const page = '| (a) | `tests/e2e/home.spec.ts`, `tests` |\n| (b) | `src/gone.ts` and `AES` |\n';
  expect(findings('', '', page)).toEqual(['docs/safeguards.md:2: there is no src/gone.ts']);
});
