import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';

const states = ['waiting', 'running', 'done', 'failed'] as const;
export type BackupState = (typeof states)[number];

const origins = ['schedule', 'person', 'command'] as const;
export type BackupOrigin = (typeof origins)[number];

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

/** Never includes the file itself. */
const backup = z.object({
  id: uuid,
  state: z.enum(states),
  origin: z.enum(origins),
  /** Requester's name; null once their account is deleted. */
  by: z.string().nullable(),
  requestedAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  reason: z.enum(reasons).nullable(),
  rows: z.number().int(),
  files: z.number().int(),
  /** Files whose content was already missing. */
  missingFiles: z.number().int(),
  bytes: z.number().int(),
  fileName: z.string().nullable(),
  /** Deleted by retention or by an administrator. */
  removed: z.boolean(),
  /** Exempt from automatic deletion. */
  kept: z.boolean(),
});
export type BackupView = z.infer<typeof backup>;

const frequency = z.enum(['hourly', 'daily', 'weekly', 'monthly']);

export const backupsStatus = z.object({
  frequency,
  /** Start of the last complete backup. */
  lastDoneAt: instant.nullable(),
  overdue: z.boolean(),
  /** Since the last complete backup. */
  failures: z.number().int(),
  reason: z.enum(reasons).nullable(),
});
export type BackupsStatus = z.infer<typeof backupsStatus>;

const overview = z.object({
  /** Latest backups plus all manual ones, newest first. */
  backups: z.array(backup),
  frequency,
  /** Next scheduled backup; null means now. */
  dueAt: instant.nullable(),
  lastDoneAt: instant.nullable(),
  failures: z.number().int(),
  folder: z.string(),
});
export type BackupsOverview = z.infer<typeof overview>;

const administration = procedure.meta({ access: ['manage_settings'] });

export const backupsContract = {
  overview: administration.route({ method: 'GET', path: '/backups' }).output(overview),
  /** Throws `conflict` (`backup_under_way`) if one is waiting or running. */
  request: administration
    .meta({ writes: ['backup.requested system_settings backup'], example: () => ({}) })
    .route({ method: 'POST', path: '/backups', successStatus: 201 })
    .input(z.strictObject({}))
    .output(backup),
  remove: administration
    .meta({ writes: ['backup.removed system_settings backup'], example: ({ id }) => ({ backupId: id }) })
    .route({ method: 'POST', path: '/backups/{backupId}/remove' })
    .input(z.strictObject({ backupId: uuid }))
    .output(backup),
};
