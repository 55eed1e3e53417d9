import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { line, procedure, uuid } from '#/features/access/contract.ts';

const namedPerson = z.object({
  id: uuid,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
});

export type NamedPerson = z.infer<typeof namedPerson>;

const administrator = procedure.meta({ access: ['access_admin_panel'] });

/** Names travel in request bodies, never in URLs. */
export const namesContract = {
  /** Omits erased accounts. */
  of: administrator
    .meta({
      access: ['access_admin_panel'],
      unlogged: 'asks',
      example: ({ clientId }) => ({ ids: [clientId] }),
    })
    .route({ method: 'POST', path: '/admin/names' })
    .input(z.object({ ids: z.array(uuid).max(1_000) }))
    .output(z.array(namedPerson)),
  find: administrator
    .meta({
      writes: ['users_listed user_management'],
      example: () => ({ search: 'naomi', role: 'provider' }),
    })
    .route({ method: 'POST', path: '/admin/names/find' })
    .input(
      z.object({
        search: line.min(2).max(200),
        role: z.enum(['provider']).optional(),
      }),
    )
    .output(z.array(namedPerson)),
};
