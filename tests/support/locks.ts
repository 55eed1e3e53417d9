import { sql, type Kysely } from 'kysely';
import { expect } from 'vitest';
import type { Ctx, Database } from '#/platform/context.ts';

/**
 * Counts this database's connections that wait for a lock; other tests share the server. Don't pass a transaction: all
 * its reads see one snapshot.
 */
export async function blockedConnections(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]!.count;
}

/** Suspends the actor while their request waits. */
export async function suspendedMeanwhile(
  { actor, db }: Ctx,
  request: () => Promise<unknown>,
): Promise<unknown> {
  const id = actor.kind === 'person' ? actor.id : '';
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let locked = () => {};
  const ready = new Promise<void>((resolve) => (locked = resolve));
  const suspension = db.transaction().execute(async (tx) => {
    await tx.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', id).execute();
    locked();
    await held;
  });
  await ready;
  const answer = request();
  answer.catch(() => undefined);
  try {
    await expect.poll(() => blockedConnections(db), { timeout: 10_000 }).toBe(1);
  } finally {
    release();
    await suspension;
  }
  return answer;
}
