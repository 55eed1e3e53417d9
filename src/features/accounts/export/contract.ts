import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';

/** Exports expire when their archive is deleted. */
const exportStates = ['waiting', 'running', 'ready', 'failed', 'expired'] as const;

export type ExportState = (typeof exportStates)[number];

const exportView = z.object({
  id: uuid,
  state: z.enum(exportStates),
  /** Percent. */
  progress: z.number().int().min(0).max(100),
  requestedAt: z.iso.datetime(),
  /** When the download expires; null without an archive. */
  expiresAt: z.iso.datetime().nullable(),
  /** Usable after reauthentication; null without an archive. */
  download: z.string().nullable(),
});

export type ExportView = z.infer<typeof exportView>;

const signedIn = procedure.meta({ access: 'signed_in' });

export const exportsContract = {
  /** Newest first. */
  list: signedIn.route({ method: 'GET', path: '/me/exports' }).output(z.array(exportView)),
  get: signedIn
    .meta({ example: ({ id }) => ({ exportId: id }) })
    .route({ method: 'GET', path: '/me/exports/{exportId}' })
    .input(z.object({ exportId: uuid }))
    .output(exportView),
  /** Returns the export in progress, if any. */
  request: signedIn
    .meta({ writes: ['export_requested security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/exports' })
    .input(z.strictObject({}))
    .output(exportView),
  /** First, as a download can't prompt for reauthentication. */
  open: procedure
    .meta({ access: 'signed_in', unlogged: 'asks', example: ({ id }) => ({ exportId: id }) })
    .route({ method: 'POST', path: '/me/exports/{exportId}/open' })
    .input(z.object({ exportId: uuid }))
    .output(exportView),
  remove: signedIn
    .meta({ writes: ['export_removed security person'], example: ({ id }) => ({ exportId: id }) })
    .route({ method: 'POST', path: '/me/exports/{exportId}/remove' })
    .input(z.object({ exportId: uuid }))
    .output(exportView),
};
