import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { sql } from 'kysely';
import { backUpNow } from '#/features/backups/runs/commands.ts';
import { backupPurpose, openBackups } from '#/platform/backup/backups.ts';
import { unseal } from '#/platform/backup/box.ts';
import { openDisk } from '#/platform/files/disk.ts';
import { keysOf } from '#/platform/keyring.ts';
import type { TestDatabase } from './database.ts';

/** Takes a backup and decrypts it with the server's key. */
export async function openedBackup(database: TestDatabase): Promise<string> {
  const keys = keysOf(`own:${randomBytes(32).toString('base64url')}`);
  const folder = join(database.dataDir, 'backups');
  const backups = openBackups({ url: database.url, disk: openDisk(database.folder), folder, keys });
  const { fileName } = await backUpNow(database.as({ kind: 'system' }), backups);
  const sealed = Readable.from(unseal(join(folder, fileName!), { keys, purpose: backupPurpose }));
  return text(sealed.pipe(createZstdDecompress()));
}

export async function wholeDatabase({ db }: TestDatabase): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('public', 'jobs')`.execute(db);
  const dump: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(
      db,
    );
    dump.push(...rows.map(({ row }) => row));
  }
  return dump.join('\n');
}
