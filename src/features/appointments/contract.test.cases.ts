import { wrongWeek } from '#/features/availability/contract.test.cases.ts';
import type { Cases, Refused, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, provider, newClient, newProvider, freeStarts, booked, session, newest } = stage;
  return {
    'appointments.previewAvailability': async () => ({ by: provider }),
    'appointments.checkSeries': async () => ({ by: client, input: { sessionType: 'online' } }),
    'appointments.book': async () => {
      const by = await newClient();
      const whom = await newProvider();
      const [startsAt] = await freeStarts(by, whom);
      return { by, input: { providerId: whom.id, startsAt }, about: () => newest('bookings') };
    },
    'appointments.bookFor': async () => {
      const by = await newProvider();
      await session(-5, 'completed', by);
      const [startsAt] = await freeStarts(client, by);
      return {
        by,
        input: { clientId: client.id, startsAt, sessionType: 'online' },
        about: () => newest('bookings'),
      };
    },
    'appointments.reschedule': async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      return { by, input: { appointmentId, startsAt }, about: appointmentId };
    },
    'appointments.cancel': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'appointments.confirm': async () => {
      const { provider: by, appointmentId } = await booked({ approvesFirst: true });
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'appointments.decline': async () => {
      const { provider: by, appointmentId } = await booked({ approvesFirst: true });
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'appointments.complete': async () => {
      const appointmentId = await session(-3, 'confirmed');
      return { by: provider, input: { appointmentId }, about: appointmentId };
    },
    'appointments.markNoShow': async () => {
      const appointmentId = await session(-3, 'confirmed');
      return { by: provider, input: { appointmentId }, about: appointmentId };
    },
    'appointments.markEmergency': async () => {
      const { provider: by, appointmentId } = await booked();
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'appointments.setReminder': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId, minutes: 15 }, about: appointmentId };
    },
  };
}

/** Not an offered length. */
const durationMinutes = [37];

export const refused: Refused = {
  'appointments.previewAvailability': {
    ...wrongWeek,
    dates: [[{ date: '2026-05-01', windows: [{ from: '12:00', to: '09:00' }] }]],
  },
  'appointments.book': { durationMinutes },
  'appointments.bookFor': { durationMinutes },
};

export const updates: NamesBy = {
  'booking.changed other self': [
    'appointments.book',
    'appointments.bookFor',
    'appointments.reschedule',
    'appointments.cancel',
    'appointments.confirm',
    'appointments.decline',
    'appointments.complete',
    'appointments.markNoShow',
    'appointments.markEmergency',
    'appointments.setReminder',
  ],
};

export const jobs: NamesBy = {
  'notifications.booked': ['appointments.book', 'appointments.bookFor'],
  'notifications.changed': [
    'appointments.reschedule',
    'appointments.cancel',
    'appointments.confirm',
    'appointments.decline',
    'appointments.complete',
    'appointments.markNoShow',
  ],
  'video.changed': [
    'appointments.reschedule',
    'appointments.cancel',
    'appointments.confirm',
    'appointments.decline',
    'appointments.complete',
    'appointments.markNoShow',
  ],
  'waitlist.changed': [
    'appointments.reschedule',
    'appointments.cancel',
    'appointments.confirm',
    'appointments.decline',
    'appointments.complete',
    'appointments.markNoShow',
  ],
};
