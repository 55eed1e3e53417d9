import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { appointmentView, instant } from '#/features/appointments/view/contract.ts';
import { clientRecord } from '../records/contract.ts';

const clientOrders = ['next', 'last', 'name'] as const;
export type ClientOrder = (typeof clientOrders)[number];

const person = {
  id: z.uuid(),
  /** Current account name. */
  name: z.string(),
  photoUrl: z.string().nullable(),
  /** Account deleted: sessions remain, anonymized. */
  erased: z.boolean(),
};

const listedClient = z.object({
  ...person,
  /** Last past session, including no-shows. */
  lastSession: instant.nullable(),
  /** Includes a session in progress. */
  nextSession: instant.nullable(),
});

const clientView = z.object({
  ...person,
  /** From their latest booking; null for deleted accounts. */
  contact: z
    .object({ email: z.string().nullable(), phone: z.string().nullable(), timeZone: z.string() })
    .nullable(),
  /** Null once the client has an account. */
  record: clientRecord.nullable(),
  /** First session with this provider. */
  since: instant,
  sessions: z.object({
    completed: z.number().int(),
    missed: z.number().int(),
    cancelled: z.number().int(),
    toCome: z.number().int(),
  }),
  shared: z.object({
    profile: z.object({ focusAreas: z.array(z.string()), tradition: z.string() }).nullable(),
    goals: z.boolean(),
    progress: z.boolean(),
  }),
});

export type ListedClient = z.infer<typeof listedClient>;
export type ClientView = z.infer<typeof clientView>;

export const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
});

/** Other providers' clients return `not_found`. */
export const oneClient = z.object({ clientId: z.uuid() });

/** Doctors and pastors, for their own clients. */
export const provider = procedure.meta({ access: ['view_own_clients'] });

export const clientsContract = {
  /** Lists current and past clients. POST keeps names out of URLs. */
  list: provider
    .meta({
      access: ['view_own_clients'],
      unlogged: 'asks',
      example: () => ({ search: 'Naomi', order: 'last', limit: 10, offset: 0 }),
    })
    .route({ method: 'POST', path: '/clients/search' })
    .input(
      z.object({
        search: line.max(200).default(''),
        order: z.enum(clientOrders).default('next'),
        limit: z.number().int().min(1).max(100).default(25),
        offset: z.number().int().min(0).max(100_000).default(0),
      }),
    )
    .output(z.object({ clients: z.array(listedClient), more: z.boolean() })),
  get: provider
    .meta({ writes: ['care.client_viewed security person'], example: ({ clientId }) => ({ clientId }) })
    .route({ method: 'GET', path: '/clients/{clientId}' })
    .input(oneClient)
    .output(clientView),
  /** Lists upcoming sessions soonest first, past ones newest first. */
  sessions: provider
    .meta({ example: ({ clientId }) => ({ clientId, part: 'past', limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/clients/{clientId}/sessions' })
    .input(page.extend({ ...oneClient.shape, part: z.enum(['to_come', 'past']) }))
    .output(z.object({ sessions: z.array(appointmentView), more: z.boolean() })),
};
