import type { HealthView } from '../contract.ts';

/** Milliseconds. */
const slowDatabase = 500;
/** Seconds that a preceding job may run. */
export const longWait = 300;
/** Minutes. */
export const mailPatience = 10;
/** Bytes. */
const leastFree = 1024 ** 3;

type Measured<Part extends Exclude<keyof HealthView, 'checkedAt' | 'percent'>> = Omit<
  HealthView[Part],
  'well'
>;

export interface Measures {
  database: Measured<'database'>;
  queue: Measured<'queue'>;
  mail: Measured<'mail'>;
  disk: Measured<'disk'>;
  backups: Measured<'backups'>;
  audit: Measured<'audit'>;
  schedules: Measured<'schedules'>;
  errors: Measured<'errors'>;
}

export function judged(measures: Measures): Omit<HealthView, 'checkedAt'> {
  const { database, queue, mail, disk, backups, audit, schedules, errors } = measures;
  const parts = {
    database: { ...database, well: database.milliseconds < slowDatabase },
    queue: { ...queue, well: (queue.oldestSeconds ?? 0) < longWait && queue.failed === 0 },
    mail: { ...mail, well: !mail.sends || (mail.unsent === 0 && mail.undelivered === 0) },
    disk: { ...disk, well: disk.writable && disk.freeBytes >= leastFree },
    backups: { ...backups, well: !backups.overdue && backups.failures === 0 },
    audit: { ...audit, well: !audit.broken },
    schedules: { ...schedules, well: !schedules.tasks.some(({ failing }) => failing) },
    errors: { ...errors, well: errors.lastHour === 0 },
  };
  const all = Object.values(parts);
  return { ...parts, percent: Math.round((100 * all.filter(({ well }) => well).length) / all.length) };
}
