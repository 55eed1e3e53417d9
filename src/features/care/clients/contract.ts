import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { appointmentView, instant } from '#/features/booking/contract.ts';
import { clientRecord } from '../records/contract.ts';

/** In which order clients are listed: by their next session, their last one, or their name. */
const clientOrders = ['next', 'last', 'name'] as const;
export type ClientOrder = (typeof clientOrders)[number];

const person = {
  id: z.uuid(),
  /** As their account has it now. */
  name: z.string(),
  photoUrl: z.string().nullable(),
  /** Their account is deleted: the sessions stay, without what names them. */
  erased: z.boolean(),
};

/** A client in the list of the provider who serves them. */
const listedClient = z.object({
  ...person,
  /** The start of the last session that took place, or should have. */
  lastSession: instant.nullable(),
  /** The start of the next one that holds its time, the one that is under way included. */
  nextSession: instant.nullable(),
});

/** A client as the provider who serves them sees them. */
const clientView = z.object({
  ...person,
  /** As they told with their latest booking; null of a deleted account. */
  contact: z
    .object({ email: z.string().nullable(), phone: z.string().nullable(), timeZone: z.string() })
    .nullable(),
  /** How the provider entered them; null once they have an account of their own. */
  record: clientRecord.nullable(),
  /** The start of their first session with this provider. */
  since: instant,
  sessions: z.object({
    completed: z.number().int(),
    missed: z.number().int(),
    cancelled: z.number().int(),
    toCome: z.number().int(),
  }),
  /** What the client has chosen to share with this provider. */
  shared: z.object({
    profile: z.object({ focusAreas: z.array(z.string()), tradition: z.string() }).nullable(),
    goals: z.boolean(),
    progress: z.boolean(),
  }),
});

export type ListedClient = z.infer<typeof listedClient>;
export type ClientView = z.infer<typeof clientView>;

/** A page of a list. */
export const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(25),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
});

/** A client of the provider who asks; anybody else's answers not_found. */
export const oneClient = z.object({ clientId: z.uuid() });

/** For doctors and pastors, each about their own clients. */
export const provider = procedure.meta({ access: ['view_own_clients'] });

export const clientsContract = {
  /** Everybody who has or had an appointment with the provider who asks. Posted, since names don't belong into a URL. */
  list: provider
    .meta({
      access: ['view_own_clients'],
      unlogged: 'asks',
      example: () => ({ search: 'Naomi', order: 'last', limit: 10, offset: 0 }),
    })
    .route({ method: 'POST', path: '/clients/search' })
    .input(
      z.object({
        /** A part of their name. */
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
  /** The sessions with this client: those to come, the next first, or all others, the latest first. */
  sessions: provider
    .meta({ example: ({ clientId }) => ({ clientId, part: 'past', limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/clients/{clientId}/sessions' })
    .input(page.extend({ ...oneClient.shape, part: z.enum(['to_come', 'past']) }))
    .output(z.object({ sessions: z.array(appointmentView), more: z.boolean() })),
};
