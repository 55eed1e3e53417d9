import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

/** What can become of an export; it expires when its archive is deleted. */
const exportStates = ['waiting', 'running', 'ready', 'failed', 'expired'] as const;

export type ExportState = (typeof exportStates)[number];

const exportView = z.object({
  id: z.uuid(),
  state: z.enum(exportStates),
  /** In percent. */
  progress: z.number().int().min(0).max(100),
  requestedAt: z.iso.datetime(),
  /** Until when the archive can be downloaded; null while there is none. */
  expiresAt: z.iso.datetime().nullable(),
  /** The path that gives the archive to its person, who has just confirmed who they are; null while there is none. */
  download: z.string().nullable(),
});

/** An export as its person sees it. */
export type ExportView = z.infer<typeof exportView>;

const signedIn = procedure.meta({ access: 'signed_in' });

export const exportsContract = {
  /** The person's own, newest first. */
  list: signedIn.route({ method: 'GET', path: '/me/exports' }).output(z.array(exportView)),
  get: signedIn
    .meta({ example: ({ id }) => ({ exportId: id }) })
    .route({ method: 'GET', path: '/me/exports/{exportId}' })
    .input(z.object({ exportId: z.uuid() }))
    .output(exportView),
  /** Asks for an archive; while one is on its way, answers that one. */
  request: signedIn
    .meta({ writes: ['export_requested security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/exports' })
    .input(z.strictObject({}))
    .output(exportView),
  /** Asked before a download, which no screen can ask again after it was refused: the person confirms who they are. */
  open: procedure
    .meta({ access: 'signed_in', unlogged: 'asks', example: ({ id }) => ({ exportId: id }) })
    .route({ method: 'POST', path: '/me/exports/{exportId}/open' })
    .input(z.object({ exportId: z.uuid() }))
    .output(exportView),
  /** Deletes an archive before its time. */
  remove: signedIn
    .meta({ writes: ['export_removed security person'], example: ({ id }) => ({ exportId: id }) })
    .route({ method: 'POST', path: '/me/exports/{exportId}/remove' })
    .input(z.object({ exportId: z.uuid() }))
    .output(exportView),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    exports: typeof exportsContract;
  }
}
