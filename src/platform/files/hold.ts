import { sql } from 'kysely';
import type { Ctx } from '../context.ts';

/** The advisory lock under which no bytes are deleted: whoever copies the bytes that a snapshot names holds it. */
export const bytesHold = `hashtextextended('bytes', 0)`;

/**
 * Whether somebody holds all bytes. What was removed before this was asked, no snapshot of a later hold names: ask after
 * having seen what is removed, and before deleting it.
 */
export async function bytesAreHeld({ db }: Pick<Ctx, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) | objid::bigint = ${sql.raw(bytesHold)}) as held`.execute(db);
  return rows[0]!.held;
}
