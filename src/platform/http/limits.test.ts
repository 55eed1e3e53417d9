import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { forgetOld, hit, takeBack } from './limits.ts';

const { db } = await testDatabase();
const at = (time: string) => Temporal.Instant.from(`2026-03-02T12:${time}Z`);

test('starts a window with the first attempt and limits attempts within it', async () => {
  const tries = [];
  for (const time of ['00:00', '00:30', '00:59', '01:00', '01:01'])
    tries.push(await hit(db, 'a', 2, 60, at(time)));
  expect(tries).toEqual([true, true, false, true, true]);
});

test('counts keys separately, and can undo an attempt', async () => {
  expect(await hit(db, 'b', 1, 60, at('00:00'))).toBe(true);
  expect(await hit(db, 'c', 1, 60, at('00:00'))).toBe(true);
  await takeBack(db, 'b');
  expect(await hit(db, 'b', 1, 60, at('00:01'))).toBe(true);
  expect(await hit(db, 'c', 1, 60, at('00:01'))).toBe(false);
});

test('counts concurrent attempts', async () => {
  const tries = await Promise.all(Array.from({ length: 40 }, () => hit(db, 'd', 7, 60, at('00:00'))));
  expect(tries.filter(Boolean)).toHaveLength(7);
});

test('deletes counts of windows that started over a day ago', async () => {
  await hit(db, 'old', 1, 60, at('00:00').subtract({ hours: 25 }));
  await hit(db, 'running', 1, 60, at('00:00').subtract({ hours: 23 }));
  await forgetOld(db, at('00:00'));
  const keys = await db
    .selectFrom('rate_limits')
    .select('key')
    .where('key', 'in', ['old', 'running'])
    .execute();
  expect(keys).toEqual([{ key: 'running' }]);
});
