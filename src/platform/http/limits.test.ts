import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { hit, takeBack } from './limits.ts';

const { db } = await testDatabase();
const at = (time: string) => Temporal.Instant.from(`2026-03-02T12:${time}Z`);

test('a window begins with its first try and admits so many', async () => {
  const tries = [];
  for (const time of ['00:00', '00:30', '00:59', '01:00', '01:01'])
    tries.push(await hit(db, 'a', 2, 60, at(time)));
  expect(tries).toEqual([true, true, false, true, true]);
});

test('keys are counted apart, and a try can be taken back', async () => {
  expect(await hit(db, 'b', 1, 60, at('00:00'))).toBe(true);
  expect(await hit(db, 'c', 1, 60, at('00:00'))).toBe(true);
  await takeBack(db, 'b');
  expect(await hit(db, 'b', 1, 60, at('00:01'))).toBe(true);
  expect(await hit(db, 'c', 1, 60, at('00:01'))).toBe(false);
});

test('tries at the same time are all counted', async () => {
  const tries = await Promise.all(Array.from({ length: 40 }, () => hit(db, 'd', 7, 60, at('00:00'))));
  expect(tries.filter(Boolean)).toHaveLength(7);
});
