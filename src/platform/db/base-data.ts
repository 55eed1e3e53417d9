import { readFile } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import { digestHex } from '../tokens.ts';

/** A migration's line `\load data/cities.tsv into cities sha256 …`. */
export interface Load {
  path: string;
  table: string;
  checksum: string;
}

/** Values by column. Columns that a file leaves out get their defaults. */
type Row = Record<string, unknown>;

const loadLine = /^\\load (data\/[a-z0-9-]+\.(?:json|tsv)) into ([a-z_]+) sha256 ([0-9a-f]{64})$/;

/** Splits a migration into SQL and loads. A malformed load stays in the SQL, where PostgreSQL rejects its backslash. */
export function stepsOf(migration: string): (string | Load)[] {
  return migration
    .split(/^(\\load .*)$/m)
    .map((step) => {
      const [, path, table, checksum] = loadLine.exec(step) ?? [];
      return path && table && checksum ? { path, table, checksum } : step;
    })
    .filter((step) => typeof step !== 'string' || step.trim() !== '');
}

/** Inserts a file's rows in their order. Throws if it isn't exactly the file that the migration was written for. */
export async function loadBaseData(db: Kysely<unknown>, load: Load, root: URL): Promise<void> {
  const rows = rowsOf(load.path, await readBaseData(load, root));
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)));
  const table = sql.table(load.table);
  await sql`
    insert into ${table} (${columns})
    select ${columns} from json_populate_recordset(null::${table}, ${JSON.stringify(rows)}::json)`.execute(
    db,
  );
}

async function readBaseData({ path, checksum }: Load, root: URL): Promise<string> {
  const text = await readFile(new URL(path, root), 'utf8').catch((error: unknown) => {
    throw new StartError(`${path} can’t be read. Restore it from the release.`, { cause: error });
  });
  if (digestHex(text) !== checksum)
    throw new StartError(
      `${path} was changed after its migration was written. Restore it from the release, or run: npm run check`,
    );
  return text;
}

/** Parses JSON objects, or tab-separated values under a line of column names. Throws unless all rows have the same columns. */
export function rowsOf(path: string, text: string): Row[] {
  const rows = path.endsWith('.tsv') ? fromTsv(path, text) : (JSON.parse(text) as Row[]);
  if (!Array.isArray(rows) || rows.length === 0) throw new Error(`${path} has no rows.`);
  const columns = Object.keys(rows[0]!).join(', ');
  for (const [index, row] of rows.entries()) {
    if (Object.keys(row).join(', ') !== columns)
      throw new Error(`${path}: row ${index + 1} doesn’t have the columns ${columns}.`);
  }
  return rows;
}

function fromTsv(path: string, text: string): Row[] {
  const [columns = [], ...lines] = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'));
  return lines.map((values, index) => {
    if (values.length !== columns.length)
      throw new Error(
        `${path}: line ${index + 2} has ${values.length} values for ${columns.length} columns.`,
      );
    return Object.fromEntries(columns.map((column, at) => [column, values[at]]));
  });
}
