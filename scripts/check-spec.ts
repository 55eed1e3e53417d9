/**
 * Checks that docs/spec names an existing test in every row, docs/asvs.md covers every requirement and shows what is
 * met, and docs/safeguards.md names existing files.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asvsLevels } from './asvs.ts';

interface Row {
  line: number;
  says: string;
  heldBy: string;
}

/** Returns the cells of a table's line, none for other lines and the line under the heads. */
function cellsOf(text: string): string[] {
  const cells = text.startsWith('|') ? text.split(/(?<!\\)\|/).slice(1, -1) : [];
  return cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell)) ? [] : cells.map((cell) => cell.trim());
}

function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((text, index) => {
    const [says = '', heldBy = '', ...more] = cellsOf(text);
    if (says === '' || more.length > 0 || says === 'The specification says') return [];
    return [{ line: index + 1, says, heldBy }];
  });
}

function titlesIn(source: string): RegExp[] {
  // After a parenthesis: the title of an `each`.
  const quoted =
    /(?:\b(?:test|it)(?:\.describe)?|\))\(\s*(?:'((?:\\.|[^'\\])+)'|"((?:\\.|[^"\\])+)"|`((?:\\.|[^`\\])+)`)/g;
  return [...source.matchAll(quoted)].map(([, single, double, template]) => {
    const title = (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1');
    const parts = title.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
    return new RegExp(`^${parts.join('.+')}$`);
  });
}

export function findingsInDocs(root: string): string[] {
  const isThere = testFinder(root);
  return [...findingsInSpec(root, isThere), ...findingsInAsvs(root, isThere), ...findingsInSafeguards(root)];
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

const namesTest = /^\S+\.(?:test|spec)\.tsx? › /;

type IsThere = (file: string, title: string) => boolean;

/** Returns a function that says whether a file has a test of this title. */
function testFinder(root: string): IsThere {
  const titles = new Map<string, RegExp[]>();
  const otherTests = globSync('{src,tests,scripts}/**/*.test.{ts,tsx}', { cwd: root });
  /** Looks in tests/e2e, then for a matching file name, then for a path, which resolves ambiguous names. */
  const placesOf = (file: string) => [
    `tests/e2e/${file}`,
    ...otherTests.filter((path) => basename(path) === file),
    ...(file.includes('/') ? [file] : []),
  ];
  return (file, title) => {
    if (!titles.has(file)) {
      const found = placesOf(file).filter((path) => existsSync(join(root, path)));
      titles.set(
        file,
        found.flatMap((path) => titlesIn(readFileSync(join(root, path), 'utf8'))),
      );
    }
    return titles.get(file)!.some((known) => known.test(title));
  };
}

function findingsInSpec(root: string, isThere: IsThere): string[] {
  return globSync('docs/spec/*.md', { cwd: root }).flatMap((path) => {
    const page = readFileSync(join(root, path), 'utf8');
    return rowsOf(page).flatMap(({ line, says, heldBy }) => {
      const tests = heldBy.split('<br>').filter(Boolean);
      if (tests.length === 0) return [`${path}:${line}: no test proves: ${says}`];
      return tests.flatMap((test) => {
        const [file = '', title = ''] = test.split(' › ').map((part) => part.trim());
        return isThere(file, title) ? [] : [`${path}:${line}: there is no test '${title}' in ${file}`];
      });
    });
  });
}

/**
 * docs/asvs.md has one row for each requirement: identifier, level, what it asks for, state, and what shows it or why.
 * What is met is shown by a test, and perhaps by a heading of a document or the text of a file.
 */
function findingsInAsvs(root: string, isThere: IsThere): string[] {
  const page = 'docs/asvs.md';
  if (!existsSync(join(root, page))) return [];
  const missing = new Set(asvsLevels.keys());
  const isShown = (shown: string): boolean => {
    const [file = '', text = ''] = shown.split(' › ').map((part) => part.trim());
    if (namesTest.test(shown)) return isThere(file, text);
    if (text === '' || !existsSync(join(root, file))) return false;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.some((line) =>
      file.endsWith('.md') ? line.replace(/^#+ /, '') === text : line.includes(text),
    );
  };
  const findings = readFileSync(join(root, page), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const [id = '', level = '', , state = '', why = ''] = cellsOf(line);
      if (!/^V\d/.test(id)) return [];
      const faults = [];
      if (!missing.delete(id)) faults.push('isn’t a requirement, or is listed twice');
      else if (asvsLevels.get(id) !== level) faults.push(`is of level ${asvsLevels.get(id)}`);
      if (!['met', 'not applicable', 'open'].includes(state)) faults.push(`can’t be '${state}'`);
      if (state === 'open' && level === '1') faults.push('is open, and of level 1');
      if (why === '') faults.push('gives neither proof nor reason');
      else if (state === 'met') {
        const proofs = why.split('<br>');
        const absent = proofs.filter((shown) => !isShown(shown));
        faults.push(...absent.map((shown) => `has no such proof: ${shown}`));
        if (!proofs.some((shown) => namesTest.test(shown))) faults.push('is shown by no test');
      }
      return faults.map((fault) => `${page}:${index + 1}: ${id} ${fault}`);
    });
  return [...findings, ...[...missing].map((id) => `${page}: ${id} is missing`)];
}

if (import.meta.main) {
  const findings = findingsInDocs(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
