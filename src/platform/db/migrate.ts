import { readFile, readdir } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './database.ts';
import { sqlState } from './outage.ts';

const folder = new URL('../../../migrations/', import.meta.url);

async function migrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const named = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(new URL(file, folder), 'utf8');
    return [
      file.slice(0, -'.sql'.length),
      {
        up: (db) =>
          sql
            .raw(text)
            .execute(db)
            .then(() => undefined),
      },
    ];
  });
  return Object.fromEntries(await Promise.all(named));
}

export async function migrationNames(): Promise<string[]> {
  return Object.keys(await migrations());
}

/**
 * Migrates to the latest version, or, for an empty database, to the `only` migrations. Returns the names of applied
 * migrations; throws on failure.
 */
export async function migrate(db: Kysely<Database>, only?: readonly string[]): Promise<string[]> {
  const all = await migrations();
  const known = only ? Object.fromEntries(only.map((name) => [name, all[name]!])) : all;
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) {
    const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
    const why = sqlState(error) ?? 'no SQLSTATE';
    throw new Error(`the migration ${failed ?? 'of the database'} failed (${why})`, { cause: error });
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** Returns true if the latest known migration is applied. Tolerates newer ones, for rolling releases. */
export async function migrated(db: Kysely<Database>): Promise<boolean> {
  const last = Object.keys(await migrations()).at(-1);
  const found = await sql<{ name: string }>`select name from kysely_migration where name = ${last}`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return found.rows.length > 0;
}
