import type { Events, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { reaction, type HandledJob, type Reaction } from '#/platform/jobs/reactions.ts';
import type { Channel, Delivery } from '../channels/delivery.ts';
import { email } from '../channels/email.ts';
import type { MailSite } from '../rules.ts';
import { mailSettings } from '../queries.ts';

/** Every way to reach a recipient. */
export const channels: readonly Channel[] = [email];

/** The event's ID deduplicates retries. */
export interface Cause {
  eventId: string;
  site: MailSite;
}

/** A row of the table: who gets which letter after an event. */
export interface Notification<E extends keyof Events = keyof Events> {
  event: E;
  /** Names the queue: pending jobs refer to it. */
  name: string;
  /** Why it's sent even if the site's notifications are off; without it, it isn't. */
  sentWhenOff?: string;
  /** Fetched jobs share a transaction. Their statements interleave, so none may depend on another's. */
  together?: boolean;
  deliveries(tx: TxCtx, payload: Events[E], cause: Cause): Promise<readonly Delivery[]>;
}

export function notification<E extends keyof Events>(row: Notification<E>): Notification {
  return row;
}

/** Queues the deliveries in the transaction that determines them. `appUrl` has no trailing slash. */
export function reactionTo(
  { event, name, sentWhenOff, together = false, deliveries }: Notification,
  appUrl: string,
): Reaction {
  const handleAll = (jobs: readonly HandledJob[]) =>
    transact(jobs[0]!.ctx, async (shared) => {
      const { site, isOn } = await mailSettings(shared, appUrl);
      if (!isOn && sentWhenOff === undefined) return;
      const { db } = shared;
      // Their statements share round trips.
      const letters = await Promise.all(
        jobs.map(async ({ ctx, payload, meta }) => {
          const tx = { ...ctx, db };
          return { tx, found: await deliveries(tx, payload, { eventId: meta.id, site }) };
        }),
      );
      await Promise.all(letters.map(({ tx, found }) => deliver(tx, found, site)));
    });
  return reaction({
    event,
    name,
    handle: (ctx, payload, meta) => handleAll([{ ctx, payload, meta }]),
    ...(together ? { handleAll } : {}),
  });
}

/** Queues in this order. */
export async function deliver(tx: TxCtx, deliveries: readonly Delivery[], site: MailSite): Promise<void> {
  for (const channel of channels) await channel.queue(tx, deliveries, site);
}
