import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findingsInTexts } from './check-texts.ts';

const plural = (one: string, other: string) => [
  {
    declarations: ['input count', 'local countPlural = count: plural'],
    selectors: ['countPlural'],
    match: { 'countPlural=one': one, 'countPlural=*': other },
  },
];

function findings(texts: Record<string, unknown>, code = ''): string[] {
  const root = mkdtempSync(join(tmpdir(), 'italk-texts-'));
  try {
    for (const folder of ['messages', 'src']) mkdirSync(join(root, folder));
    writeFileSync(join(root, 'messages/en.json'), JSON.stringify(texts));
    writeFileSync(join(root, 'src/page.tsx'), code);
    return findingsInTexts(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('accepts plain American words, placeholders of any name and numbers of things', () => {
  expect(
    findings({
      greeting: 'Check your email, including spam. {counsellor} canceled.',
      server: 'The mail server rejected it.',
      files: plural('1 file', '{count} files'),
    }),
  ).toEqual([]);
});

test.each([
  ['Somebody wrote to you.', 'Somebody'],
  ['Look at your mail.', 'mail'],
  ['Your session was cancelled.', 'cancelled'],
  ['It isn’t there any more.', 'any more'],
  ['Choose a slot.', 'slot'],
  ['Your figures', 'figures'],
])('rejects “%s”', (text, found) => {
  expect(findings({ one: text }).join('\n')).toContain(`messages/en.json: one: '${found}': `);
  expect(findings({ many: plural('1 file', text) }).join('\n')).toContain(`many: '${found}': `);
});

test('rejects code that chooses a text for one', () => {
  expect(findings({}, 'const text = count === 1\n  ? m.files_one()\n  : m.files({ count });')).toEqual([
    'src/page.tsx: chooses files_one for one: make it one text with a plural in messages/en.json',
  ]);
});
