import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure } from '#/features/access/contract.ts';

const door = z.object({
  /** States of the administrator spec, section 4. */
  state: z.enum(['guest', 'denied', 'waiting', 'open']),
  address: z.string().nullable(),
  role: z.enum(roles).nullable(),
});

export type PortalState = z.infer<typeof door>;

export const administrationContract = {
  /** Returns the viewer's portal access; refusals are logged. */
  door: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/admin/door' }).output(door),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    administration: typeof administrationContract;
  }
}
