import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { transact } from '../db/transact.ts';
import { deleteOldAttempts, countAttempt, uncountAttempt } from './limits.ts';

const { db } = await testDatabase();
const at = (time: string) => Temporal.Instant.from(`2026-03-02T12:${time}Z`);

test('starts a window with the first attempt and limits attempts within it', async () => {
  const tries = [];
  for (const time of ['00:00', '00:30', '00:59', '01:00', '01:01'])
    tries.push(await countAttempt(db, 'a', 2, 60, at(time)));
  expect(tries).toEqual([true, true, false, true, true]);
});

test('counts keys separately, and can undo an attempt', async () => {
  expect(await countAttempt(db, 'b', 1, 60, at('00:00'))).toBe(true);
  expect(await countAttempt(db, 'c', 1, 60, at('00:00'))).toBe(true);
  await uncountAttempt(db, 'b');
  expect(await countAttempt(db, 'b', 1, 60, at('00:01'))).toBe(true);
  expect(await countAttempt(db, 'c', 1, 60, at('00:01'))).toBe(false);
});

test('counts concurrent attempts', async () => {
  const tries = await Promise.all(
    Array.from({ length: 40 }, () => countAttempt(db, 'd', 7, 60, at('00:00'))),
  );
  expect(tries.filter(Boolean)).toHaveLength(7);
});

test('deletes counts of windows that started over a day ago', async () => {
  await countAttempt(db, 'old', 1, 60, at('00:00').subtract({ hours: 25 }));
  await countAttempt(db, 'running', 1, 60, at('00:00').subtract({ hours: 23 }));
  await deleteOldAttempts(db, at('00:00'));
  const keys = await db
    .selectFrom('rate_limits')
    .select('key')
    .where('key', 'in', ['old', 'running'])
    .execute();
  expect(keys).toEqual([{ key: 'running' }]);
});

test('waits for the disk only within a transaction', async () => {
  const commits = await testDatabase({ poolSize: 1 });
  await sql`set synchronous_commit = on`.execute(commits.db);
  // Deferred triggers run as the transaction commits.
  await sql`create table flushes (key text, at_commit text)`.execute(commits.db);
  await sql`
    create function note_flush() returns trigger language plpgsql as $$
      begin
        insert into flushes values (new.key, current_setting('synchronous_commit'));
        return null;
      end $$`.execute(commits.db);
  await sql`
    create constraint trigger note_flush after insert or update on rate_limits
      deferrable initially deferred for each row execute function note_flush()`.execute(commits.db);
  const both = async (through: typeof db, key: string) => {
    await countAttempt(through, key, 1, 60, at('00:00'));
    await uncountAttempt(through, key);
  };
  await both(commits.db, 'alone');
  await transact(commits.as({ kind: 'job', name: 'test' }), (tx) => both(tx.db, 'within'));
  const { rows } = await sql`select * from flushes`.execute(commits.db);
  expect(rows).toEqual([
    { key: 'alone', at_commit: 'off' },
    { key: 'alone', at_commit: 'off' },
    { key: 'within', at_commit: 'on' },
    { key: 'within', at_commit: 'on' },
  ]);
});
