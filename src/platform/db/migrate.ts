import { readFile, readdir } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './database.ts';
import { sqlState } from './outage.ts';

const folder = new URL('../../../migrations/', import.meta.url);

/** The migrations by name, in order: plain SQL files, forward only. */
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

/** The names of this program's migrations, in order. */
export async function migrationNames(): Promise<string[]> {
  return Object.keys(await migrations());
}

/**
 * Brings the database to this program's last migration, or an empty one to the state of those that are named; returns the
 * names of those that ran. Throws what failed.
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

/** Whether this program's own last migration is there; newer ones are tolerated, so that releases can roll. */
export async function migrated(db: Kysely<Database>): Promise<boolean> {
  const last = Object.keys(await migrations()).at(-1);
  const found = await sql<{ name: string }>`select name from kysely_migration where name = ${last}`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return found.rows.length > 0;
}
