import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '#/platform/context.ts';
import { DatabaseDown, asOutage } from './outage.ts';
import type { Duplex } from 'node:stream';

/** Server-side limits per connection, in milliseconds. */
export const timeouts = {
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
 * shift it by time zone. `pooled`: through a pooler such as PgBouncer, which shares server connections per transaction
 * and takes neither settings nor named statements.
 */
export function connect(
  url: string,
  poolSize = 10,
  options: Pick<ClientOptions, 'answerWithinMs' | 'pooled'> = {},
): { db: Kysely<Database>; pool: pg.Pool } {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.DATE, (text) => text);
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    Client: NamedClient,
    max: poolSize,
    types,
    connectionTimeoutMillis,
    // Sends statements issued together without waiting for each answer.
    pipeline: true,
    ...(options.pooled ? {} : { options: '-c TimeZone=UTC', ...timeouts }),
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

/** Caps named statements to bound memory per connection; later ones stay unnamed. */
const maxNames = 500;

/** Migrations that add columns change `select *` results, which breaks prepared statements. */
const everyColumn = /(select|returning|\.) ?\*/;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= maxNames || everyColumn.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

interface ClientOptions extends pg.ClientConfig {
  pooled?: boolean;
  answerWithinMs?: number;
}

/**
 * Names parameterized statements, so PostgreSQL parses and plans each once. Distinguishes outages from other errors and
 * drops unresponsive servers.
 */
class NamedClient extends pg.Client {
  readonly #answerWithinMs: number;
  readonly #pooled: boolean;

  constructor(options: ClientOptions = {}) {
    super(options);
    this.#answerWithinMs = options.answerWithinMs ?? 0;
    this.#pooled = options.pooled ?? false;
  }

  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    if (!this.#pooled && typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      return this.#send([{ text, values, name: nameOf(text) }, ...rest]);
    }
    return this.#send(args);
  }

  #send(args: unknown[]): never {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    // One write for all statements of this tick.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const answer: unknown = Reflect.apply(super.query, this, args);
    return (answer instanceof Promise ? this.#watch(answer) : answer) as never;
  }

  async #watch(answer: Promise<unknown>): Promise<unknown> {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    // The driver's own timeout would return the connection to the pool with a response still pending.
    const late = this.#answerWithinMs > 0 ? setTimeout(() => stream.destroy(), this.#answerWithinMs) : null;
    try {
      return await answer;
    } catch (error) {
      throw asOutage(error, stream.destroyed || !stream.writable);
    } finally {
      if (late) clearTimeout(late);
    }
  }
}
