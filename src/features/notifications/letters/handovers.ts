import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import { appointmentNotice, type AppointmentNotice } from '#/features/appointments/notice/queries.ts';
import type { CalendarMethod } from '#/features/calendar/event/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Delivery } from '../channels/delivery.ts';
import { notification, type Cause } from './notification.ts';
import {
  guestsOf,
  partyOf,
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
      const canceled = settled.filter(({ begun }) => begun === null).map(({ ended }) => ended);
      // Reassigned sessions canceled since have their own letter.
      const moved = settled.flatMap(({ ended, begun }) =>
        begun && holdsTime(begun.status) ? { shown: begun, method: 'REQUEST' as const, replaced: ended } : [],
      );
      const cause = { eventId, site };
      const ended = (shown: AppointmentNotice): Change => ({ shown, method: 'CANCEL' });
      return [
        ...partyDeliveries(tx, 'specialist_gone', 'client', canceled.map(ended), cause),
        ...partyDeliveries(tx, 'reassigned', 'client', moved, cause),
        ...partyDeliveries(
          tx,
          'assigned',
          'provider',
          moved.map(({ shown, method }) => ({ shown, method })),
          cause,
        ),
        ...partyDeliveries(
          tx,
          'handed_over',
          'provider',
          settled.map((one) => ended(one.ended)),
          cause,
        ),
        ...(await guestDeliveries(tx, canceled, cause)),
      ];
    },
  }),
];

/** By person, in letters of at most `sessionsPerLetter`. */
function partyDeliveries(
  ctx: Ctx,
  topic: SessionTopic,
  party: Party,
  changes: readonly Change[],
  { eventId, site }: Cause,
): Delivery[] {
  const people = Map.groupBy(changes, ({ shown }) => shown[party].id);
  return [...people.values()].flatMap((own) => {
    const deliveries: Delivery[] = [];
    for (let from = 0; from < own.length; from += sessionsPerLetter) {
      const [first, ...rest] = own.slice(from, from + sessionsPerLetter);
      const shown: Sessions = [first!.shown, ...rest.map((one) => one.shown)];
      const recipient = partyOf(first!.shown, party);
      const terms: SessionTerms = {
        site,
        key: `${eventId}:${topic}:${from}`,
        method: first!.method,
        now: ctx.now(),
      };
      const replaced = [first!, ...rest].flatMap((one) => one.replaced ?? []);
      const delivery = sessionDelivery(recipient, topic, shown, terms);
      const files = replaced.map((session) => sessionFile(session, recipient, 'CANCEL', terms));
      deliveries.push({ ...delivery, attachments: [...files, ...delivery.attachments] });
    }
    return deliveries;
  });
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
