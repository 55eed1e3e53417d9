import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
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
