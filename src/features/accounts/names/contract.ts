import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { line, procedure } from '#/features/access/contract.ts';

/** Somebody as administrators know them. */
const namedPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
});

export type NamedPerson = z.infer<typeof namedPerson>;

const administrator = procedure.meta({ access: ['access_admin_panel'] });

/**
 * Who is who, for the administrators' screens of features that know persons by their ids alone. Names travel in bodies,
 * never in an address.
 */
export const namesContract = {
  /** Who has these ids; those whose account is erased are left out. */
  of: administrator
    .meta({
      access: ['access_admin_panel'],
      unlogged: 'asks',
      example: ({ clientId }) => ({ ids: [clientId] }),
    })
    .route({ method: 'POST', path: '/admin/names' })
    .input(z.object({ ids: z.array(z.uuid()).max(1_000) }))
    .output(z.array(namedPerson)),
  /** The first ten whose name or address holds the words, by name. */
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

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    names: typeof namesContract;
  }
}
