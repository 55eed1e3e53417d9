import { erasedAddress } from '#/features/accounts/rules.ts';
import { holdsTime } from '#/features/appointments/appointment/rules.ts';
import {
  appointmentNotice,
  appointmentNotices,
  bookingNotices,
  type AppointmentNotice,
} from '#/features/appointments/notice/queries.ts';
import { claimDueReminder } from '#/features/appointments/reminders/commands.ts';
import { isRecordOf } from '#/features/care/clients/queries.ts';
import type { TxCtx } from '#/platform/context.ts';
import type { Delivery } from '../channels/delivery.ts';
import { wantsReminders } from '../queries.ts';
import { notification } from './notification.ts';
import {
  guestsOf,
  partyOf,
  resolveAddress,
  sessionDelivery,
  type Party,
  type SessionRecipient,
  type Sessions,
  type SessionTerms,
} from './session-delivery.ts';
import type { SessionTopic } from './session-letter.ts';

export const sessionNotifications = [
  notification({
    event: 'booking.booked',
    name: 'notifications.booked',
    together: true,
    async deliveries(tx, { bookingId, by }, { eventId, site }) {
      // Reassigned sessions are covered by `booking.settled`.
      if (by === 'administrator') return [];
      // Sessions canceled since have their own letter.
      const [sessions, isRecord] = await Promise.all([
        bookingNotices(tx, bookingId),
        by === 'provider' && isRecordOf(tx, bookingId),
      ]);
      const [first, ...rest] = sessions.filter(({ status }) => holdsTime(status));
      if (!first) return [];
      const topic = by === 'provider' ? 'booked_for' : 'booked';
      const terms = { site, key: eventId, method: 'REQUEST', now: tx.now() } as const;
      // The invitation tells clients that the provider added with this booking.
      const parties = isRecord ? (['provider'] as const) : bothParties;
      return partyDeliveries(tx, topic, [first, ...rest], terms, parties);
    },
  }),
  notification({
    event: 'booking.changed',
    name: 'notifications.changed',
    together: true,
    async deliveries(tx, { appointmentId, change, by, settled }, { eventId, site }) {
      // Settled sessions have their own event, and outcomes after a session appear in both accounts at once.
      if (settled || change === 'completed' || change === 'no_show') return [];
      const session = await appointmentNotice(tx, appointmentId);
      const isOff = change === 'cancelled' || change === 'declined' || change === 'expired';
      // Late, it would restore a canceled session.
      if (!isOff && !holdsTime(session.status)) return [];
      const terms: SessionTerms = { site, key: eventId, method: isOff ? 'CANCEL' : 'REQUEST', now: tx.now() };
      const isGone = change === 'cancelled' && session.provider.email === erasedAddress(session.provider.id);
      const isForBoth = by === 'administrator' && (change === 'cancelled' || change === 'rescheduled');
      const topic = isGone ? 'specialist_gone' : isForBoth ? (`${change}_for_both` as const) : change;
      // Guests don't learn who canceled or why.
      const guestTopic = isOff ? 'cancelled' : change;
      const guests = await guestsOf(tx, session);
      return [
        ...(await partyDeliveries(tx, topic, [session], terms)),
        ...guests.map((guest) => sessionDelivery(guest, guestTopic, [session], terms)),
      ];
    },
  }),
  notification({
    event: 'booking.series_changed',
    name: 'notifications.series-changed',
    together: true,
    async deliveries(tx, { appointmentIds, change }, { eventId, site }) {
      // Sessions changed again since have their own letter.
      const [first, ...rest] = (await appointmentNotices(tx, appointmentIds)).filter(
        ({ status }) => holdsTime(status) === (change === 'rescheduled'),
      );
      if (!first) return [];
      const method = change === 'cancelled' ? 'CANCEL' : 'REQUEST';
      const terms: SessionTerms = { site, key: eventId, method, now: tx.now() };
      const guests = await guestsWithSessions(tx, [first, ...rest]);
      return [
        ...(await partyDeliveries(tx, change, [first, ...rest], terms)),
        ...guests.map(({ guest, sessions }) => sessionDelivery(guest, change, sessions, terms)),
      ];
    },
  }),
  notification({
    event: 'booking.reminder_due',
    name: 'notifications.reminder',
    together: true,
    async deliveries(tx, { reminderId }, { site }) {
      const reminder = await claimDueReminder(tx, reminderId);
      if (!reminder || !(await wantsReminders(tx, reminder.personId))) return [];
      const session = await appointmentNotice(tx, reminder.appointmentId);
      const everyone = [
        ...bothParties.map((party) => partyOf(session, party)),
        ...(await guestsOf(tx, session)),
      ];
      const recipient = everyone.find(({ id }) => id === reminder.personId);
      // Guests removed since get no reminder.
      if (!recipient) return [];
      const reached = await resolveAddress(tx, recipient, 'reminder', site);
      const terms = { site, key: `reminder:${reminderId}`, now: tx.now() };
      return [sessionDelivery(reached, 'reminder', [session], terms)];
    },
  }),
];

const bothParties = ['client', 'provider'] as const;

async function partyDeliveries(
  tx: TxCtx,
  topic: SessionTopic,
  sessions: Sessions,
  terms: SessionTerms,
  parties: readonly Party[] = bothParties,
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const party of parties) {
    const recipient = await resolveAddress(tx, partyOf(sessions[0], party), topic, terms.site);
    deliveries.push(sessionDelivery(recipient, topic, sessions, terms));
  }
  return deliveries;
}

/** Lists each guest once, with their accepted sessions. */
async function guestsWithSessions(tx: TxCtx, sessions: Sessions) {
  const known = new Map<
    string,
    { guest: SessionRecipient; sessions: [AppointmentNotice, ...AppointmentNotice[]] }
  >();
  for (const session of sessions) {
    for (const guest of await guestsOf(tx, session)) {
      const entry = known.get(guest.id);
      if (entry) entry.sessions.push(session);
      else known.set(guest.id, { guest, sessions: [session] });
    }
  }
  return [...known.values()];
}
