import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import { appointmentNotice, type AppointmentNotice } from '#/features/appointments/notice/queries.ts';
import type { CalendarMethod } from '#/features/calendar/event/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { Delivery } from '../channels/delivery.ts';
import { notification, type Cause } from './notification.ts';
import {
  guestsOf,
  partyOf,
  resolveAddress,
  sessionDelivery,
  sessionFile,
  type Party,
  type Sessions,
  type SessionTerms,
} from './session-delivery.ts';
import type { SessionTopic } from './session-letter.ts';

const sessionsPerLetter = 20;

interface Change {
  /** The session that the letter shows, and its calendar file's method. */
  shown: AppointmentNotice;
  method: CalendarMethod;
  /** The session it replaces, removed from calendars. */
  replaced?: AppointmentNotice;
}

export const handoverNotifications = [
  /**
   * Writes to everyone affected when a provider's sessions are canceled or reassigned: clients (canceled and reassigned
   * separately), new provider, previous provider and guests. Updates calendars too.
   */
  notification({
    event: 'booking.settled',
    name: 'notifications.settled',
    async deliveries(tx, { sessions }, { eventId, site }) {
      const settled: { ended: AppointmentNotice; begun: AppointmentNotice | null }[] = [];
      for (const { id, to } of sessions) {
        const begun = to === null ? null : await appointmentNotice(tx, to);
        settled.push({ ended: await appointmentNotice(tx, id), begun });
      }
      const moved = settled.flatMap(({ ended, begun }) =>
        begun && holdsTime(begun.status) ? { shown: begun, method: 'REQUEST' as const, replaced: ended } : [],
      );
      // Replacements canceled since have their own letter.
      const canceled = settled
        .map(({ ended }) => ended)
        .filter((one) => moved.every(({ replaced }) => replaced !== one));
      const cause = { eventId, site };
      const ended = (shown: AppointmentNotice): Change => ({ shown, method: 'CANCEL' });
      return [
        ...(await partyDeliveries(tx, 'specialist_gone', 'client', canceled.map(ended), cause)),
        ...(await partyDeliveries(tx, 'reassigned', 'client', moved, cause)),
        ...(await partyDeliveries(
          tx,
          'assigned',
          'provider',
          moved.map(({ shown, method }) => ({ shown, method })),
          cause,
        )),
        ...(await partyDeliveries(
          tx,
          'handed_over',
          'provider',
          settled.map((one) => ended(one.ended)),
          cause,
        )),
        ...(await guestDeliveries(tx, canceled, cause)),
      ];
    },
  }),
];

/** By person, in letters of at most `sessionsPerLetter`. */
async function partyDeliveries(
  tx: TxCtx,
  topic: SessionTopic,
  party: Party,
  changes: readonly Change[],
  { eventId, site }: Cause,
): Promise<Delivery[]> {
  const people = Map.groupBy(changes, ({ shown }) => shown[party].id);
  const deliveries: Delivery[] = [];
  for (const own of people.values()) {
    for (let from = 0; from < own.length; from += sessionsPerLetter) {
      const [first, ...rest] = own.slice(from, from + sessionsPerLetter);
      const shown: Sessions = [first!.shown, ...rest.map((one) => one.shown)];
      const recipient = await resolveAddress(tx, partyOf(first!.shown, party), topic, site);
      const terms: SessionTerms = {
        site,
        key: `${eventId}:${topic}:${from}`,
        method: first!.method,
        now: tx.now(),
      };
      const replaced = [first!, ...rest].flatMap((one) => one.replaced ?? []);
      const delivery = sessionDelivery(recipient, topic, shown, terms);
      const files = replaced.map((session) => sessionFile(session, recipient, 'CANCEL', terms));
      deliveries.push({ ...delivery, attachments: [...files, ...delivery.attachments] });
    }
  }
  return deliveries;
}

async function guestDeliveries(
  ctx: Ctx,
  canceled: readonly AppointmentNotice[],
  { eventId, site }: Cause,
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const session of canceled) {
    const terms: SessionTerms = { site, key: `${eventId}:${session.id}`, method: 'CANCEL', now: ctx.now() };
    for (const guest of await guestsOf(ctx, session))
      deliveries.push(sessionDelivery(guest, 'cancelled', [session], terms));
  }
  return deliveries;
}
