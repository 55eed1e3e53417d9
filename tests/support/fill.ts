import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '#/platform/context.ts';

/** Runs statements that fill tables: they may take longer than the product allows. */
export function fillWith(
  db: Kysely<Database>,
  work: (tx: Transaction<Database>) => Promise<unknown>,
): Promise<unknown> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await work(tx);
  });
}
