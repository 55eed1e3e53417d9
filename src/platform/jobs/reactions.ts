import { fromKysely, type PgBoss } from 'pg-boss';
import type { Ctx, Emit } from '../context.ts';
import type { EventMeta, Events } from './events.ts';

/** A handler for one event. It may run again after a crash, so it is idempotent by the event's id. */
export interface Reaction<E extends keyof Events = keyof Events> {
  event: E;
  /** The queue's name, unique and stable: jobs that wait are found by it. */
  name: string;
  handle(ctx: Ctx, payload: Events[E], meta: EventMeta): Promise<void>;
}

/** Types one reaction by its event. */
export function reaction<E extends keyof Events>(definition: Reaction<E>): Reaction {
  return definition as Reaction;
}

/** The stored form of an event in a queue. */
export interface EventJob extends EventMeta {
  payload: Events[keyof Events];
}

/** Makes the function that commands emit events with, from the reactions that the application composes. */
export function emitter(
  boss: Pick<PgBoss, 'send'>,
  reactions: readonly Pick<Reaction, 'event' | 'name'>[],
): Emit {
  const queues = new Map<string, string[]>();
  for (const { event, name } of reactions) queues.set(event, [...(queues.get(event) ?? []), name]);
  return async (tx, event, payload, options = {}) => {
    const id = tx.newId();
    for (const queue of queues.get(event) ?? []) {
      const job: EventJob = { id, requestId: tx.requestId, payload };
      await boss.send(queue, job, {
        db: fromKysely(tx.db),
        ...(options.startAfter ? { startAfter: new Date(options.startAfter.epochMilliseconds) } : {}),
      });
    }
  };
}
