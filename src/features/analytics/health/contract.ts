import { z } from 'zod';
import { backupsStanding } from '#/features/backups/contract.ts';

const part = z.object({ well: z.boolean() });
const seconds = z.number().int().nullable();

/** How the running product is, measured when it is asked; each part is well or not. */
export const healthView = z.object({
  checkedAt: z.iso.datetime(),
  /** The share of the parts that are well. */
  percent: z.number().int(),
  /** How long it took to answer. */
  database: part.extend({ milliseconds: z.number().int() }),
  queue: part.extend({
    /** For how long the oldest job is due that nobody has taken up; null: none is. */
    oldestSeconds: seconds,
    /** Jobs that were given up in the last day. */
    failed: z.number().int(),
  }),
  mail: part.extend({
    /** Whether there is a mail server; without one mails stay in the tray. */
    sends: z.boolean(),
    /** Mails that should have been sent by now, and for how long the oldest waits. */
    unsent: z.number().int(),
    oldestSeconds: seconds,
    /** Mails that couldn't be delivered and wait for an administrator to send them again or dismiss them. */
    undelivered: z.number().int(),
    /** When one last couldn't be sent, within a day. */
    lastFailureAt: z.iso.datetime().nullable(),
  }),
  /** Where this process keeps its data. */
  disk: part.extend({
    freeBytes: z.number().int(),
    totalBytes: z.number().int(),
    /** Whether files can be stored. */
    writable: z.boolean(),
  }),
  backups: part.extend(backupsStanding.shape),
  /** The chain over the audit log, as the last daily walk over all of it found it; null before the first. */
  audit: part.extend({
    checkedAt: z.iso.datetime().nullable(),
    entries: z.number().int(),
    broken: z.boolean(),
    /** Whether the program's own account can't switch off what guards the log. */
    guarded: z.boolean(),
  }),
  /** Answers of all processes that failed on the server's side in the last hour. */
  errors: part.extend({ lastHour: z.number().int() }),
});

export type HealthView = z.infer<typeof healthView>;
