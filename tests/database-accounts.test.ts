import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sealEntries } from '#/features/audit/chain/commands.ts';
import { verifyChain } from '#/features/audit/chain/queries.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from './support/database.ts';
import { addClient } from './support/people.ts';
import { connect } from '#/platform/db/database.ts';
import { accountOf, asOwner, grantRuntime, isGuarded } from '#/platform/db/grants.ts';
import { install } from '#/app/install.ts';
import { installJobs } from '#/platform/jobs/jobs.ts';
import { databaseUrl, onServer } from './support/global-setup.ts';

const owner = await testDatabase();
const account = `italk_runtime_${newId().replaceAll('-', '')}`;
const address = new URL(owner.url);
address.username = account;
address.password = 'runtime';
const { db } = connect(address.href, 2);
const person = await addClient(owner.db);
const ctx = { ...owner.as(person), db };

beforeAll(async () => {
  await sql`create role ${sql.id(account)} login password 'runtime'`.execute(owner.db);
  await grantRuntime(owner.db, account);
  // Runs after every migration, so must be repeatable.
  await grantRuntime(owner.db, account);
});
afterAll(async () => {
  await db.destroy();
  await sql`drop owned by ${sql.id(account)}`.execute(owner.db);
  await sql`drop role ${sql.id(account)}`.execute(owner.db);
});

describe('the runtime database account', () => {
  test('writes, seals and verifies the audit log', async () => {
    await transact(ctx, (tx) => recordDone(tx, { action: 'user_viewed' }));
    await sealEntries(ctx);
    expect(await verifyChain(ctx)).toMatchObject({ waiting: 0, broken: null });
    expect([await isGuarded(db), await isGuarded(owner.db)]).toEqual([true, false]);
  });

  test.each([
    'alter table audit_entries disable trigger user',
    'alter table audit_seals disable trigger all',
    'drop trigger audit_entries_append_only on audit_entries',
    'truncate audit_entries cascade',
    'truncate audit_unsealed',
    'drop table audit_seals cascade',
    `update audit_entries set action = 'slept'`,
    'delete from audit_entries',
    'delete from audit_seals',
    `update audit_personal set address = '::1'`,
    'create or replace function audit_is_append_only() returns trigger language plpgsql as $$ begin return null; end $$',
    'set session_replication_role = replica',
    'delete from kysely_migration',
    'create table public.mine (id int)',
    'alter table users add column mine int',
  ])('can’t: %s', async (statement) => {
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: '42501' });
  });

  test('reads and writes every other table and its jobs', async () => {
    const { rows } = await sql<{ name: string }>`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'jobs') and c.relname !~ '^(audit|kysely)_'
         and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
           and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))`.execute(db);
    expect(rows).toEqual([]);
    const options = { schema: 'jobs', migrate: false, supervise: true, schedule: false };
    const boss = new PgBoss({ connectionString: address.href, max: 1, ...options });
    const errors: unknown[] = [];
    boss.on('error', (error) => errors.push(error));
    await boss.start();
    const [queue] = owner.queues;
    await boss.send(queue!, {});
    const [job] = await boss.fetch(queue!);
    await boss.complete(queue!, job!.id);
    await boss.supervise();
    await boss.stop({ graceful: false });
    expect(errors).toEqual([]);
  });
});

test('refuses an account that owns the tables or doesn’t exist', async () => {
  await expect(grantRuntime(owner.db, accountOf(owner.url))).rejects.toThrow('isn’t a superuser');
  await expect(grantRuntime(owner.db, 'nobody_of_that_name')).rejects.toThrow('Create it');
});

test('refuses migrations and restores without table rights, changing nothing', async () => {
  const name = `italk_bare_${newId().replaceAll('-', '')}`;
  const serverUrl = inject('serverUrl');
  await onServer(serverUrl, `create database ${name} template template0`);
  try {
    const bare = new URL(databaseUrl(serverUrl, name));
    bare.username = account;
    bare.password = 'runtime';
    const { db: own } = connect(bare.href, 1);
    const refusal = `The account ${account} can’t create or change the tables of this database. Set DATABASE_OWNER_URL`;
    await expect(install(own, bare.href, [])).rejects.toThrow(refusal);
    await expect(asOwner(bare.href, () => installJobs(bare.href, ['one']))).rejects.toThrow(refusal);
    const { rows } = await sql`select from pg_tables where schemaname in ('public', 'jobs')`.execute(own);
    expect(rows).toEqual([]);
    await own.destroy();
    await expect(asOwner(bare.href, () => Promise.reject(new Error('something else')))).rejects.toThrow(
      'something else',
    );
  } finally {
    await onServer(serverUrl, `drop database ${name} with (force)`);
  }
});
