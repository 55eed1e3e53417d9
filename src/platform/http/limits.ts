import { sql, type Kysely } from 'kysely';
import type { Database } from '../db/database.ts';

/** How often something was tried in the window that began at `window_start`. */
interface RateLimitsTable {
  key: string;
  window_start: Date;
  hits: number;
}

declare module '../db/database.ts' {
  interface Database {
    rate_limits: RateLimitsTable;
  }
}

/**
 * Counts one try under a key and says whether it is within `max` of the window, which starts with its first try.
 * Counted before the try, in one statement, so that neither parallel tries nor several processes slip through.
 * A key holds no private text: hash what a person typed.
 */
export async function hit(
  db: Kysely<Database>,
  key: string,
  max: number,
  windowSeconds: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const at = new Date(now.epochMilliseconds);
  const over = sql<boolean>`rate_limits.window_start <= ${new Date(now.subtract({ seconds: windowSeconds }).epochMilliseconds)}`;
  const { hits } = await db
    .insertInto('rate_limits')
    .values({ key, window_start: at, hits: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql<number>`case when ${over} then 1 else rate_limits.hits + 1 end`,
        window_start: sql<Date>`case when ${over} then excluded.window_start else rate_limits.window_start end`,
      }),
    )
    .returning('hits')
    .executeTakeFirstOrThrow();
  return hits <= max;
}

/** Takes one try back that turned out not to count, such as a right password. */
export async function takeBack(db: Kysely<Database>, key: string): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set({ hits: sql<number>`greatest(hits - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** Takes every try of a key back. */
export async function forget(db: Kysely<Database>, key: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', key).execute();
}

/** Deletes the counts of windows that are over; no limit looks back further than a day. */
export async function forgetOld(db: Kysely<Database>, now: Temporal.Instant): Promise<void> {
  const dayAgo = new Date(now.subtract({ hours: 24 }).epochMilliseconds);
  await db.deleteFrom('rate_limits').where('window_start', '<', dayAgo).execute();
}
