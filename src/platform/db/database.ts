import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { NamedClient } from './named-client.ts';

/** Every table by name; each feature adds its own in `tables.ts`, and the platform's parts in theirs. */
export interface Database {}

/** How long a statement, a wait for a lock and an idle open transaction may take, in milliseconds. */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 20_000,
};

/** How long a request waits for a connection, in milliseconds: without an end, one that nobody answers hangs for good. */
const connectionTimeoutMillis = 10_000;

/** Opens a pool. Sessions run in UTC; `timestamptz` arrives as Date, `date` stays text (a parsed one shifts by zone). */
export function connect(url: string, poolSize = 10): { db: Kysely<Database>; pool: pg.Pool } {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.DATE, (text) => text);
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    Client: NamedClient,
    max: poolSize,
    types,
    options: '-c TimeZone=UTC',
    connectionTimeoutMillis,
    ...timeouts,
  });
  // A connection that breaks while idle is replaced by the pool; the next query reports what still fails.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction tells nobody but itself, which would end the program.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), pool };
}
