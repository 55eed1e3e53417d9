import { sql, type Kysely } from 'kysely';
import type { Database } from '../context.ts';
import { compiledOnce } from '../db/compiled-once.ts';

interface RateLimitsTable {
  key: string;
  window_start: Date;
  hits: number;
}

declare module '../context.ts' {
  interface Database {
    rate_limits: RateLimitsTable;
  }
}

/**
 * Counts an attempt and returns true if within `max` for the window, which starts at the first attempt. Counts before
 * the attempt in one atomic statement, which parallel requests and processes can't bypass. Outside a transaction it
 * doesn't wait for the disk: if the database crashes, a second of counts may be lost. Hash user input in keys.
 */
export async function countAttempt(
  db: Kysely<Database>,
  key: string,
  max: number,
  windowSeconds: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const since = new Date(now.subtract({ seconds: windowSeconds }).epochMilliseconds);
  const count = db.isTransaction ? countWithin : countAlone;
  const [counted] = await count(db, { key, at: new Date(now.epochMilliseconds), since });
  return counted!.hits <= max;
}

/** The statement’s commit doesn’t wait for the disk. */
const unflushed = sql`set_config('synchronous_commit', 'off', true)`.as('unflushed');

const countWithin = compiledOnce(counting);
const countAlone = compiledOnce((db, values: Parameters<typeof counting>[1]) =>
  counting(db, values).returning(unflushed),
);

function counting(db: Kysely<Database>, { key, at, since }: { key: string; at: Date; since: Date }) {
  const over = sql<boolean>`rate_limits.window_start <= ${since}`;
  return db
    .insertInto('rate_limits')
    .values({ key, window_start: at, hits: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        hits: sql<number>`case when ${over} then 1 else rate_limits.hits + 1 end`,
        window_start: sql<Date>`case when ${over} then excluded.window_start else rate_limits.window_start end`,
      }),
    )
    .returning('hits');
}

/** Uncounts an attempt, such as a correct password. */
export async function uncountAttempt(db: Kysely<Database>, key: string): Promise<void> {
  const uncount = db.isTransaction ? uncountWithin : uncountAlone;
  await uncount(db, { key });
}

const uncountWithin = compiledOnce(uncounting);
const uncountAlone = compiledOnce((db, values: { key: string }) =>
  uncounting(db, values).returning(unflushed),
);

function uncounting(db: Kysely<Database>, { key }: { key: string }) {
  return db
    .updateTable('rate_limits')
    .set({ hits: sql<number>`greatest(hits - 1, 0)` })
    .where('key', '=', key);
}

export async function resetAttempts(db: Kysely<Database>, key: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', key).execute();
}

/** No limit looks back over a day. */
export async function deleteOldAttempts(db: Kysely<Database>, now: Temporal.Instant): Promise<void> {
  const dayAgo = new Date(now.subtract({ hours: 24 }).epochMilliseconds);
  await db.deleteFrom('rate_limits').where('window_start', '<', dayAgo).execute();
}
