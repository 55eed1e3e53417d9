/**
 * Holds docs/spec to the tests, and docs/safeguards.md to the tree: a row without a test, or one that names a test or
 * a file that isn't there, is a finding.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What stands in a row's last cell while its part of the product isn't built; only a page headed so may say it. */
const later = 'later';
/** The line that a page begins with whose rows may wait. */
const waiting = '<!-- rows may wait -->';

interface Row {
  line: number;
  says: string;
  heldBy: string;
}

function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((text, index) => {
    const cells = text.startsWith('|') ? text.split(/(?<!\\)\|/).slice(1, -1) : [];
    if (
      cells.length !== 2 ||
      /^\s*:?-+:?\s*$/.test(cells[0]!) ||
      cells[0]!.trim() === 'The specification says'
    )
      return [];
    return [{ line: index + 1, says: cells[0]!.trim(), heldBy: cells[1]!.trim() }];
  });
}

/** The titles of a test file's tests; one that is made of parts matches any text in their place. */
function titlesIn(source: string): RegExp[] {
  const quoted =
    /\b(?:test|it)(?:\.describe)?\(\s*(?:'((?:\\.|[^'\\])+)'|"((?:\\.|[^"\\])+)"|`((?:\\.|[^`\\])+)`)/g;
  return [...source.matchAll(quoted)].map(([, single, double, template]) => {
    const title = (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1');
    const parts = title.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}

/** Every finding in the pages of the tree at `root`, a line each. */
export function findingsInDocs(root: string): string[] {
  return [...findingsInSpec(root), ...findingsInSafeguards(root)];
}

/** The page maps rules of law to code and tests: what it names has to be there. */
function findingsInSafeguards(root: string): string[] {
  const page = 'docs/safeguards.md';
  if (!existsSync(join(root, page))) return [];
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/`((?:src|scripts|tests|migrations|deploy)(?:\/[^`]+)?)`/g)]
        .map(([, path]) => path!)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${page}:${index + 1}: there is no ${path}`),
    );
}

function findingsInSpec(root: string): string[] {
  const titles = new Map<string, RegExp[]>();
  const isThere = (file: string, title: string) => {
    if (!titles.has(file)) {
      const found = placesOf(file).filter((path) => existsSync(join(root, path)));
      titles.set(
        file,
        found.flatMap((path) => titlesIn(readFileSync(join(root, path), 'utf8'))),
      );
    }
    return titles.get(file)!.some((known) => known.test(title));
  };
  const otherTests = globSync('{src,tests}/**/*.test.{ts,tsx}', { cwd: root });
  /** A journey stands in tests/e2e; of other tests the file's name does, or its path where several have that name. */
  const placesOf = (file: string) => [
    `tests/e2e/${file}`,
    ...otherTests.filter((path) => basename(path) === file),
    ...(file.includes('/') ? [file] : []),
  ];
  return globSync('docs/spec/*.md', { cwd: root }).flatMap((path) => {
    const page = readFileSync(join(root, path), 'utf8');
    const mayWait = page.startsWith(waiting);
    return rowsOf(page).flatMap(({ line, says, heldBy }) => {
      if (heldBy === later && mayWait) return [];
      const tests = heldBy === later ? [] : heldBy.split('<br>').filter(Boolean);
      if (tests.length === 0) return [`${path}:${line}: no test holds: ${says}`];
      return tests.flatMap((test) => {
        const [file = '', title = ''] = test.split(' › ').map((part) => part.trim());
        return isThere(file, title) ? [] : [`${path}:${line}: there is no test '${title}' in ${file}`];
      });
    });
  });
}

if (import.meta.main) {
  const findings = findingsInDocs(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
