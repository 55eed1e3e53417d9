import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowsOf, stepsOf, type Load } from '#/platform/db/base-data.ts';
import { digestHex } from '#/platform/tokens.ts';

/** A bucket belongs to its feature's tables, like a constraint: code names it and relies on its limits. */
const schemaTables = new Set(['buckets']);

/** Comments, function bodies and strings. */
const notCode = /--[^\n]*|\$\$[\s\S]*?\$\$|'(?:[^']|'')*'/g;

function checkRows(migration: string, text: string): string[] {
  const sql = stepsOf(text)
    .filter((step) => typeof step === 'string')
    .join('\n');
  return sql
    .replaceAll(notCode, '')
    .split(';')
    .flatMap((statement) => {
      const table = /\binsert\s+into\s+(\w+)[\s\S]*\bvalues\s*\(/i.exec(statement)?.[1];
      if (table !== undefined && !schemaTables.has(table))
        return [`${migration}: holds rows of ${table}: move them to a file in data/ and \\load it`];
      return statement.includes('\\load')
        ? [`${migration}: not a load: write \\load data/<file>.tsv into <table> sha256 <checksum>`]
        : [];
    });
}

function checkLoad(root: string, migration: string, { path, checksum }: Load): string[] {
  if (!existsSync(join(root, path))) return [`${migration}: loads ${path}, which doesn’t exist`];
  const text = readFileSync(join(root, path), 'utf8');
  const found = digestHex(text);
  if (found !== checksum)
    return [
      `${path}: changed after ${migration} was written; existing databases wouldn’t get the change, so move the \\load to a new migration (docs/decisions/0004-hand-written-sql.md) with sha256 ${found}`,
    ];
  try {
    rowsOf(path, text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

export function findingsInData(root: string): string[] {
  const migrations = readdirSync(join(root, 'migrations')).map((file) => {
    const text = readFileSync(join(root, 'migrations', file), 'utf8');
    const loads = stepsOf(text).filter((step) => typeof step !== 'string');
    return { path: `migrations/${file}`, text, loads };
  });
  const loaded = migrations.flatMap(({ loads }) => loads.map(({ path }) => path));
  return [
    ...migrations.flatMap(({ path, text, loads }) => [
      ...checkRows(path, text),
      ...loads.flatMap((load) => checkLoad(root, path, load)),
    ]),
    ...readdirSync(join(root, 'data'), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `data/${name}`)
      .filter((path) => loaded.filter((other) => other === path).length !== 1)
      .map((path) => `${path}: exactly one migration must load it: the last that changes it`),
  ].toSorted();
}

if (import.meta.main) {
  const findings = findingsInData(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
