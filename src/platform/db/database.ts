import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../context.ts';
import { NamedClient, type ClientOptions } from './named-client.ts';
import { DatabaseDown } from './outage.ts';

/** Server-side limits per connection, in milliseconds. */
const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 20_000,
};

/** Limits the wait for a connection, in milliseconds; otherwise an unresponsive server hangs requests forever. */
export const connectionTimeoutMillis = 5_000;

/** Client-side statement timeout for web servers, in milliseconds; exceeds the server-side `statement_timeout`. */
export const answerWithinMs = timeouts.statement_timeout + 1_000;

/**
 * Opens a connection pool. Sessions run in UTC; `timestamptz` becomes a Date, `date` stays text because parsing would
 * shift it by time zone.
 */
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
  // The pool replaces broken idle connections; persistent failures surface in the next query.
  pool.on('error', () => undefined);
  // Without a listener, a connection broken between statements would crash the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Failing to connect counts as an outage: no server, an exhausted pool, a wrong password.
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      connect: () => pool.connect().catch((error: unknown) => Promise.reject(new DatabaseDown(error))),
      end: () => pool.end(),
    },
  });
  return { db: new Kysely<Database>({ dialect }), pool };
}
