/** Checks that docs/spec names an existing test in every row, and docs/safeguards.md names existing files. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const later = 'later';
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

function titlesIn(source: string): RegExp[] {
  const quoted =
    /\b(?:test|it)(?:\.describe)?\(\s*(?:'((?:\\.|[^'\\])+)'|"((?:\\.|[^"\\])+)"|`((?:\\.|[^`\\])+)`)/g;
  return [...source.matchAll(quoted)].map(([, single, double, template]) => {
    const title = (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1');
    const parts = title.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}

export function findingsInDocs(root: string): string[] {
  return [...findingsInSpec(root), ...findingsInSafeguards(root)];
}

/** docs/safeguards.md maps legal requirements to code and tests, so its paths must exist. */
function findingsInSafeguards(root: string): string[] {
  const page = 'docs/safeguards.md';
  if (!existsSync(join(root, page))) return [];
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/`((?:src|scripts|tests|migrations|data|deploy)(?:\/[^`]+)?)`/g)]
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
  /** Looks in tests/e2e, then for a matching file name, then for a path, which resolves ambiguous names. */
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
