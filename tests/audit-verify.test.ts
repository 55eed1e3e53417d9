import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createHeadWriter, sealEntries } from '#/features/audit/chain/commands.ts';
import { headOf } from '#/features/audit/chain/queries.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from './support/database.ts';

const { db, url, dataDir, as } = await testDatabase();
const keys = `own:${randomBytes(32).toString('base64url')}`;
const ctx = { ...as({ kind: 'system' }), keyring: openKeyring(keys) };

const folder = join(dataDir, 'backups');

/** Runs the script as an operator. */
async function verify(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['scripts/audit-verify.ts', ...args], {
    env: {
      ...process.env,
      BACKUP_DIR: folder,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      ENCRYPTION_KEYS: keys,
      ITALK_MODE: 'demo',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  // Strips the database line.
  return { code, said: said.replace(/^Database: .* \(demo\)\.\n/, '').trim() };
}

test('detects a truncated log by the head stored beside the backups', { tags: ['long'] }, async () => {
  await transact(ctx, (tx) => recordDone(tx, { action: 'user_viewed' }));
  await sealEntries(ctx);
  await createHeadWriter(folder)(ctx);
  const { seq, hash } = (await headOf(db))!;
  for (const table of ['audit_entries', 'audit_seals'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
  await sql`
    with gone as (delete from audit_seals where seq = ${seq} returning entry_id)
    delete from audit_entries using gone where id = entry_id`.execute(db);
  for (const table of ['audit_entries', 'audit_seals'])
    await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
  expect(await verify()).toMatchObject({
    code: 1,
    said: expect.stringContaining(`the head ${hash} that was kept isn’t in the chain`) as string,
  });
  await rm(folder, { recursive: true });
});

test('counts the chain, prints its head and names tampered entries', { tags: ['long'] }, async () => {
  for (let one = 0; one < 3; one++) await transact(ctx, (tx) => recordDone(tx, { action: 'user_viewed' }));
  await sealEntries(ctx);
  await transact(ctx, (tx) => recordDone(tx, { action: 'user_viewed' }));
  const whole = await verify();
  expect(whole).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^\d+ entries, chain intact, head [\da-f]{64}; 1 not sealed yet\.$/,
    ) as string,
  });
  const head = /[\da-f]{64}/.exec(whole.said)![0];
  expect((await verify(head)).code).toBe(0);
  expect(await verify('f'.repeat(64))).toMatchObject({
    code: 1,
    said: expect.stringContaining('isn’t in the chain') as string,
  });
  expect(await verify('nonsense')).toEqual({
    code: 1,
    said: 'The head must be 64 hexadecimal digits, as this command printed it.',
  });

  const { entry_id: id, seq } = await db
    .selectFrom('audit_seals')
    .select(['entry_id', 'seq'])
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  await sql`alter table audit_entries disable trigger user`.execute(db);
  await db.updateTable('audit_entries').set({ action: 'slept' }).where('id', '=', id).execute();
  await sql`alter table audit_entries enable trigger user`.execute(db);
  expect(await verify()).toEqual({
    code: 1,
    said: `The audit log is broken: entry ${id}, number ${seq}, was changed after it was sealed.`,
  });
});
