import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { booked } = stage;
  return {
    'appointments.series.check': async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      return { by, input: { appointmentId, startsAt } };
    },
    'appointments.series.cancel': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId, chosen: [{ appointmentId, sequence: 0 }] }, about: appointmentId };
    },
    'appointments.series.reschedule': async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      const chosen = [{ appointmentId, sequence: 0 }];
      return { by, input: { appointmentId, startsAt, chosen }, about: appointmentId };
    },
  };
}

export const updates: NamesBy = {
  'booking.changed other self': ['appointments.series.cancel', 'appointments.series.reschedule'],
};

export const jobs: NamesBy = {
  'notifications.series-changed': ['appointments.series.cancel', 'appointments.series.reschedule'],
  'video.series_changed': ['appointments.series.cancel', 'appointments.series.reschedule'],
  'waitlist.series_changed': ['appointments.series.cancel', 'appointments.series.reschedule'],
};
