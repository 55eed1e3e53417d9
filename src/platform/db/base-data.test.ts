import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import { databaseUrl, onServer } from '../../../tests/support/global-setup.ts';
import { newId } from '../clock.ts';
import { StartError } from '../start-error.ts';
import { digestHex } from '../tokens.ts';
import { connect } from './database.ts';
import { migrate } from './migrate.ts';

const serverUrl = inject('serverUrl');
const closing: (() => Promise<unknown>)[] = [];
let db: ReturnType<typeof connect>['db'];
let url: string;

beforeEach(async () => {
  const name = `italk_${newId().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name} template template0`);
  url = databaseUrl(serverUrl, name);
  const opened = connect(url, 4).db;
  db = opened;
  closing.push(async () => {
    await opened.destroy();
    await onServer(serverUrl, `drop database ${name} with (force)`);
  });
});
afterAll(async () => {
  for (const close of closing) await close();
});

const towns = 'name\tregion\tpeople\nÅrhus\tMidtjylland\t12\n"O’Neil", NE\t\t34.5\nLast\tnull\t-1\n';
const created = `create table towns (
  name text primary key, region text not null, people double precision not null, edited_at timestamptz);\n`;
const load = (path: string, text: string, table = 'towns') =>
  `\\load ${path} into ${table} sha256 ${digestHex(text)}\n`;
const loadTowns = load('data/towns.tsv', towns);

/** Makes a release from these files, and migrates. */
async function release(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'italk-base-data-'));
  closing.push(() => rm(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return migrate(db, undefined, pathToFileURL(`${folder}/`));
}

const rowsIn = async (table: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows;

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

test('loads tab-separated values between a migration’s statements, in the file’s order', async () => {
  const ran = await release({
    'data/towns.tsv': towns,
    'migrations/0001_towns.sql': `${created}${loadTowns}update towns set people = people + 1 where name = 'Last';`,
    'migrations/0002_renamed.sql': 'alter table towns rename column people to inhabitants;',
  });
  expect(ran).toEqual(['0001_towns', '0002_renamed']);
  expect(await rowsIn('towns')).toEqual([
    { name: 'Århus', region: 'Midtjylland', inhabitants: 12, edited_at: null },
    { name: '"O’Neil", NE', region: '', inhabitants: 34.5, edited_at: null },
    { name: 'Last', region: 'null', inhabitants: 0, edited_at: null },
  ]);
});

test('loads JSON with lists, objects and nulls, and leaves out columns with defaults', async () => {
  const rows = [{ id: 'one', names: ['a', 'b, "c"'], themes: [{ verse: 'x' }], until: null, on: true }];
  const text = JSON.stringify(rows);
  await release({
    'data/plans.json': text,
    'migrations/0001_plans.sql': `create table plans (
      id text, names text[], themes jsonb, until date, "on" boolean, version integer default 7);
      \n${load('data/plans.json', text, 'plans')}`,
  });
  expect(await rowsIn('plans')).toEqual(rows.map((row) => ({ ...row, version: 7 })));
});

test('loads once, however often and however many processes migrate', async () => {
  const files = { 'data/towns.tsv': towns, 'migrations/0001_towns.sql': `${created}${loadTowns}` };
  const ran = await Promise.all([release(files), release(files), release(files)]);
  expect(ran.flat()).toEqual(['0001_towns']);
  await sql`delete from towns where name = 'Last'`.execute(db);
  expect(await release(files)).toEqual([]);
  expect(await rowsIn('towns')).toHaveLength(2);
});

test('never reads the file again once its migration ran, so a database of an earlier release starts', async () => {
  await release({
    'migrations/0001_towns.sql': `${created}insert into towns values ('Mine', 'x', 1, null);`,
  });
  expect(await release({ 'migrations/0001_towns.sql': `${created}${loadTowns}` })).toEqual([]);
  expect(await rowsIn('towns')).toHaveLength(1);
});

test.each([
  ['a changed file', { 'data/towns.tsv': `${towns}More\t\t1\n` }, /data\/towns\.tsv was changed/],
  ['a file with other line ends', { 'data/towns.tsv': towns.replaceAll('\n', '\r\n') }, /was changed/],
  ['a missing file', {}, /data\/towns\.tsv can’t be read/],
])('refuses %s in words, and stores nothing', async (_, files: Record<string, string>, words) => {
  const failing = release({ ...files, 'migrations/0001_towns.sql': `${created}${loadTowns}` });
  await expect(failing).rejects.toThrow(StartError);
  await expect(failing).rejects.toThrow(words);
  expect(await tables()).toEqual([]);
});

test.each([
  ['a line with too few values', 'data/bad.tsv', 'name\tregion\tpeople\nA\tB\n', /line 2 has 2 values for 3/],
  ['a line with too many values', 'data/bad.tsv', 'name\tregion\nA\tB\tC\n', /line 2 has 3 values for 2/],
  ['an empty file', 'data/bad.tsv', '', /no rows/],
  ['a header alone', 'data/bad.tsv', 'name\tregion\tpeople\n', /no rows/],
  ['JSON that is no list', 'data/bad.json', '{}', /no rows/],
  ['JSON with other columns in one row', 'data/bad.json', '[{"name":"A"},{"nam":"B"}]', /row 2/],
  ['JSON cut off', 'data/bad.json', '[{"name":"A"', /JSON/],
  ['an unknown column', 'data/bad.tsv', 'name\tregion\tinhabitants\nA\tB\t1\n', /inhabitants/],
  ['a value of another type', 'data/bad.tsv', 'name\tregion\tpeople\nA\tB\tmany\n', /many/],
  ['a row that breaks a constraint', 'data/bad.tsv', 'name\tregion\tpeople\nA\tB\t1\nA\tC\t2\n', /duplicate/],
])('stores nothing of a release with %s', async (_, path, text, words) => {
  const error = await release({
    'data/towns.tsv': towns,
    [path]: text,
    'migrations/0001_towns.sql': `${created}${loadTowns}`,
    'migrations/0002_bad.sql': `delete from towns;\n${load(path, text)}`,
  }).catch((reason: unknown) => reason);
  expect(String(error)).toMatch('the migration 0002_bad failed');
  expect(String((error as Error).cause)).toMatch(words);
  expect(await tables()).toEqual([]);
});

test.each(['\\load data/towns.tsv into towns\n', loadTowns.replace('.tsv', '.csv'), ` ${loadTowns}`])(
  'fails on the malformed load %j',
  async (line) => {
    await expect(
      release({ 'data/towns.tsv': towns, 'migrations/0001_towns.sql': `${created}${line}` }),
    ).rejects.toThrow('0001_towns failed (42601)');
    expect(await tables()).toEqual([]);
  },
);

test('leaves nothing if the connection breaks halfway, and loads everything the next time', async () => {
  const files = { 'data/towns.tsv': towns, 'migrations/0001_towns.sql': `${created}${loadTowns}` };
  await expect(
    release({ ...files, 'migrations/0002_broken.sql': 'select pg_terminate_backend(pg_backend_pid());' }),
  ).rejects.toThrow('failed');
  expect(await tables()).toEqual([]);
  expect(await release(files)).toEqual(['0001_towns']);
  expect(await rowsIn('towns')).toHaveLength(3);
});

test('a new version of a file reaches fresh and existing databases, but no row that was edited', async () => {
  const newer = towns.replace('Midtjylland', 'Jutland').replace('34.5', '35').replace('Last', 'Latest');
  const changing = {
    'data/towns.tsv': newer,
    'migrations/0001_towns.sql': created,
    'migrations/0002_towns.sql': `create temporary table newer (like towns including defaults);
${load('data/towns.tsv', newer, 'newer')}insert into towns select * from newer
  on conflict (name) do update set region = excluded.region, people = excluded.people
  where towns.edited_at is null;
drop table newer;
`,
  };
  const names = async () =>
    (await rowsIn('towns')).map(({ name, region, people }) => [name, region, people].join(':')).toSorted();

  await release({ 'data/towns.tsv': towns, 'migrations/0001_towns.sql': `${created}${loadTowns}` });
  await sql`update towns set region = 'Ours', edited_at = now() where name = 'Århus'`.execute(db);
  expect(await release(changing)).toEqual(['0002_towns']);
  expect(await names()).toEqual(['"O’Neil", NE::35', 'Last:null:-1', 'Latest:null:-1', 'Århus:Ours:12']);

  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  expect(await release(changing)).toEqual(['0001_towns', '0002_towns']);
  expect(await names()).toEqual(['"O’Neil", NE::35', 'Latest:null:-1', 'Århus:Jutland:12']);
});
