import type { Transaction } from 'kysely';
import type { Ctx, TxCtx } from '../context.ts';
import type { Database } from './database.ts';
import { sqlState } from './outage.ts';

/** PostgreSQL's codes for a deadlock and a serialization failure: nothing was stored, so it may be tried again. */
const retryable = new Set(['40P01', '40001']);
const attempts = 4;

/** Runs a command's writes in one transaction, joining the one that is already open, and retries what PostgreSQL broke off. */
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
