import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { day } from './days.ts';

export type Frequency = 'weekly' | 'biweekly' | 'other';

/** Returns how often a series’ sessions take place. A session moved by a few days doesn’t change it. */
export function frequencyOf(
  sessions: readonly Pick<AppointmentView, 'startsAt' | 'seriesIndex'>[],
): Frequency {
  const weeks = sessions.slice(1).map(({ startsAt, seriesIndex }, index) => {
    const before = sessions[index]!;
    const apart = Math.round((Date.parse(startsAt) - Date.parse(before.startsAt)) / (7 * day));
    return apart / (seriesIndex - before.seriesIndex);
  });
  if (weeks.every((count) => count === 1)) return 'weekly';
  return weeks.every((count) => count === 2) ? 'biweekly' : 'other';
}
