import { sql, type Kysely } from 'kysely';
import type { Database } from './database.ts';

/** The database's time, as this process knows it. */
export interface DatabaseClock {
  now(): Temporal.Instant;
  /** Compares with the database again. */
  adjust(): Promise<void>;
}

/**
 * Opens the clock that every process shares. Some work can't be undone, such as canceling unanswered requests and deleting
 * accounts: the machine's own clock may be days ahead, so it has no say in it.
 */
export async function openClock(
  db: Kysely<Database>,
  monotonic = () => performance.now(),
): Promise<DatabaseClock> {
  /** The database's time when `monotonic` was zero, in milliseconds. */
  let zero: number | null = null;
  const adjust = async () => {
    const asked = monotonic();
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
    const { ms } = rows[0]!;
    // It was read between the question and the answer: only what can't be true is corrected, so that time doesn't jitter.
    const [earliest, latest] = [ms - monotonic(), ms - asked];
    zero = Math.min(Math.max(zero ?? (earliest + latest) / 2, earliest), latest);
  };
  await adjust();
  return { adjust, now: () => Temporal.Instant.fromEpochMilliseconds(Math.round(zero! + monotonic())) };
}
