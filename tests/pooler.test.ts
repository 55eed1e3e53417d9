import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '#/platform/db/database.ts';
import { newId } from '#/platform/clock.ts';
import { startProduct } from '../scripts/product.ts';
import { testDatabase } from './support/database.ts';

const { db, url, keys } = await testDatabase();

test('sends neither settings nor named statements through a pooler', async () => {
  const pooled = connect(url, 1, { pooled: true });
  try {
    const { rows } = await sql<{ timeout: string; named: number }>`
      select current_setting('statement_timeout') as timeout, (select count(*) from pg_prepared_statements) as named
       where ${1} = 1`.execute(pooled.db);
    expect(rows).toEqual([{ timeout: '0', named: 0 }]);
  } finally {
    await pooled.db.destroy();
  }
});

test('starts behind a pooler once the account has the settings', { tags: ['long'] }, async () => {
  const account = `italk_pooled_${newId().replaceAll('-', '')}`;
  await sql`create role ${sql.id(account)} login password 'pooled'`.execute(db);
  const through = new URL(url);
  through.username = account;
  through.password = 'pooled';
  const past = new URL(through);
  // The same server under another name.
  through.searchParams.set('application_name', 'pooler');
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-pooler-'));
  const start = () =>
    startProduct({
      dataDir,
      env: {
        DATABASE_URL: through.href,
        DATABASE_DIRECT_URL: past.href,
        DATABASE_OWNER_URL: url,
        ...keys,
      },
    });
  try {
    const refused = await start().then(() => '', String);
    const commands = refused.match(/alter role \S+ set \S+ = '\w+';/g) ?? [];
    expect(commands.join(' ')).toContain(`alter role ${account} set statement_timeout = '15000';`);
    for (const command of commands) await sql.raw(command).execute(db);
    const product = await start();
    const pages = await Promise.all(['/', '/therapists', '/readyz'].map((path) => fetch(product.url + path)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await product.stop()).toBe(0);
  } finally {
    await sql`drop owned by ${sql.id(account)}`.execute(db);
    await sql`drop role ${sql.id(account)}`.execute(db);
    await rm(dataDir, { recursive: true, force: true });
  }
});
