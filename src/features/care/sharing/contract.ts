import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { page, sharedParts } from '../clients/contract.ts';

const sharingView = z.object({
  counsellor: z.object({
    id: uuid,
    name: z.string(),
    title: z.string(),
    photoUrl: z.string().nullable(),
  }),
  ...sharedParts,
});

export type SharingView = z.infer<typeof sharingView>;

const setInput = z.object({
  providerId: uuid,
  profile: z.boolean().optional(),
  goals: z.boolean().optional(),
  progress: z.boolean().optional(),
});

export type SetSharingInput = z.infer<typeof setInput>;

/** Covers only the caller's own data. */
export const sharingContract = {
  /** Lists counselors, latest session first. */
  list: procedure
    .meta({ access: 'signed_in', example: () => ({ limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/me/sharing' })
    .input(page)
    .output(z.object({ counsellors: z.array(sharingView), more: z.boolean() })),
  /** Takes effect immediately; omitted parts keep their setting. */
  set: procedure
    .meta({
      access: 'signed_in',
      writes: ['care.sharing_set service_management person'],
      example: ({ providerId }) => ({ providerId, profile: true, goals: true, progress: false }),
    })
    .route({ method: 'POST', path: '/me/sharing/{providerId}' })
    .input(setInput)
    .output(z.object({ providerId: uuid, ...sharedParts })),
};
