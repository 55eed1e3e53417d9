import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin, booked } = stage;
  return {
    'appointments.find': async () => ({
      by: admin,
      input: { lastStart: undefined, lastId: undefined },
      about: null,
    }),
    'appointments.reschedule': async () => {
      const { appointmentId, other: startsAt } = await booked();
      return { by: admin, input: { appointmentId, startsAt }, about: appointmentId };
    },
    'appointments.cancel': async () => {
      const { appointmentId } = await booked();
      return { by: admin, input: { appointmentId }, about: appointmentId };
    },
  };
}

export const tells: Told = {
  'booking.changed other': ['appointments.reschedule', 'appointments.cancel'],
};

export const starts: Told = {
  'notifications.changed': ['appointments.reschedule', 'appointments.cancel'],
  'notifications.reminder': ['appointments.reschedule'],
  'video.changed': ['appointments.reschedule', 'appointments.cancel'],
  'waitlist.changed': ['appointments.reschedule', 'appointments.cancel'],
};
