import type { HealthView } from './contract.ts';

/** From which on the database is slow, in milliseconds. */
const slowDatabase = 500;
/** From which on a job waits too long, in seconds: as long as one may run that goes before it. */
export const longWait = 300;
/** How long a mail may wait before it counts as unsent, in minutes. */
export const mailPatience = 10;
/** The least room that there should be, in bytes. */
const leastFree = 1024 ** 3;

/** A part as it was measured. */
type Measured<Part extends 'database' | 'queue' | 'mail' | 'disk' | 'backups' | 'audit' | 'errors'> = Omit<
  HealthView[Part],
  'well'
>;

/** Everything that was measured. */
export interface Measures {
  database: Measured<'database'>;
  queue: Measured<'queue'>;
  mail: Measured<'mail'>;
  disk: Measured<'disk'>;
  backups: Measured<'backups'>;
  audit: Measured<'audit'>;
  errors: Measured<'errors'>;
}

/** What is well of what was measured, and the share of it. */
export function judged(measures: Measures): Omit<HealthView, 'checkedAt'> {
  const { database, queue, mail, disk, backups, audit, errors } = measures;
  const parts = {
    database: { ...database, well: database.milliseconds < slowDatabase },
    queue: { ...queue, well: (queue.oldestSeconds ?? 0) < longWait && queue.failed === 0 },
    mail: { ...mail, well: !mail.sends || (mail.unsent === 0 && mail.undelivered === 0) },
    disk: { ...disk, well: disk.writable && disk.freeBytes >= leastFree },
    backups: { ...backups, well: !backups.overdue && backups.failures === 0 },
    audit: { ...audit, well: !audit.broken },
    errors: { ...errors, well: errors.lastHour === 0 },
  };
  const all = Object.values(parts);
  return { ...parts, percent: Math.round((100 * all.filter(({ well }) => well).length) / all.length) };
}
