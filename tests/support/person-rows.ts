import { sql, type Kysely } from 'kysely';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';

interface CatalogueColumn {
  name: string;
  type: string;
  nullable: boolean;
  generated: boolean;
  isKey: boolean;
  /** The table this foreign key references. */
  refers: string | null;
  /** The first value allowed by its check constraint. */
  closed: string | null;
}

export type Catalogue = ReadonlyMap<string, readonly CatalogueColumn[]>;

export async function catalogueOf(db: Kysely<Database>): Promise<Catalogue> {
  const { rows } = await sql<CatalogueColumn & { tablename: string; type: string }>`
    select c.relname as tablename, a.attname as name, t.typname as type, not a.attnotnull as nullable,
      a.attgenerated <> '' as generated,
      exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any(k.conkey)) as "isKey",
      (select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.conkey[1] = a.attnum limit 1) as refers,
      (select coalesce(
          substring(pg_get_constraintdef(k.oid) from 'ARRAY\\[''([^'']+)'''),
          substring(pg_get_constraintdef(k.oid) from 'ARRAY\\[(\\d+)'))
        from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as closed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
    where n.nspname = 'public' and c.relkind = 'r' and c.relname not like 'kysely_%'
    order by c.relname, a.attnum`.execute(db);
  const tables = new Map<string, CatalogueColumn[]>();
  for (const { tablename, ...column } of rows)
    tables.set(tablename, [...(tables.get(tablename) ?? []), column]);
  return tables;
}

/** Columns that reference a person without a foreign key. */
const unspoken: Readonly<Record<string, readonly string[]>> = {
  audit_entries: ['actor_id', 'subject_id'],
  audit_actors: ['actor_id'],
  verifications: ['value'],
  sign_ups: ['email'],
  mails: ['recipient', 'reply_to'],
  contact_messages: ['email'],
  session_guests: ['email'],
  booking_requests: ['email'],
  client_records: ['email'],
};

export function addressColumns(catalogue: Catalogue, table: string): string[] {
  return (catalogue.get(table) ?? [])
    .filter(({ type, name }) => type === 'text' && /(?:^|_)(?:email|recipient|reply_to|sender)$/.test(name))
    .map(({ name }) => name);
}

/** Finds each table's person columns by following foreign keys to `users` transitively. */
export function personColumns(catalogue: Catalogue): Map<string, string[]> {
  const found = new Map<string, string[]>([['users', ['id']]]);
  const isPerson = (table: string | null): boolean =>
    table === 'users' ||
    (table !== null && (catalogue.get(table) ?? []).some((c) => c.isKey && isPerson(c.refers)));
  for (const [table, columns] of catalogue) {
    const direct = columns
      .filter(({ refers }) => isPerson(refers) && refers !== table)
      .map(({ name }) => name);
    const all = [...direct, ...(unspoken[table] ?? [])];
    if (all.length > 0) found.set(table, all);
  }
  // Rows that reference a person's rows are personal data too.
  for (let more = true; more;) {
    more = false;
    for (const [table, columns] of catalogue) {
      if (found.has(table)) continue;
      const through = columns.filter(({ refers }) => refers !== null && found.has(refers));
      if (through.length === 0) continue;
      found.set(
        table,
        through.slice(0, 1).map(({ name }) => name),
      );
      more = true;
    }
  }
  return found;
}

/** Values the catalog can't supply: by table, or by table and path. */
export type Overrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface FilledRow {
  table: string;
  path: string;
  values: Readonly<Record<string, unknown>>;
}

interface Cast {
  person: string;
  other: string;
}

/**
 * Fills every table for one person: one row per column that references a person, with another person in the other
 * columns. Every text is unique, so it can be searched for. `overrides` supplies values by table; `seal` encrypts
 * sealed columns.
 */
export async function fillPerson(
  db: Kysely<Database>,
  catalogue: Catalogue,
  { person, other }: Cast,
  overrides: Overrides,
  seal: (table: string, column: string, id: string, text: string) => string,
): Promise<FilledRow[]> {
  const columnsOfPersons = personColumns(catalogue);
  const filled: FilledRow[] = [];
  let counter = 0;
  const keysOf = new Map<string, { mine?: unknown; theirs?: unknown }>();

  const fill = async (
    table: string,
    path: string,
    cast: Cast,
    variant: Readonly<Record<string, unknown>>,
  ) => {
    counter++;
    const values: Record<string, unknown> = {};
    const id = newId();
    const given: Record<string, unknown> = {
      ...overrides[table],
      ...overrides[`${table}.${path}`],
      ...variant,
    };
    for (const [index, column] of (catalogue.get(table) ?? []).entries()) {
      if (column.generated) continue;
      const { name } = column;
      if (name in given && name !== path) {
        const value = given[name];
        values[name] =
          typeof value === 'function' ? (value as (id: string, cast: Cast) => unknown)(id, cast) : value;
      } else if (name === 'id' && column.refers && !isPersonTable(column.refers)) {
        // One-to-one: two attachments can't share a file.
        values[name] = await ownKey(column.refers, cast);
      } else if (name === path || (columnsOfPersons.get(table) ?? []).includes(name)) {
        const who = name === path ? cast.person : cast.other;
        values[name] =
          column.refers && !isPersonTable(column.refers) ? await keyOf(column.refers, cast) : who;
        if (name === path && name in given) {
          const value = given[name];
          values[name] =
            typeof value === 'function' ? (value as (id: string, cast: Cast) => unknown)(id, cast) : value;
        }
      } else if (column.refers) values[name] = await keyOf(column.refers, cast);
      else values[name] = valueOf(table, column, { id, counter, index });
    }
    const stored = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? seal(table, name, values.id as string, value) : value,
      ]),
    );
    const keys = (catalogue.get(table) ?? []).filter(({ isKey }) => isKey).map((column) => column.name);
    await db
      .insertInto(table as never)
      .values(stored)
      // The database creates some rows itself, through triggers.
      .onConflict((conflict) => conflict.columns(keys as never).doUpdateSet(stored))
      .execute();
    return values;
  };

  const isPersonTable = (table: string) =>
    table === 'users' || (catalogue.get(table) ?? []).some((c) => c.isKey && c.refers === 'users');

  const ownKey = async (table: string, cast: Cast): Promise<unknown> => {
    const [path] = columnsOfPersons.get(table)!;
    const values = await fill(table, path!, cast, {});
    if (cast.person === person) filled.push({ table, path: path!, values });
    return values.id;
  };

  const keyOf = async (table: string, cast: Cast): Promise<unknown> => {
    const mine = cast.person === person;
    const known = keysOf.get(table) ?? {};
    const before = mine ? known.mine : known.theirs;
    if (before !== undefined) return before;
    const key = (catalogue.get(table) ?? []).find(({ isKey }) => isKey)!.name;
    if (!columnsOfPersons.has(table)) {
      const row = await sql<Record<string, unknown>>`select * from ${sql.table(table)} limit 1`.execute(db);
      keysOf.set(table, { mine: row.rows[0]![key], theirs: row.rows[0]![key] });
      return row.rows[0]![key];
    }
    await fillTable(table, cast);
    return mine ? keysOf.get(table)!.mine : keysOf.get(table)!.theirs;
  };

  const fillTable = async (table: string, cast: Cast): Promise<void> => {
    const mine = cast.person === person;
    const known = keysOf.get(table) ?? {};
    if ((mine ? known.mine : known.theirs) !== undefined) return;
    const key = (catalogue.get(table) ?? []).find(({ isKey }) => isKey)?.name ?? '';
    const paths = mine ? columnsOfPersons.get(table)! : columnsOfPersons.get(table)!.slice(0, 1);
    const variants = (overrides[table]?.variants as Record<string, unknown>[] | undefined) ?? [{}];
    for (const path of paths) {
      for (const variant of mine ? variants : variants.slice(0, 1)) {
        const values = await fill(table, path, cast, variant);
        const now = keysOf.get(table) ?? {};
        keysOf.set(
          table,
          mine
            ? { mine: now.mine ?? values[key], theirs: now.theirs }
            : { mine: now.mine, theirs: now.theirs ?? values[key] },
        );
        if (mine) filled.push({ table, path, values });
      }
    }
  };

  const theirs = { person: other, other };
  const inOrder = ['users', 'profiles', 'providers', 'client_records', ...columnsOfPersons.keys()];
  for (const table of ['users', 'profiles', 'providers']) await fillTable(table, theirs);
  for (const table of new Set(inOrder)) await fillTable(table, { person, other });
  return filled;
}

/** Returns a unique value for any column: unique text, or instants one day apart. */
function valueOf(
  table: string,
  column: CatalogueColumn,
  { id, counter, index }: { id: string; counter: number; index: number },
): unknown {
  const mark = `zq${counter}x${table.replaceAll('_', '')}x${column.name.replaceAll('_', '')}`;
  const at = new Date(Date.parse('2026-05-01T09:00:00Z') + (counter * 24 * 60 + index) * 60_000);
  if (column.closed !== null)
    return /^(?:int|float|numeric)/.test(column.type) ? Number(column.closed) : column.closed;
  switch (column.type) {
    case 'uuid':
      return column.isKey && column.name === 'id' ? id : newId();
    case 'bool':
      return true;
    case 'int2':
    case 'int4':
    case 'int8':
    case 'float8':
      return 1;
    case 'timestamptz':
      return at;
    case 'date':
      return at.toISOString().slice(0, 10);
    case '_int4':
      // Kept by triggers.
      return [];
    case '_text':
      return [mark];
    case 'jsonb':
    case 'json':
      return JSON.stringify({ words: mark });
    case 'text':
    case 'varchar':
      return /email|recipient|reply_to/.test(column.name) ? `${mark}@people.example` : mark;
    default:
      throw new Error(`${table}.${column.name}: nothing is known of the type ${column.type}`);
  }
}
