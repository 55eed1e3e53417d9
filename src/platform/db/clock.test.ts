import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { openClock } from './clock.ts';

const { db } = await testDatabase();
const day = 86_400_000;

afterEach(() => vi.restoreAllMocks());

/** Difference from the database clock in milliseconds. */
async function offBy(now: () => Temporal.Instant): Promise<number> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  return Math.abs(now().epochMilliseconds - rows[0]!.at.getTime());
}

test('returns the database’s time when the machine’s clock is days ahead', async () => {
  const real = Temporal.Now.instant();
  vi.spyOn(Temporal.Now, 'instant').mockImplementation(() => real.add({ hours: 96 }));
  const { now } = await openClock(db);
  expect(await offBy(now)).toBeLessThan(1_000);
});

test('recovers after sleep or a fast clock, and stays stable while correct', async () => {
  let ahead = 0;
  const clock = await openClock(db, () => performance.now() + ahead);
  for (const wrong of [day, -day]) {
    ahead += wrong;
    expect(await offBy(clock.now)).toBeGreaterThan(day / 2);
    await clock.adjust();
    expect(await offBy(clock.now)).toBeLessThan(1_000);
  }
  let told = 0;
  const still = await openClock(db, () => told);
  const first = still.now();
  told = 60_000;
  expect(still.now().since(first).total('seconds')).toBe(60);
});
