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

const sendLater = (db: Kysely<Database>) => {
  void sendSoon(db);
  return Promise.resolve();
};

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

/** Like `notify`, and `transact` returns only once the notice is sent. */
export async function notifyAtOnce(tx: TxCtx, channel: string, payloads: readonly string[]): Promise<void> {
  onCommit(tx, sendSoon);
  await notify(tx, channel, payloads);
}

function openBatch(tx: TxCtx): Batch {
  onCommit(tx, sendLater);
  const [channels, payloads]: [string[], string[]] = [[], []];
  const stored = Promise.resolve().then(() => {
    batches.delete(tx.db);
    return sql`insert into outbox (channel, payload)
      select channel, payload from unnest(${channels}::text[], ${payloads}::text[]) as notices (channel, payload)`.execute(
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
  // With a parameter, so that it's prepared.
  const { rows } = await sql<{ mine: boolean }>`
    with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended(${'outbox'}, 0)) as mine),
      taken as (delete from outbox where (select mine from turn) returning id, channel, payload),
      sent as materialized (
        select pg_notify(channel, payload) from (select * from taken order by id) as ordered
      )
    select mine, (select count(*) from sent) from turn`.execute(db);
  return rows[0]!.mine;
}

interface Line {
  /** Settles when the next batch may begin. */
  free: Promise<void>;
  next: Promise<void> | null;
}

const lines = new WeakMap<Kysely<Database>, Line>();

/** Resolves once everything committed before is sent. One batch at a time. */
function sendSoon(db: Kysely<Database>): Promise<void> {
  const line = lines.get(db) ?? { free: Promise.resolve(), next: null };
  lines.set(db, line);
  line.next ??= line.free.then(() => {
    line.next = null;
    const sent = send(db);
    line.free = sent.then(pause);
    return sent;
  });
  return line.next;
}

async function send(db: Kysely<Database>): Promise<void> {
  try {
    while (!(await sendOutbox(db))) await pause();
  } catch {
    // They stay stored; the schedule sends them.
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs));
}
