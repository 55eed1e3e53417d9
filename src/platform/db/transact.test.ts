import { sql } from 'kysely';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { transact } from './transact.ts';

const { as, db } = await testDatabase();
const ctx = as({ kind: 'system' });

test('sends statements issued together before the first answer', async () => {
  const events: string[] = [];
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await transact(ctx, async (tx) => {
    query.mockClear();
    const ask = async () => {
      await sql`select 1`.execute(tx.db);
      events.push(`answered after ${query.mock.calls.length}`);
    };
    await Promise.all([ask(), ask(), ask()]);
  });
  query.mockRestore();
  expect(events).toEqual(['answered after 3', 'answered after 3', 'answered after 3']);
});

test('writes nothing once the transaction failed, even before its rollback is done', async () => {
  await sql`create table late_writes (n integer)`.execute(db);
  let late: Promise<unknown> | undefined;
  const failing = transact(ctx, (tx) => {
    late = sql`select 1`
      .execute(tx.db)
      .then(() => sql`insert into late_writes values (1)`.execute(tx.db))
      .catch(String);
    return Promise.reject(new Error('refused'));
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await late).toMatch(/after a failed transaction|already rolled back/);
  expect((await sql`select from late_writes`.execute(db)).rows).toEqual([]);
});
