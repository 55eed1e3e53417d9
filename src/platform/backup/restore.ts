import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { Kysely, PostgresDialect, type PostgresPoolClient, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Database } from '../context.ts';
import { ownKeyId } from '../config.ts';
import { migrate, migrationNames } from '../db/migrate.ts';
import { sqlState } from '../db/outage.ts';
import type { Disk } from '../files/disk.ts';
import { openObjects } from '../files/objects.ts';
import { installJobs } from '../jobs/jobs.ts';
import { StartError } from '../start-error.ts';
import { backupPurpose } from './backups.ts';
import { UnusableBox, unseal, type BackupKeys } from './box.ts';
import { read, type BackupRecord, type End, type Head, type RowsSummary } from './records.ts';
import { compareTables, loadTables, restoreSequences, restoreJobs } from './restore-tables.ts';
import { openClient, tablesOf, waitingJobs } from './schema.ts';
import { openStoredFiles, type StoredFiles } from './stored-files.ts';

export interface Restored {
  head: Head;
  /** By table name, including waiting jobs. */
  tables: ReadonlyMap<string, RowsSummary>;
  files: number;
  /** Files already missing at backup time. */
  missingFiles: number;
  fileName: string;
  bytes: number;
  checksum: string;
}

const oldestServer = 150_000;

/**
 * Restores a backup into an empty database and restores its files. Validates the whole backup first, then loads it in
 * one transaction, compared with the backup before commit. Throws a readable `StartError` and leaves the database empty
 * on failure.
 */
export async function restoreBackup({
  url,
  path,
  keys,
  disk,
  queues,
  say,
}: {
  url: string;
  path: string;
  keys: BackupKeys;
  disk: Disk;
  queues: readonly string[];
  /** Reports progress in full sentences. */
  say: (line: string) => void;
}): Promise<Restored> {
  const stored = openStoredFiles(dirname(path), keys);
  const { head, end } = await validateBackup(path, keys, stored);
  const from = `PostgreSQL ${head.server}`;
  say(
    `The backup is complete: taken ${head.takenAt} from ${from}, with ${end.rows} rows and ${end.files} files.`,
  );
  await requireKnown(head);
  const client = await connect(url);
  const objects = openObjects(disk);
  const put: string[] = [];
  try {
    await requireEmpty(client);
    await installJobs(url, queues);
    try {
      const tables = await inTransaction(client, async (tx) => {
        await migrate(tx, head.migrations);
        const schema = await tablesOf(client);
        const loaded = await loadTables(client, recordsOf(path, keys), schema);
        await restoreSequences(client, end);
        const checked = await compareTables(client, schema, loaded);
        const waiting = loaded.get(waitingJobs)!;
        await restoreJobs(client, tx, url, waiting);
        checked.set(waitingJobs, waiting);
        say(`The rows of all ${checked.size} tables match the backup.`);
        await putFiles(path, keys, async (object) => {
          put.push(object);
          await objects.restore(object, stored.open(object));
        });
        const newer = await migrate(tx);
        if (newer.length > 0) say(`Migrated to this version: ${newer.join(', ')}.`);
        return checked;
      });
      await client.query('analyze');
      const figures = { files: end.files, missingFiles: end.missing.length };
      return { head, tables, ...figures, fileName: basename(path), ...(await digestOf(path)) };
    } catch (error) {
      for (const object of put) await objects.delete(object).catch(() => undefined);
      await client.query('drop schema if exists jobs cascade').catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw restoreError(error);
  } finally {
    await client.end();
  }
}

function recordsOf(path: string, keys: BackupKeys): AsyncGenerator<BackupRecord> {
  const sealed = Readable.from(unseal(path, { keys, purpose: backupPurpose }), { objectMode: false });
  return read(pipeline(sealed, createZstdDecompress(), () => undefined));
}

/** Validates the entire backup and its files. */
async function validateBackup(
  path: string,
  keys: BackupKeys,
  stored: StoredFiles,
): Promise<{ head: Head; end: End }> {
  let head: Head | undefined;
  let end: End | undefined;
  const lost: string[] = [];
  try {
    for await (const record of recordsOf(path, keys)) {
      if (record.kind === 'head') head = record.value;
      if (record.kind === 'end') end = record.value;
      if (record.kind !== 'files') continue;
      for (const object of record.value) if (!(await stored.has(object))) lost.push(object);
    }
  } catch (error) {
    throw restoreError(error, path);
  }
  if (head?.version !== 1 || !end) throw new StartError(`${path} isn’t a backup this version can read.`);
  if (lost.length > 0)
    throw new StartError(
      `${lost.length} of this backup’s ${end.files} files aren’t in ${dirname(path)}/files. Copy the backups’ files folder there, and try again. Nothing was changed.`,
    );
  return { head, end };
}

/** Skips backups sealed with other keys. */
export async function backupHeads(folder: string, keys: BackupKeys): Promise<Head[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.backup'));
  const heads: Head[] = [];
  for (const name of names) {
    try {
      for await (const record of recordsOf(join(folder, name), keys)) {
        if (record.kind === 'head') heads.push(record.value);
        break;
      }
    } catch (error) {
      // Skips damaged backups.
      if (!(causeOf(error) instanceof UnusableBox)) throw error;
    }
  }
  return heads;
}

async function requireKnown({ migrations }: Head): Promise<void> {
  const known = new Set(await migrationNames());
  const newer = migrations.filter((name) => !known.has(name));
  if (newer.length > 0)
    throw new StartError(
      `This backup needs migrations that this version doesn’t have: ${newer.join(', ')}. Restore it with the version that made it, or a newer one. Nothing was changed.`,
    );
}

async function connect(url: string): Promise<pg.Client> {
  try {
    return await openClient(url);
  } catch (error) {
    const reason = sqlState(error) ?? 'no answer';
    throw new StartError(
      `We can’t connect to the database (${reason}). Check DATABASE_URL and that the server is running.`,
      { cause: error },
    );
  }
}

/** Throws unless the database is empty. Ignores empty job queues, which an interrupted restore leaves behind. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; tables: number; queues: boolean }>(`
    select current_setting('server_version_num')::int as version, to_regclass('jobs.job') is not null as queues,
      (select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname not in ('information_schema', 'jobs')
          and n.nspname not like 'pg\\_%'
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as tables`);
  const { version, tables, queues } = rows[0]!;
  if (version < oldestServer) throw new StartError('iTalk needs PostgreSQL 15 or newer.');
  const jobs = queues ? (await client.query('select from jobs.job limit 1')).rowCount : 0;
  if (tables > 0 || jobs)
    throw new StartError(
      'The database isn’t empty. Restore into an empty one: set DATABASE_URL to another database, or DATA_DIR to another folder. Nothing was changed.',
    );
}

/** Kysely statements and COPY in one transaction. */
async function inTransaction<T>(
  client: pg.Client,
  work: (tx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const query = client.query.bind(client) as PostgresPoolClient['query'];
  const only: PostgresPoolClient = { query, release: () => undefined };
  const pool = { options: {}, connect: () => Promise.resolve(only), end: () => Promise.resolve() };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }).transaction().execute(work);
}

async function digestOf(path: string): Promise<{ bytes: number; checksum: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, checksum: digest.digest('hex') };
}

async function putFiles(
  path: string,
  keys: BackupKeys,
  put: (object: string) => Promise<void>,
): Promise<void> {
  for await (const record of recordsOf(path, keys)) {
    if (record.kind === 'files') for (const object of record.value) await put(object);
  }
}

function restoreError(error: unknown, path = 'what is to be restored'): unknown {
  if (error instanceof StartError) return error;
  const cause = causeOf(error);
  if (cause instanceof UnusableBox) return new StartError(faultText(cause), { cause: error });
  const code = sqlState(error);
  if (code === 'ENOENT') return new StartError(`There is no file ${path}.`, { cause: error });
  if (code === 'EACCES')
    return new StartError(`This account isn’t allowed to read ${path}.`, { cause: error });
  if (code === 'ENOSPC' || code === '53100')
    return new StartError('The disk is full. Free some space and try again. Nothing was restored.', {
      cause: error,
    });
  return error;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && !(error instanceof UnusableBox) && error.cause ? error.cause : error;
}

function faultText({ fault, path, keyId }: UnusableBox): string {
  if (keyId === ownKeyId && (fault === 'unknown_key' || fault === 'wrong_key'))
    return `${path} was sealed with a key that its installation made for itself: copy backup-key from the data folder there into DATA_DIR, or set BACKUP_KEYS=${ownKeyId}:<what that file says>. Nothing was changed.`;
  const texts = {
    not_ours: `${path} isn’t a backup of iTalk, or its beginning is damaged.`,
    unknown_key: `${path} was sealed with the key ${keyId}, which BACKUP_KEYS lacks: add it.`,
    wrong_key: `The key ${keyId} in BACKUP_KEYS isn’t the one that sealed ${path} (or its beginning is damaged): give it that one.`,
    damaged: `${path} is damaged or cut off, so that nothing in it can be relied on: restore another backup.`,
  };
  return `${texts[fault]} Nothing was changed.`;
}
