import { sql, type Kysely } from 'kysely';
import type { Database } from '../context.ts';

interface FailedAnswersTable {
  minute: Date;
  count: number;
}

declare module '../context.ts' {
  interface Database {
    failed_answers: FailedAnswersTable;
  }
}

/** Excludes 503, which is intentional. */
export function isFailure(status: number): boolean {
  return status >= 500 && status !== 503;
}

export async function noteFailure(db: Kysely<Database>, now: Temporal.Instant): Promise<void> {
  const minute = new Date(Math.floor(now.epochMilliseconds / 60_000) * 60_000);
  await db
    .insertInto('failed_answers')
    .values({ minute, count: 1 })
    .onConflict((on) => on.column('minute').doUpdateSet({ count: sql<number>`failed_answers.count + 1` }))
    .execute();
}

export async function failuresSince(db: Kysely<Database>, since: Temporal.Instant): Promise<number> {
  const { count } = await db
    .selectFrom('failed_answers')
    .where('minute', '>=', new Date(since.epochMilliseconds))
    .select(sql<number>`coalesce(sum(count), 0)::int4`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function deleteOldFailures(db: Kysely<Database>, now: Temporal.Instant): Promise<void> {
  const dayAgo = new Date(now.subtract({ hours: 24 }).epochMilliseconds);
  await db.deleteFrom('failed_answers').where('minute', '<', dayAgo).execute();
}
