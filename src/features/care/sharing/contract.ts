import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { page } from '../clients/contract.ts';

/** What a client can share with a counsellor, each by itself. */
const shared = { profile: z.boolean(), goals: z.boolean(), progress: z.boolean() };

export type SharedPart = keyof typeof shared;

/** Somebody whom a client has or had sessions with, and what they let them see. */
const sharingView = z.object({
  counsellor: z.object({
    id: z.uuid(),
    name: z.string(),
    title: z.string(),
    photoUrl: z.string().nullable(),
  }),
  ...shared,
});

export type SharingView = z.infer<typeof sharingView>;

const setInput = z.object({
  providerId: z.uuid(),
  profile: z.boolean().optional(),
  goals: z.boolean().optional(),
  progress: z.boolean().optional(),
});

export type SetSharingInput = z.infer<typeof setInput>;

/** Every procedure is about what is the asker's own to share. */
export const sharingContract = {
  /** Everybody whom the person has or had sessions with, the latest first. */
  list: procedure
    .meta({ access: 'signed_in', example: () => ({ limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/me/sharing' })
    .input(page)
    .output(z.object({ counsellors: z.array(sharingView), more: z.boolean() })),
  /** Takes effect at once; what isn't named stays as it is. */
  set: procedure
    .meta({
      access: 'signed_in',
      writes: ['care.sharing_set service_management person'],
      example: ({ providerId }) => ({ providerId, profile: true, goals: true, progress: false }),
    })
    .route({ method: 'POST', path: '/me/sharing/{providerId}' })
    .input(setInput)
    .output(z.object({ providerId: z.uuid(), ...shared })),
};
