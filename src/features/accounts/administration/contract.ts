import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure } from '#/features/access/contract.ts';

const portalState = z.object({
  /** States of the administrator spec, section 4. */
  state: z.enum(['guest', 'denied', 'waiting', 'open']),
  address: z.string().nullable(),
  role: z.enum(roles).nullable(),
});

export type PortalState = z.infer<typeof portalState>;

export const administrationContract = {
  /** Returns the viewer's portal access; refusals are logged. */
  portal: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/admin/portal' })
    .output(portalState),
};
