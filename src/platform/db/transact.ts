import type { Transaction } from 'kysely';
import type { Ctx, Database, TxCtx } from '../context.ts';
import { sqlState } from './outage.ts';

/** Deadlock and serialization failure: nothing was stored, so retrying is safe. */
const retryable = new Set(['40P01', '40001']);
const attempts = 4;

/** Runs writes in a transaction, joining any open one. Retries deadlocks and serialization failures. */
export async function transact<T>(ctx: Ctx, work: (tx: TxCtx) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work({ ...ctx, db: ctx.db as Transaction<Database> });
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.db.transaction().execute((db) => work({ ...ctx, db }));
    } catch (error) {
      if (attempt >= attempts || !retryable.has(sqlState(error) ?? '')) throw error;
    }
  }
}
