import type { Events, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
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
  deliveries(tx: TxCtx, payload: Events[E], cause: Cause): Promise<readonly Delivery[]>;
}

export function notification<E extends keyof Events>(row: Notification<E>): Notification {
  return row;
}

/** Queues the deliveries in the transaction that determines them. `appUrl` has no trailing slash. */
export function reactionTo({ event, name, sentWhenOff, deliveries }: Notification, appUrl: string): Reaction {
  return reaction({
    event,
    name,
    handle: (ctx, payload, { id: eventId }) =>
      transact(ctx, async (tx) => {
        const { site, isOn } = await mailSettings(tx, appUrl);
        if (!isOn && sentWhenOff === undefined) return;
        await deliver(tx, await deliveries(tx, payload, { eventId, site }), site);
      }),
  });
}

/** Queues one at a time, since IDs made in the same millisecond have no order. */
export async function deliver(tx: TxCtx, deliveries: readonly Delivery[], site: MailSite): Promise<void> {
  for (const delivery of deliveries) {
    for (const channel of channels) await channel.queue(tx, [delivery], site);
  }
}
