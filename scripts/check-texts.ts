import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Words that sound translated or aren't American, and what to say instead. */
const stiff: readonly (readonly [RegExp, string])[] = [
  [/\b(?:anew|till|needn’t|meanwhile)\b/i, 'say again, until, don’t have to, or leave it out'],
  [/\b(?:whoever|whomever)\b/i, 'name the person'],
  [/\b(?:some|any|no|every)body\b/i, 'say someone, anyone, no one or everyone'],
  [/\be-mails?\b|\bmails?\b(?! server)/i, 'say email'],
  [/\bany more(?=[.,;:!?]|$)/i, 'say no longer'],
  [/\bfigures?\b/i, 'say stats'],
  [/\bwish(?:es|ed)?\b/i, 'say what the person does'],
  [/\b(?:patients?|customers?|practitioners?)\b/i, 'say client or specialist'],
  [/\bslots?\b/i, 'say time'],
  [/\bcall(?:s|ed)? off\b/i, 'say cancel'],
  [/(?:isn’t|aren’t) there\b/i, 'say no longer exists'],
  [/\b(?:is|are|was|were) to be\b/i, 'say will or must'],
  [
    /cancell(?:ed|ing)|counsell|favourit|licence|organis|recognis|judgement|behaviour|colour|programme|\bcentre|practis(?:e|ing)/i,
    'use American spelling',
  ],
];

/** A text, or its variants by number. */
type Text = string | readonly { match: Readonly<Record<string, string>> }[];

const variants = (text: Text) =>
  typeof text === 'string' ? [text] : text.flatMap(({ match }) => Object.values(match));

function checkWords(path: string, texts: Readonly<Record<string, Text>>): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    variants(text).flatMap((words) =>
      stiff.flatMap(([pattern, advice]) => {
        const found = pattern.exec(words.replace(/\{\w+\}/g, ''));
        return found ? [`${path}: ${key}: '${found[0]}': ${advice}`] : [];
      }),
    ),
  );
}

/** Other languages have more than two forms, so a text chooses between them, not the code. */
function checkPlurals(path: string, code: string): string[] {
  return [...code.matchAll(/=== 1\s*\?\s*\[?m\.(\w+)/g)].map(
    ([, key]) => `${path}: chooses ${key} for one: make it one text with a plural in messages/en.json`,
  );
}

export function findingsInTexts(root: string): string[] {
  const path = 'messages/en.json';
  const texts = JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, Text>;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('src/texts/'));
  return [
    ...checkWords(path, texts),
    ...sources.flatMap((file) => checkPlurals(file, readFileSync(join(root, file), 'utf8'))),
  ].toSorted();
}

if (import.meta.main) {
  const findings = findingsInTexts(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
