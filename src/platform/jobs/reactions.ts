import { fromKysely, type PgBoss } from 'pg-boss';
import type { Ctx, Emit, TxCtx } from '../context.ts';
import type { EventMeta, Events } from './events.ts';

/** A handler for one event. It may run again after a crash, so it is idempotent by the event's id. */
export interface Reaction<E extends keyof Events = keyof Events> {
  event: E;
  /** The queue's name, unique and stable: jobs that wait are found by it. */
  name: string;
  /** Works on the jobs that are fetched together at the same time, not one after the other. */
  atOnce?: boolean;
  handle(ctx: Ctx, payload: Events[E], meta: EventMeta): Promise<void>;
}

/** Types one reaction by its event. */
export function reaction<E extends keyof Events>(definition: Reaction<E>): Reaction {
  return definition;
}

/** The stored form of an event in a queue. */
export interface EventJob extends EventMeta {
  payload: Events[keyof Events];
}

/** Jobs for one queue that are sent together, and the sending. */
interface Batch {
  jobs: { data: EventJob; startAfter?: Date }[];
  sent: Promise<unknown>;
}

/**
 * Makes the function that commands emit events with, from the reactions that the application composes. What is emitted
 * in the same breath of a transaction goes into each queue in one statement.
 */
export function emitter(
  boss: Pick<PgBoss, 'insert'>,
  reactions: readonly Pick<Reaction, 'event' | 'name'>[],
): Emit {
  const queues = new Map<string, string[]>();
  for (const { event, name } of reactions) queues.set(event, [...(queues.get(event) ?? []), name]);
  const waiting = new WeakMap<TxCtx['db'], Map<string, Batch>>();

  function batchOf({ db }: TxCtx, queue: string): Batch {
    const batches = waiting.get(db) ?? new Map<string, Batch>();
    waiting.set(db, batches);
    const known = batches.get(queue);
    if (known) return known;
    const jobs: Batch['jobs'] = [];
    const sent = Promise.resolve().then(() => {
      batches.delete(queue);
      return boss.insert(queue, jobs, { db: fromKysely(db) });
    });
    const batch: Batch = { jobs, sent };
    batches.set(queue, batch);
    return batch;
  }

  return async (tx, event, payload, { startAfter } = {}) => {
    const data: EventJob = { id: tx.newId(), requestId: tx.requestId, payload };
    const sent = (queues.get(event) ?? []).map((queue) => {
      const batch = batchOf(tx, queue);
      batch.jobs.push({
        data,
        ...(startAfter ? { startAfter: new Date(startAfter.epochMilliseconds) } : {}),
      });
      return batch.sent;
    });
    await Promise.all(sent);
  };
}
