import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, pipeline } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import type { ClientBase } from 'pg';
import { copyOut } from '../db/copy.ts';
import type { Disk } from '../files/disk.ts';
import { backupLock } from '../files/backup-lock.ts';
import { openObjects } from '../files/objects.ts';
import { seal, type BackupKeys } from './box.ts';
import { RowsDigest, encodeRecord, type End } from './records.ts';
import { copyOf, jobColumns, openClient, tablesOf, waitingJobs } from './schema.ts';
import { openStoredFiles } from './stored-files.ts';

export const backupPurpose = 'backup';

export const auditHead = 'AUDIT_HEAD';

export interface Progress {
  rows: number;
  files: number;
  missingFiles: number;
  bytes: number;
}

interface TakenBackup extends Progress {
  fileName: string;
  checksum: string;
}

/** Copies one database snapshot and all file contents into a folder. */
export interface Backups {
  folder: string;
  /**
   * Runs `work` under an advisory lock, or returns null if another process holds it. The lock delays deleting removed
   * files' bytes.
   */
  alone<T>(work: (client: ClientBase) => Promise<T>): Promise<T | null>;
  take(
    client: ClientBase,
    options: {
      at: Temporal.Instant;
      probes: Record<string, string>;
      signal?: AbortSignal | undefined;
      onProgress?: (progress: Progress) => void;
    },
  ): Promise<TakenBackup>;
  /**
   * Deletes backups by file name, and stored files unused since `oldest`. If `oldest` is null, no backup remains and
   * stored files are kept for the next one.
   */
  drop(fileNames: readonly string[], oldest: Temporal.Instant | null): Promise<void>;
  /** Deletes leftovers of interrupted backups. */
  clear(): Promise<void>;
}

export function openBackups({
  url,
  disk,
  folder,
  keys,
}: {
  url: string;
  disk: Disk;
  folder: string;
  keys: BackupKeys;
}): Backups {
  const objects = openObjects(disk);
  const stored = openStoredFiles(folder, keys);
  return {
    folder,
    async alone(work) {
      const client = await openClient(url);
      try {
        const { rows } = await client.query<{ ours: boolean }>(
          `select pg_try_advisory_lock(${backupLock}) as ours`,
        );
        return rows[0]!.ours ? await work(client) : null;
      } finally {
        await client.end();
      }
    },
    async take(client, { at, probes, signal, onProgress = () => undefined }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fileName = `italk-${stamp(at)}-${randomBytes(4).toString('hex')}.backup`;
      const progress: Progress = { rows: 0, files: 0, missingFiles: 0, bytes: 0 };
      const digest = createHash('sha256');
      async function* records(): AsyncGenerator<Buffer> {
        const { objects: named, ...end } = yield* databaseRecords(client, { at, probes }, (rows) => {
          progress.rows = rows;
          onProgress(progress);
        });
        const missing: string[] = [];
        let batch: string[] = [];
        for (const object of named) {
          signal?.throwIfAborted();
          if (await stored.store(objects, object, new Date(at.epochMilliseconds), signal)) {
            batch.push(object);
            progress.files++;
          } else {
            missing.push(object);
            progress.missingFiles++;
          }
          onProgress(progress);
          if (batch.length === 1_000) {
            yield encodeRecord({ kind: 'files', value: batch });
            batch = [];
          }
        }
        if (batch.length > 0) yield encodeRecord({ kind: 'files', value: batch });
        yield encodeRecord({
          kind: 'end',
          value: { ...end, rows: progress.rows, files: progress.files, missing },
        });
      }
      // Errors surface where `packed` is read.
      const packed = pipeline(Readable.from(records()), createZstdCompress(), () => undefined);
      await seal(join(folder, fileName), { keys, purpose: backupPurpose, signal }, packed, (bytes) => {
        digest.update(bytes);
        progress.bytes += bytes.byteLength;
      });
      return { ...progress, fileName, checksum: digest.digest('hex') };
    },
    async drop(fileNames, oldest) {
      for (const name of fileNames) await rm(join(folder, name), { force: true });
      if (oldest) await stored.sweep(new Date(oldest.epochMilliseconds));
    },
    async clear() {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((one) => one.endsWith('.part')))
        await rm(join(folder, name), { force: true });
    },
  };
}

function stamp(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' }).replaceAll(':', '');
}

async function* databaseRecords(
  client: ClientBase,
  { at, probes }: { at: Temporal.Instant; probes: Record<string, string> },
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer, Pick<End, 'tables' | 'sequences'> & { objects: string[] }> {
  await client.query('begin isolation level repeatable read read only');
  const { rows: migrations } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  );
  const { rows: server } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  );
  yield encodeRecord({
    kind: 'head',
    value: {
      version: 1,
      takenAt: at.toString(),
      server: server[0]!.version,
      migrations: migrations.map(({ name }) => name),
      probes,
    },
  });
  let rows = 0;
  async function* rowsOf(table: string, columns: readonly string[], statement: string) {
    yield encodeRecord({ kind: 'table', value: { table, columns: [...columns] } });
    const seen = new RowsDigest();
    for await (const bytes of copyOut(client, statement, (row) => seen.add(row))) {
      yield encodeRecord({ kind: 'data', bytes });
      onRows(rows + seen.rows);
    }
    rows += seen.rows;
    yield encodeRecord({ kind: 'rows', value: seen.summary() });
  }
  const tables = await tablesOf(client);
  for (const table of tables) yield* rowsOf(table.name, table.columns, copyOf(table, 'to stdout'));
  // Finished jobs aren't needed.
  yield* rowsOf(
    waitingJobs,
    jobColumns,
    `copy (select ${jobColumns.join(', ')} from jobs.job where state < 'completed') to stdout`,
  );
  onRows(rows);
  const { rows: sequences } = await client.query<{ name: string; last: string }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences
      where schemaname = 'public' and last_value is not null`,
  );
  const { rows: files } = await client.query<{ object: string }>('select object from files order by object');
  await client.query('commit');
  return {
    tables: tables.length,
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
    objects: files.map(({ object }) => object),
  };
}
