import { readFile, readdir } from 'node:fs/promises';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { release } from '../release.ts';
import { StartError } from '../start-error.ts';
import { loadBaseData, stepsOf } from './base-data.ts';
import type { Database } from '../context.ts';
import { sqlState } from './outage.ts';

async function migrations(root: URL): Promise<Record<string, Migration>> {
  const folder = new URL('migrations/', root);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Object.fromEntries(
    files.map((file): [string, Migration] => [
      file.slice(0, -'.sql'.length),
      {
        async up(db) {
          for (const step of stepsOf(await readFile(new URL(file, folder), 'utf8'))) {
            if (typeof step === 'string') await sql.raw(step).execute(db);
            else await loadBaseData(db, step, root);
          }
        },
      },
    ]),
  );
}

export async function migrationNames(): Promise<string[]> {
  return Object.keys(await migrations(release));
}

/**
 * Migrates to the latest version, or, for an empty database, to the `only` migrations. Returns the names of applied
 * migrations; throws on failure.
 */
export async function migrate(
  db: Kysely<Database>,
  only?: readonly string[],
  root = release,
): Promise<string[]> {
  const all = await migrations(root);
  const known = only ? Object.fromEntries(only.map((name) => [name, all[name]!])) : all;
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error instanceof StartError) throw error;
  if (error) {
    const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
    const why = sqlState(error) ?? 'no SQLSTATE';
    throw new Error(`the migration ${failed ?? 'of the database'} failed (${why})`, { cause: error });
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** Returns true if the latest known migration is applied. Tolerates newer ones, for rolling releases. */
export async function migrated(db: Kysely<Database>): Promise<boolean> {
  const last = (await migrationNames()).at(-1);
  const found = await sql<{ name: string }>`select name from kysely_migration where name = ${last}`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return found.rows.length > 0;
}
