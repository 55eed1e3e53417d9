import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const paths = ['data', 'deploy', 'docs', 'messages', 'migrations', 'scripts', 'src', 'tests'].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `/${folder}/${path}`,
    ),
);
const rooted = /^(?:data|deploy|docs|messages|migrations|scripts|src|tests)\//;
/** The README leaves out `src/features/`, and names the files that many features have alone. */
const found = (path: string) =>
  paths.filter((one) =>
    rooted.test(path) ? `${one}/`.startsWith(`/${path}`) : `${one}/`.includes(`/${path}`),
  );

test('names only files and folders that exist', () => {
  const named = [...readme.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:tsx?|json|css)))`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((path) => found(path).length === 0)).toEqual([]);
});

test('names only what the file beside it has', () => {
  const named = [...readme.matchAll(/`(\w+)` in `([^`]+\.tsx?)`/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [said, name = '', path = ''] of named)
    expect(readFileSync(join(root, found(path)[0]!), 'utf8'), said).toMatch(new RegExp(`\\b${name}\\b`));
});
