import { fromKysely, type PgBoss } from 'pg-boss';
import type { Ctx, Emit, Events, TxCtx } from '../context.ts';
import { notify } from '../db/outbox.ts';

/** `id` is stable across retries, for idempotency. */
interface EventMeta {
  id: string;
  requestId: string;
}

/** An event handler. Crashes cause reruns, so make it idempotent by event ID. */
export interface Reaction<E extends keyof Events = keyof Events> {
  event: E;
  /** Names the queue: pending jobs refer to it. */
  name: string;
  /** Processes each fetched batch concurrently. */
  atOnce?: boolean;
  /** Whether to queue it at all, asked in the event's transaction; by default, always. */
  isNeeded?(tx: TxCtx, payload: Events[E]): Promise<boolean>;
  handle(ctx: Ctx, payload: Events[E], meta: EventMeta): Promise<void>;
  /** Handles a fetched batch, all or none; if it fails, `handle` gets each. */
  handleAll?(jobs: readonly HandledJob<E>[]): Promise<void>;
}

export interface HandledJob<E extends keyof Events = keyof Events> {
  ctx: Ctx;
  payload: Events[E];
  meta: EventMeta;
}

export function reaction<E extends keyof Events>(definition: Reaction<E>): Reaction {
  return definition;
}

export interface EventJob extends EventMeta {
  payload: Events[keyof Events];
}

/** Its payload names a queue with new jobs. */
export const jobsChannel = 'jobs';

interface Batch {
  jobs: { data: EventJob; startAfter?: Date }[];
  sent: Promise<unknown>;
}

/**
 * Creates `emit` for the application's reactions. Events emitted in the same tick of a transaction share one insert per
 * queue.
 */
export function emitter(
  boss: Pick<PgBoss, 'insert'>,
  reactions: readonly Pick<Reaction, 'event' | 'name' | 'isNeeded'>[],
): Emit {
  const byEvent = Map.groupBy(reactions, ({ event }) => event);
  const waiting = new WeakMap<TxCtx['db'], Map<string, Batch>>();

  function batchOf(tx: TxCtx, queue: string): Batch {
    const { db } = tx;
    const batches = waiting.get(db) ?? new Map<string, Batch>();
    waiting.set(db, batches);
    const known = batches.get(queue);
    if (known) return known;
    const jobs: Batch['jobs'] = [];
    const sent = Promise.resolve().then(() => {
      batches.delete(queue);
      const due = jobs.some(({ startAfter }) => !startAfter);
      return Promise.all([
        boss.insert(queue, jobs, { db: fromKysely(db) }),
        ...(due ? [notify(tx, jobsChannel, [queue])] : []),
      ]);
    });
    const batch: Batch = { jobs, sent };
    batches.set(queue, batch);
    return batch;
  }

  return async (tx, event, payload, { startAfter } = {}) => {
    const data: EventJob = { id: tx.newId(), requestId: tx.requestId, payload };
    const sent = (byEvent.get(event) ?? []).map(async ({ name, isNeeded }) => {
      if (isNeeded && !(await isNeeded(tx, payload))) return;
      const batch = batchOf(tx, name);
      batch.jobs.push({
        data,
        ...(startAfter ? { startAfter: new Date(startAfter.epochMilliseconds) } : {}),
      });
      await batch.sent;
    });
    await Promise.all(sent);
  };
}
