import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { preferenceColumns } from '#/features/accounts/rules.ts';
import { settings } from '#/features/settings/rules.ts';
import { testDatabase } from './support/database.ts';

const { db } = await testDatabase();

interface Column {
  type: string;
  nullable: boolean;
  generated: boolean;
}

async function catalogue(): Promise<Map<string, Map<string, Column>>> {
  const { rows } = await sql<{
    table_name: string;
    column_name: string;
    udt_name: string;
    is_nullable: string;
    column_default: string | null;
    is_generated: 'ALWAYS' | 'NEVER';
    is_identity: 'YES' | 'NO';
  }>`
    select table_name, column_name, udt_name, is_nullable, column_default, is_generated, is_identity
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely_%'
    order by table_name, ordinal_position`.execute(db);
  const tables = new Map<string, Map<string, Column>>();
  for (const row of rows) {
    const columns = tables.get(row.table_name) ?? new Map<string, Column>();
    tables.set(row.table_name, columns);
    columns.set(row.column_name, {
      type: typeNames[row.udt_name] ?? row.udt_name,
      nullable: row.is_nullable === 'YES',
      generated: row.column_default !== null || row.is_generated === 'ALWAYS' || row.is_identity === 'YES',
    });
  }
  return tables;
}

const typeNames: Readonly<Record<string, string>> = {
  uuid: 'text',
  text: 'text',
  tsvector: 'text',
  date: 'text',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  timestamptz: 'Date',
  _text: 'text[]',
  _int4: 'number[]',
  jsonb: 'json',
  bytea: 'Buffer',
};

/** Columns that a table's type derives from declarations, by the name of the inherited type. */
const derived: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  SettingColumns: Object.values(settings).map(({ column, initial }) => [
    column,
    `Generated<${typeof initial}>`,
  ]),
  PreferenceColumns: preferenceColumns.map((column) => [column, 'Generated<boolean>']),
};

/** Parses the table declarations from source: table → column → type as written. */
function declared(): Map<string, Map<string, string>> {
  const tables = new Map<string, Map<string, string>>();
  for (const path of globSync('src/{features,platform}/**/*.ts')) {
    const source = readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const listed = /declare module '[^']*context\.ts' \{\s*interface Database \{([^}]*)\}/.exec(source)?.[1];
    for (const [, table, type] of (listed ?? '').matchAll(/(\w+): (\w+);/g)) {
      const columns = columnsOf(type!, source);
      if (!columns) throw new Error(`${path}: ${table} is a ${type}, which isn't declared in this file.`);
      tables.set(table!, new Map(columns));
    }
  }
  return tables;
}

/** Columns of an interface, with those it inherits. */
function columnsOf(type: string, source: string): (readonly [string, string])[] | undefined {
  const [, inherited, body] =
    new RegExp(`interface ${type}(?: extends (\\w+))? \\{([\\s\\S]*?)\\n\\}`).exec(source) ?? [];
  if (body === undefined) return derived[type]?.slice();
  const own = [...body.matchAll(/^ {2}(\w+): ([\s\S]*?);(?=\n(?: {2}\w|\s*$)|$)/gm)];
  return [
    ...((inherited && columnsOf(inherited, source)) || []),
    ...own.map(([, name, written]) => [name!, written!.replaceAll(/\s+/g, ' ')] as const),
  ];
}

function readAs(written: string): Column {
  const generated = /^Generated<(.*)>$/.exec(written);
  const selected = /^ColumnType<(.*)>$/.exec(written);
  const json = selected !== null && /, string( \| undefined)?(, |$)/.test(selected[1]!);
  const inner = generated?.[1] ?? selected?.[1] ?? written;
  const nullable = / \| null\b/.test(inner.split(',')[0]!);
  const plain = inner.replace(' | null', '');
  const one = /^(?:number|boolean|Date|Buffer)/.exec(plain)?.[0] ?? 'text';
  const type = json || plain === 'unknown' ? 'json' : plain.endsWith('[]') ? `${one}[]` : one;
  return { type, nullable, generated: generated !== null };
}

describe('the table declarations', async () => {
  const real = await catalogue();
  const written = declared();

  it('list exactly the tables of the migrated database', () => {
    expect([...written.keys()].toSorted()).toEqual([...real.keys()].toSorted());
  });

  it.each([...written])('match the columns of %s, with types and nullability', (table, columns) => {
    const ours = [...columns].map(([name, type]) => [name, shape(readAs(type))]);
    const theirs = [...(real.get(table) ?? [])].map(([name, column]) => [name, shape(column)]);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it.each([...written])('make only columns of %s with a default optional', (table, columns) => {
    const withoutDefault = [...columns]
      .filter(([name, type]) => readAs(type).generated && !real.get(table)?.get(name)?.generated)
      .map(([name]) => name);
    expect(withoutDefault).toEqual([]);
  });
});

function shape({ type, nullable }: Column): string {
  return nullable ? `${type} or null` : type;
}
