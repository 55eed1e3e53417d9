import { wrongWeek } from '#/features/availability/deeds.ts';
import type { Deeds, Refused, Told } from '../../../tests/support/deeds.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { client, provider, newClient, newProvider, freeStarts, booked, session, newest } = stage;
  return {
    'booking.previewAvailability': async () => ({ by: provider }),
    'booking.checkSeries': async () => ({ by: client, input: { sessionType: 'online' } }),
    'booking.book': async () => {
      const by = await newClient();
      const whom = await newProvider();
      const [startsAt] = await freeStarts(by, whom);
      return { by, input: { providerId: whom.id, startsAt }, about: () => newest('bookings') };
    },
    'booking.bookFor': async () => {
      const by = await newProvider();
      await session(-5, 'completed', by);
      const [startsAt] = await freeStarts(client, by);
      return {
        by,
        input: { clientId: client.id, startsAt, sessionType: 'online' },
        about: () => newest('bookings'),
      };
    },
    'booking.reschedule': async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      return { by, input: { appointmentId, startsAt }, about: appointmentId };
    },
    'booking.cancel': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'booking.confirm': async () => {
      const { provider: by, appointmentId } = await booked({ approvesFirst: true });
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'booking.decline': async () => {
      const { provider: by, appointmentId } = await booked({ approvesFirst: true });
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'booking.complete': async () => {
      const appointmentId = await session(-3, 'confirmed');
      return { by: provider, input: { appointmentId }, about: appointmentId };
    },
    'booking.markNoShow': async () => {
      const appointmentId = await session(-3, 'confirmed');
      return { by: provider, input: { appointmentId }, about: appointmentId };
    },
    'booking.markEmergency': async () => {
      const { provider: by, appointmentId } = await booked();
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'booking.setReminder': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId, minutes: 15 }, about: appointmentId };
    },
  };
}

/** Not an offered length. */
const durationMinutes = [37];

export const refused: Refused = {
  'booking.previewAvailability': {
    ...wrongWeek,
    dates: [[{ date: '2026-05-01', windows: [{ from: '12:00', to: '09:00' }] }]],
  },
  'booking.requests.ask': { durationMinutes },
  'booking.book': { durationMinutes },
  'booking.bookFor': { durationMinutes },
};

export const tells: Told = {
  'booking.changed other self': [
    'booking.book',
    'booking.bookFor',
    'booking.reschedule',
    'booking.cancel',
    'booking.confirm',
    'booking.decline',
    'booking.complete',
    'booking.markNoShow',
    'booking.markEmergency',
    'booking.setReminder',
  ],
};

export const starts: Told = {
  'notifications.booked': ['booking.book', 'booking.bookFor'],
  'notifications.reminder': ['booking.book', 'booking.bookFor', 'booking.reschedule', 'booking.setReminder'],
  'waitlist.booked': ['booking.book', 'booking.bookFor'],
  'notifications.changed': [
    'booking.reschedule',
    'booking.cancel',
    'booking.confirm',
    'booking.decline',
    'booking.complete',
    'booking.markNoShow',
  ],
  'video.changed': [
    'booking.reschedule',
    'booking.cancel',
    'booking.confirm',
    'booking.decline',
    'booking.complete',
    'booking.markNoShow',
  ],
  'waitlist.changed': [
    'booking.reschedule',
    'booking.cancel',
    'booking.confirm',
    'booking.decline',
    'booking.complete',
    'booking.markNoShow',
  ],
};
