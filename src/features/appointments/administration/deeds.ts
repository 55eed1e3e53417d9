import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin, booked } = stage;
  return {
    'appointments.administration.find': async () => ({
      by: admin,
      input: { lastStart: undefined, lastId: undefined },
      about: null,
    }),
    'appointments.administration.reschedule': async () => {
      const { appointmentId, other: startsAt } = await booked();
      return { by: admin, input: { appointmentId, startsAt }, about: appointmentId };
    },
    'appointments.administration.cancel': async () => {
      const { appointmentId } = await booked();
      return { by: admin, input: { appointmentId }, about: appointmentId };
    },
  };
}

export const tells: Told = {
  'booking.changed other': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
};

export const starts: Told = {
  'notifications.changed': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
  'notifications.reminder': ['appointments.administration.reschedule'],
  'video.changed': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
  'waitlist.changed': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
};
