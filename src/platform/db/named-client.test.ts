import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';

const database = await testDatabase({ poolSize: 1 });

const planned = async () => {
  const found = await sql<{
    statement: string;
  }>`select statement from pg_prepared_statements where name like 's%'`.execute(database.db);
  return found.rows.map(({ statement }) => statement);
};

it('plans a parameterized statement once, and survives a new column under select *', async () => {
  await sql`create table things (id int)`.execute(database.db);
  await sql`insert into things values (1), (2)`.execute(database.db);
  const one = (id: number) =>
    sql<{ id: number }>`select id from things where id = ${id}`.execute(database.db);
  const all = (id: number) => sql<object>`select * from things where id = ${id}`.execute(database.db);
  expect((await one(1)).rows).toEqual([{ id: 1 }]);
  expect((await one(2)).rows).toEqual([{ id: 2 }]);
  expect((await all(1)).rows).toEqual([{ id: 1 }]);
  expect(await planned()).toEqual(['select id from things where id = $1']);
  await sql`alter table things add column more int`.execute(database.db);
  expect((await all(1)).rows).toEqual([{ id: 1, more: null }]);
  expect((await one(2)).rows).toEqual([{ id: 2 }]);
});
