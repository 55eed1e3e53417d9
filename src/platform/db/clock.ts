import { sql, type Kysely } from 'kysely';
import type { Database } from '../context.ts';

/** Local estimate of the database server's time. */
export interface DatabaseClock {
  now(): Temporal.Instant;
  /** Resynchronizes with the database. */
  adjust(): Promise<void>;
}

/**
 * Opens a clock shared by all processes. Irreversible work, such as deleting accounts or canceling unanswered requests,
 * must not depend on a local clock that may be days off.
 */
export async function openClock(
  db: Kysely<Database>,
  monotonic = () => performance.now(),
): Promise<DatabaseClock> {
  /** Database time at `monotonic` zero, in milliseconds. */
  let zero: number | null = null;
  const adjust = async () => {
    const asked = monotonic();
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
    const { ms } = rows[0]!;
    // The reading happened between request and response. Clamping to that window, rather than resetting, avoids jitter.
    const [earliest, latest] = [ms - monotonic(), ms - asked];
    zero = Math.min(Math.max(zero ?? (earliest + latest) / 2, earliest), latest);
  };
  await adjust();
  return { adjust, now: () => Temporal.Instant.fromEpochMilliseconds(Math.round(zero! + monotonic())) };
}
