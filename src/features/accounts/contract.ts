import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure } from '#/features/access/contract.ts';

/** An IANA zone name as far as its shape goes; whether the runtime knows it is decided by the command. */
export const timeZoneName = z.string().regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/);

/** The signed-in person as their own pages know them. */
const viewer = z.object({
  id: z.uuid(),
  email: z.string(),
  emailVerified: z.boolean(),
  fullName: z.string(),
  role: z.enum(roles),
  timeZone: z.string().nullable(),
  keepDiscreet: z.boolean(),
});

/** The signed-in person. */
export type Viewer = z.infer<typeof viewer>;

export const accountsContract = {
  me: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/me' }).output(viewer.nullable()),
  updatePreferences: procedure
    .meta({ access: 'signed_in' })
    .route({ method: 'POST', path: '/me/preferences' })
    .input(z.object({ timeZone: timeZoneName.optional(), keepDiscreet: z.boolean().optional() }))
    .output(viewer),
};
