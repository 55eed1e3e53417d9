import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { digestHex } from '#/platform/tokens.ts';
import { findingsInData } from './check-data.ts';

const towns = 'name\tpeople\nAbc\t12\n';
const load = (path: string, text: string) => `\\load ${path} into towns sha256 ${digestHex(text)}\n`;

function findings(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'italk-data-'));
  try {
    for (const [path, text] of Object.entries({ 'data/towns.tsv': towns, ...files })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return findingsInData(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('accepts loads, rows taken from tables, functions that insert, and buckets', () => {
  expect(
    findings({
      'migrations/0001_towns.sql': `create table towns (name text, people integer);\n${load('data/towns.tsv', towns)}`,
      'migrations/0002_more.sql': `-- insert into towns values ('x');
insert into settings default values;
insert into old_towns (name) select name from towns where name <> 'insert into towns values (1)';
insert into buckets (id) values ('photos');
create function add_town() returns trigger language plpgsql as $$
begin
  insert into towns (name) values (new.name);
end $$;
`,
    }),
  ).toEqual([]);
});

test('reports rows in migrations', () => {
  const loading = load('data/towns.tsv', towns);
  for (const rows of [
    "insert into towns (name) values ('Abc');",
    "INSERT INTO towns\n  VALUES ('Abc', 12)\n  on conflict do nothing;",
    "insert into towns select * from (values ('Abc', 12)) as given;",
  ])
    expect(findings({ 'migrations/0001_towns.sql': `${loading}${rows}\n` })).toEqual([
      'migrations/0001_towns.sql: holds rows of towns: move them to a file in data/ and \\load it',
    ]);
});

test('reports a data file that was changed, and says what to do', () => {
  expect(
    findings({
      'migrations/0001_towns.sql': load('data/towns.tsv', towns),
      'data/towns.tsv': `${towns}Def\t34\n`,
    }),
  ).toEqual([
    expect.stringMatching(
      /^data\/towns\.tsv: changed after migrations\/0001_towns\.sql was written; .* new migration .* sha256 [0-9a-f]{64}$/,
    ),
  ]);
});

test('reports loads that are malformed, of missing or invalid files, and files loaded never or twice', () => {
  const short = 'name\tpeople\nAbc\n';
  expect(
    findings({
      'migrations/0001_towns.sql': `\\load data/towns.tsv into towns\n${load('data/gone.tsv', '')}${load('data/short.tsv', short)}`,
      'migrations/0002_twice.sql': `${load('data/empty.json', '[]')}${load('data/empty.json', '[]')}`,
      'data/short.tsv': short,
      'data/empty.json': '[]',
    }),
  ).toEqual([
    'data/empty.json has no rows.',
    'data/empty.json has no rows.',
    'data/empty.json: exactly one migration must load it: the last that changes it',
    'data/short.tsv: line 2 has 1 values for 2 columns.',
    'data/towns.tsv: exactly one migration must load it: the last that changes it',
    'migrations/0001_towns.sql: loads data/gone.tsv, which doesn’t exist',
    'migrations/0001_towns.sql: not a load: write \\load data/<file>.tsv into <table> sha256 <checksum>',
  ]);
});
