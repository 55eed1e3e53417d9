import { Transaction, type ConnectionProvider, type Kysely } from 'kysely';
import type { Ctx, Database, TxCtx } from '../context.ts';
import { sqlState } from './outage.ts';

/** Deadlock and serialization failure: nothing was stored, so retrying is safe. */
const retryable = new Set(['40P01', '40001']);
const attempts = 4;

/**
 * Runs writes in a transaction, joining any open one. Statements issued together are one round trip. Retries deadlocks
 * and serialization failures.
 */
export async function transact<T>(ctx: Ctx, work: (tx: TxCtx) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work({ ...ctx, db: ctx.db as Transaction<Database> });
  for (let attempt = 1; ; attempt++) {
    const wanted = new Set<AfterCommit>();
    try {
      const result = await ctx.db.transaction().execute((serial) =>
        pipelined(serial, (db) => {
          afterCommit.set(db, wanted);
          return work({ ...ctx, db });
        }),
      );
      await Promise.all([...wanted].map((one) => one(ctx.db)));
      return result;
    } catch (error) {
      if (attempt >= attempts || !retryable.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/** Never rejects: the transaction is committed. */
type AfterCommit = (db: Kysely<Database>) => Promise<void>;

const afterCommit = new WeakMap<TxCtx['db'], Set<AfterCommit>>();

/** Runs `work` once after commit. Throws outside `transact`. */
export function onCommit(tx: TxCtx, work: AfterCommit): void {
  const wanted = afterCommit.get(tx.db);
  if (!wanted) throw new Error('use transact() for transactions that notify');
  wanted.add(work);
}

/** Sends statements issued together at once. Kysely's own transactions wait for each answer. */
async function pipelined<T>(
  serial: Transaction<Database>,
  work: (db: Transaction<Database>) => Promise<T>,
): Promise<T> {
  const connection = await serial.getExecutor().provideConnection((one) => Promise.resolve(one));
  let failed = false;
  const provider: ConnectionProvider = {
    async provideConnection(consumer) {
      // Behind the rollback, it would commit by itself.
      if (failed) throw new Error('statement after a failed transaction');
      return consumer(connection);
    },
  };
  const executor = serial.getExecutor().withConnectionProvider(provider);
  // Queries use only the executor.
  const unused = {} as never;
  try {
    return await work(new Transaction({ config: unused, driver: unused, dialect: unused, executor }));
  } catch (error) {
    failed = true;
    throw error;
  }
}
