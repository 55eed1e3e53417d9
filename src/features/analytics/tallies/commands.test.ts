import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../../tests/support/people.ts';
import { sumTallies } from './commands.ts';

const { db, as } = await testDatabase();
const ctx = as({ kind: 'system' });

/** Accounts, listed specialists and their weekly minutes. */
const kept = async () => {
  const { rows } = await sql<{ totals: number[] }>`
    select array[sum(accounts), sum(listed), ${weekly()}]::int4[] as totals from tallies`.execute(db);
  return rows[0]!.totals.map((one) => one ?? 0);
};
const counted = async () => {
  const { rows } = await sql<{ totals: number[] }>`
    select array[(select count(*) from profiles where erased_at is null), count(*), ${weekly()}]::int4[] as totals
      from providers where listed`.execute(db);
  return rows[0]!.totals.map((one) => one ?? 0);
};
const weekly = () =>
  sql.join(Array.from({ length: 7 }, (_, day) => sql`sum(weekly_minutes[${sql.lit(day + 1)}])`));

test('totals follow every change of accounts, listings and hours, however they are summed up', async () => {
  const week = [{ weekday: 1, from: '09:00', to: '12:00' }];
  const provider = await addProvider(db, { week });
  const other = await addProvider(db, { week, listed: false });
  const client = await addClient(db);
  const set = (table: 'profiles' | 'providers', id: string, change: object) =>
    db.updateTable(table).set(change).where('id', '=', id).execute();
  const addHours = (provider_id: string, weekday: number) =>
    db
      .insertInto('weekly_hours')
      .values({ provider_id, weekday, from_time: '14:00', to_time: '15:30' })
      .execute();
  const changes: (() => Promise<unknown>)[] = [
    () => Promise.resolve(),
    () => addHours(provider.id, 7),
    () => addHours(other.id, 3),
    () => set('providers', other.id, { listed: true }),
    () => sumTallies(ctx),
    () => set('providers', provider.id, { listed: false }),
    () => set('profiles', client.id, { erased_at: new Date() }),
    () => set('profiles', client.id, { erased_at: new Date() }),
    () =>
      db.deleteFrom('weekly_hours').where('provider_id', '=', other.id).where('weekday', '=', 1).execute(),
    () => Promise.all([sumTallies(ctx), sumTallies(ctx), sumTallies(ctx)]),
    () => db.deleteFrom('providers').where('id', '=', other.id).execute(),
    () => db.deleteFrom('users').where('id', '=', client.id).execute(),
  ];
  for (const [index, change] of changes.entries()) {
    await change();
    expect(await kept(), `after change ${index}`).toEqual(await counted());
  }
  await sumTallies(ctx);
  expect(await db.selectFrom('tallies').selectAll().execute()).toHaveLength(1);
});
