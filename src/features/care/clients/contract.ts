import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { appointmentView, instant } from '#/features/appointments/appointment/contract.ts';
import { bookForInput, phoneNumber } from '#/features/appointments/booking/contract.ts';

const clientOrders = ['next', 'last', 'name'] as const;
export type ClientOrder = (typeof clientOrders)[number];

const person = {
  id: uuid,
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

/** A provider's client without an account. */
const clientRecord = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Null if never sent to this address. */
  sentAt: instant.nullable(),
  /** The address owner opted out of emails. */
  declined: z.boolean(),
});

export type ClientRecord = z.infer<typeof clientRecord>;

/** What clients can share with a provider. */
export const sharedParts = { profile: z.boolean(), goals: z.boolean(), progress: z.boolean() };

export type SharedPart = keyof typeof sharedParts;

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
export const oneClient = z.object({ clientId: uuid });

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
  /** Upcoming ones soonest first, past ones newest first. */
  sessions: provider
    .meta({ example: ({ clientId }) => ({ clientId, part: 'past', limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/clients/{clientId}/sessions' })
    .input(page.extend({ ...oneClient.shape, part: z.enum(['to_come', 'past']) }))
    .output(z.object({ sessions: z.array(appointmentView), more: z.boolean() })),
};

const entered = {
  name: line.min(1).max(200),
  email: z.email().max(254).optional(),
  phone: phoneNumber.optional(),
};

const bookNewInput = bookForInput
  .omit({ clientId: true, phone: true })
  /** Email or phone is required. */
  .extend({ client: z.object(entered) });

export type BookNewInput = z.infer<typeof bookNewInput>;

const changeInput = oneClient.extend(entered);

export type ChangeRecordInput = z.infer<typeof changeInput>;

/** Records of clients without an account. */
export const recordsContract = {
  /**
   * Books for a new client; idempotent per key. Invites the address, if given, without revealing whether it has an
   * account.
   */
  book: procedure
    .meta({
      access: ['manage_own_appointments'],
      writes: [
        'account_created user_management person',
        'care.client_entered service_management person',
        'booking.booked service_management booking',
      ],
      example: ({ id, serviceId, startsAt }) => ({
        idempotencyKey: id,
        serviceId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'phone',
        recurrence: 'weekly',
        sessions: 2,
        outsideHours: true,
        client: { name: 'Boaz', email: 'boaz@callers.example', phone: '+1 617 555 0100' },
      }),
    })
    .route({ method: 'POST', path: '/bookings/for-new-client', successStatus: 201 })
    .input(bookNewInput)
    .output(z.object({ clientId: uuid, bookingId: uuid, appointments: z.array(appointmentView) })),
  /** Updates a record. A new address invalidates links emailed to the old one. */
  change: provider
    .meta({
      writes: ['care.client_record_changed service_management person'],
      example: ({ clientId }) => ({
        clientId,
        name: 'Boaz Field',
        email: 'boaz@callers.example',
        phone: '+1 617 555 0100',
      }),
    })
    .route({ method: 'POST', path: '/clients/{clientId}/record' })
    .input(changeInput)
    .output(clientRecord),
  invite: provider
    .meta({
      writes: ['care.client_invited service_management person'],
      example: ({ clientId }) => ({ clientId }),
    })
    .route({ method: 'POST', path: '/clients/{clientId}/record/invite' })
    .input(oneClient)
    .output(clientRecord),
};
