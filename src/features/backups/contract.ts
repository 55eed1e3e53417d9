import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/booking/contract.ts';

/** Where a backup stands. */
const states = ['waiting', 'running', 'done', 'failed'] as const;
export type BackupState = (typeof states)[number];

/** What made it be taken: its hour had come, an administrator asked for it, or `npm run backup`. */
const origins = ['schedule', 'person', 'command'] as const;
export type BackupOrigin = (typeof origins)[number];

/** Why it failed. */
const reasons = [
  'interrupted',
  'stopped',
  'disk_full',
  'folder',
  'database',
  'files',
  'incomplete',
  'unknown',
] as const;
export type BackupReason = (typeof reasons)[number];

/** A backup as administrators see it; its file itself is never given out. */
const backup = z.object({
  id: z.uuid(),
  state: z.enum(states),
  origin: z.enum(origins),
  /** The name of who asked for it, while their account stands. */
  by: z.string().nullable(),
  requestedAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  reason: z.enum(reasons).nullable(),
  rows: z.number().int(),
  files: z.number().int(),
  /** Files whose bytes were missing already. */
  missingFiles: z.number().int(),
  /** What its file takes. */
  bytes: z.number().int(),
  fileName: z.string().nullable(),
  /** It made room for newer ones, or somebody deleted it. */
  removed: z.boolean(),
  /** It is kept until somebody deletes it. */
  kept: z.boolean(),
});
export type BackupView = z.infer<typeof backup>;

const frequency = z.enum(['hourly', 'daily', 'weekly', 'monthly']);

/** How backups stand to what the site's setting asks for. */
export const backupsStanding = z.object({
  frequency,
  /** When the last one that is whole was begun. */
  lastDoneAt: instant.nullable(),
  /** The last one is older than the setting lets it be. */
  overdue: z.boolean(),
  /** How many have failed since, and why the last of them did. */
  failures: z.number().int(),
  reason: z.enum(reasons).nullable(),
});
export type BackupsStanding = z.infer<typeof backupsStanding>;

const overview = z.object({
  /** The newest, and all that are kept until somebody deletes them; the newest first. */
  backups: z.array(backup),
  frequency,
  /** When the next one is taken by itself; null: now. */
  dueAt: instant.nullable(),
  /** When the last one that is whole was begun. */
  lastDoneAt: instant.nullable(),
  /** How many have failed since. */
  failures: z.number().int(),
  /** Where the files lie, on the server. */
  folder: z.string(),
});
export type BackupsOverview = z.infer<typeof overview>;

const administration = procedure.meta({ access: ['manage_settings'] });

export const backupsContract = {
  overview: administration.route({ method: 'GET', path: '/backups' }).output(overview),
  /** Asks for one now; conflict `backup_under_way` where one waits or runs. */
  request: administration
    .meta({ writes: ['backup.requested system_settings backup'], example: () => ({}) })
    .route({ method: 'POST', path: '/backups', successStatus: 201 })
    .input(z.strictObject({}))
    .output(backup),
  /** Deletes one that is kept until somebody does. */
  remove: administration
    .meta({ writes: ['backup.removed system_settings backup'], example: ({ id }) => ({ backupId: id }) })
    .route({ method: 'POST', path: '/backups/{backupId}/remove' })
    .input(z.strictObject({ backupId: z.uuid() }))
    .output(backup),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    backups: typeof backupsContract;
  }
}
