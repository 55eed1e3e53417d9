import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { NamedClient, type ClientOptions } from './named-client.ts';
import { DatabaseDown } from './outage.ts';

/** Every table by name; each feature adds its own in `tables.ts`, and the platform's parts in theirs. */
export interface Database {}

/** How long a statement, a wait for a lock and an idle open transaction may take, in milliseconds. */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 20_000,
};

/** How long a request waits for a connection, in milliseconds: without an end, one that nobody answers hangs for good. */
export const connectionTimeoutMillis = 5_000;

/** How long a server that serves people may leave a statement unanswered, in milliseconds: longer than a statement may take. */
export const answerWithinMs = timeouts.statement_timeout + 1_000;

/** Opens a pool. Sessions run in UTC; `timestamptz` arrives as Date, `date` stays text (a parsed one shifts by zone). */
export function connect(
  url: string,
  poolSize = 10,
  options: Pick<ClientOptions, 'answerWithinMs'> = {},
): { db: Kysely<Database>; pool: pg.Pool } {
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
    ...options,
  });
  // A connection that breaks while idle is replaced by the pool; the next query reports what still fails.
  pool.on('error', () => undefined);
  // One that breaks between two statements of a transaction tells nobody but itself, which would end the program.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Whatever keeps a connection from being had (no server, none free, a wrong password), it is an outage.
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      connect: () => pool.connect().catch((error: unknown) => Promise.reject(new DatabaseDown(error))),
      end: () => pool.end(),
    },
  });
  return { db: new Kysely<Database>({ dialect }), pool };
}
