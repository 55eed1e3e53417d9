import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, booked, client, newAdmin } = stage;
  return {
    'appointments.administration.find': async () => ({
      by: admin,
      input: { lastStart: undefined, lastId: undefined },
      about: null,
    }),
    'appointments.oversight.appointment': async () => {
      const { appointmentId } = await booked();
      return { by: await newAdmin(), input: { appointmentId }, about: appointmentId };
    },
    'appointments.oversight.person': async () => ({
      by: await newAdmin(),
      input: { personId: client.id },
      about: client.id,
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

export const updates: NamesBy = {
  'booking.changed other': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
};

export const jobs: NamesBy = {
  'notifications.changed': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
  'video.changed': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
  'waitlist.changed': ['appointments.administration.reschedule', 'appointments.administration.cancel'],
};
