import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure } from '#/features/access/contract.ts';

/** What the gate of the administrators' portal tells who stands before it; `address` is masked. */
const door = z.object({
  /** The states of the administrator spec, section 4. */
  state: z.enum(['guest', 'denied', 'waiting', 'open']),
  address: z.string().nullable(),
  role: z.enum(roles).nullable(),
});

export type Door = z.infer<typeof door>;

export const administrationContract = {
  /** Whether the administrators' portal opens for who asks; who is turned away is noted. */
  door: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/admin/door' }).output(door),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    administration: typeof administrationContract;
  }
}
