import { z } from 'zod';
import { backupsStatus } from '#/features/backups/contract.ts';

const part = z.object({ well: z.boolean() });
const seconds = z.number().int().nullable();

/** Measured on request; each part passes or fails. */
export const healthView = z.object({
  checkedAt: z.iso.datetime(),
  percent: z.number().int(),
  database: part.extend({ milliseconds: z.number().int() }),
  queue: part.extend({
    /** Age of the oldest overdue job. */
    oldestSeconds: seconds,
    /** Jobs failed for good in the last day. */
    failed: z.number().int(),
  }),
  mail: part.extend({
    /** False without a mail server: emails are stored but not sent. */
    sends: z.boolean(),
    unsent: z.number().int(),
    oldestSeconds: seconds,
    /** An administrator must resend or dismiss them. */
    undelivered: z.number().int(),
    /** Within the last day. */
    lastFailureAt: z.iso.datetime().nullable(),
  }),
  disk: part.extend({
    freeBytes: z.number().int(),
    totalBytes: z.number().int(),
    writable: z.boolean(),
  }),
  backups: part.extend(backupsStatus.shape),
  /** Result of the last daily chain check. */
  audit: part.extend({
    checkedAt: z.iso.datetime().nullable(),
    entries: z.number().int(),
    broken: z.boolean(),
    /** The app's database role can't disable log protections. */
    guarded: z.boolean(),
  }),
  /** Timed work of this process since its start. */
  schedules: part.extend({
    tasks: z.array(
      z.object({
        name: z.string(),
        everySeconds: z.number(),
        /** The latest start; that run may still last. */
        startedAt: z.iso.datetime(),
        /** Null until a run has finished. */
        endedAt: z.iso.datetime().nullable(),
        milliseconds: z.number().int().nullable(),
        /** Whether the last finished run failed. */
        failing: z.boolean(),
        failedAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
  /** Server errors across all processes. */
  errors: part.extend({ lastHour: z.number().int() }),
});

export type HealthView = z.infer<typeof healthView>;
