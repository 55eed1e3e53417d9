import { sql, type Generated, type Kysely } from 'kysely';
import type { Database, TxCtx } from '../context.ts';
import { onCommit } from './transact.ts';

declare module '../context.ts' {
  interface Database {
    outbox: OutboxTable;
  }
}

interface OutboxTable {
  id: Generated<number>;
  channel: string;
  payload: string;
}

interface Batch {
  channels: string[];
  payloads: string[];
  stored: Promise<unknown>;
}

const batches = new WeakMap<TxCtx['db'], Batch>();

/**
 * Notifies a channel's listeners in every process, soon after the commit. Transactions that notify by themselves commit
 * one at a time. Notices of the same tick share one statement.
 */
export async function notify(tx: TxCtx, channel: string, payloads: readonly string[]): Promise<void> {
  const batch = batches.get(tx.db) ?? openBatch(tx);
  for (const payload of payloads) {
    batch.channels.push(channel);
    batch.payloads.push(payload);
  }
  await batch.stored;
}

function openBatch(tx: TxCtx): Batch {
  onCommit(tx, sendSoon);
  const [channels, payloads]: [string[], string[]] = [[], []];
  const stored = Promise.resolve().then(() => {
    batches.delete(tx.db);
    return sql`insert into outbox (channel, payload) select * from unnest(${channels}::text[], ${payloads}::text[])`.execute(
      tx.db,
    );
  });
  const batch = { channels, payloads, stored };
  batches.set(tx.db, batch);
  return batch;
}

/** Between batches: each one wakes every process. */
const pauseMs = 20;

/**
 * Sends all committed notices, in order, including those of processes that ended before they could. False while another
 * process is sending, which may have begun before the latest commit.
 */
export async function sendOutbox(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended('outbox', 0)) as mine),
      taken as (delete from outbox where (select mine from turn) returning id, channel, payload),
      sent as materialized (
        select pg_notify(channel, payload) from (select * from taken order by id) as ordered
      )
    select mine, (select count(*) from sent) from turn`.execute(db);
  return rows[0]!.mine;
}

/** True if another batch waits. */
const sending = new WeakMap<Kysely<Database>, boolean>();

/** One batch at a time. */
function sendSoon(db: Kysely<Database>): void {
  const idle = !sending.has(db);
  sending.set(db, true);
  if (idle) void sendAll(db);
}

async function sendAll(db: Kysely<Database>): Promise<void> {
  try {
    while (sending.get(db)) {
      sending.set(db, false);
      if (!(await sendOutbox(db))) sending.set(db, true);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } catch {
    // They stay stored; the schedule sends them.
  } finally {
    sending.delete(db);
  }
}
