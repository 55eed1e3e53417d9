import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { booked } = stage;
  return {
    'series.check': async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      return { by, input: { appointmentId, startsAt } };
    },
    'series.cancel': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { appointmentId, chosen: [{ appointmentId, sequence: 0 }] }, about: appointmentId };
    },
    'series.reschedule': async () => {
      const { client: by, appointmentId, other: startsAt } = await booked();
      const chosen = [{ appointmentId, sequence: 0 }];
      return { by, input: { appointmentId, startsAt, chosen }, about: appointmentId };
    },
  };
}

export const tells: Told = {
  'booking.changed other self': ['series.cancel', 'series.reschedule'],
};

export const starts: Told = {
  'notifications.series-changed': ['series.cancel', 'series.reschedule'],
  'video.series_changed': ['series.cancel', 'series.reschedule'],
  'waitlist.series_changed': ['series.cancel', 'series.reschedule'],
  'notifications.reminder': ['series.reschedule'],
};
