import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { freeStarts, instant, statuses } from '../contract.ts';

/** The longest reason that an administrator can give. */
const longestReason = 500;

export type LongestReason = typeof longestReason;

/** A calendar day by the site's clocks, in years that sessions are held in. */
const date = z.iso.date().regex(/^2\d/);

const person = z.object({ id: z.uuid(), name: z.string(), email: z.string() });

/** An appointment as administrators see it: who, when and what, and nothing that anybody wrote. */
const administeredAppointment = z.object({
  id: z.uuid(),
  status: z.enum(statuses),
  /** Cancelled because nobody answered it until its start. */
  expired: z.boolean(),
  sessionType: z.enum(sessionTypes),
  startsAt: instant,
  endsAt: instant,
  durationMinutes: z.number().int(),
  seriesIndex: z.number().int(),
  seriesCount: z.number().int(),
  service: z.object({ id: serviceIdShape, title: z.string() }),
  client: person,
  provider: person.extend({ timeZone: z.string() }),
  /** Rises with every change; what is done with it names it. */
  sequence: z.number().int(),
  /** What can be done with it now. */
  actions: z.array(z.enum(['reschedule', 'cancel'])),
});

const search = z.object({
  /** Of somebody's name or address, each anywhere in it. */
  words: line.min(2).max(100).optional(),
  appointmentId: z.uuid().optional(),
  clientId: z.uuid().optional(),
  providerId: z.uuid().optional(),
  status: z.enum(statuses).optional(),
  /** The first and the last day of their starts. */
  from: date.optional(),
  to: date.optional(),
  /** `soonest` begins with what isn't over yet, unless a first day is named. */
  order: z.enum(['soonest', 'latest']).default('soonest'),
  lastStart: instant.optional(),
  lastId: z.uuid().optional(),
  limit: z.number().int().min(1).max(100).default(25),
});

const wish = z.object({
  appointmentId: z.uuid(),
  /** As it was seen; conflict `changed_meanwhile` where it has risen. */
  sequence: z.number().int().min(0).max(2_147_483_647),
  /** Both people read it beside their session. */
  reason: lines.min(1).max(longestReason),
});

export type AdministeredAppointment = z.infer<typeof administeredAppointment>;
export type AppointmentSearch = z.infer<typeof search>;
export type AdministrationWish = z.infer<typeof wish>;

const manage = procedure.meta({ access: ['manage_appointments'] });

export const appointmentsContract = {
  /** A page of all appointments, by their start. Posted, since names and addresses don't belong into a URL. */
  find: manage
    .meta({
      writes: ['booking.searched service_management'],
      example: ({ id, appointmentId, clientId, providerId, startsAt, endsAt }) => ({
        words: 'naomi weiss',
        appointmentId,
        clientId,
        providerId,
        status: 'confirmed',
        from: startsAt.slice(0, 10),
        to: endsAt.slice(0, 10),
        order: 'latest',
        lastStart: startsAt,
        lastId: id,
        limit: 10,
      }),
    })
    .route({ method: 'POST', path: '/admin/appointments/search' })
    .input(search)
    .output(
      z.object({
        appointments: z.array(administeredAppointment),
        more: z.boolean(),
        /** The words fit more people than are looked through: they have to say more. */
        manyPeople: z.boolean(),
      }),
    ),
  /** Free starts of its provider for an appointment that is to be moved; at most 62 days. */
  freeStarts: manage
    .meta({
      example: ({ appointmentId, startsAt, endsAt }) => ({
        appointmentId,
        from: startsAt,
        to: endsAt,
        notice: 'waived',
      }),
    })
    .route({ method: 'GET', path: '/admin/appointments/{appointmentId}/free-starts' })
    .input(
      z.object({
        appointmentId: z.uuid(),
        from: instant,
        to: instant,
        notice: z.enum(['kept', 'waived']).default('kept'),
      }),
    )
    .output(freeStarts),
  reschedule: manage
    .meta({
      writes: ['booking.rescheduled service_management appointment'],
      example: ({ appointmentId, startsAt }) => ({
        appointmentId,
        sequence: 0,
        startsAt,
        notice: 'waived',
        reason: 'The specialist is ill.',
      }),
    })
    .route({ method: 'POST', path: '/admin/appointments/{appointmentId}/reschedule' })
    .input(wish.extend({ startsAt: instant, notice: z.enum(['kept', 'waived']).default('kept') }))
    .output(administeredAppointment),
  cancel: manage
    .meta({
      writes: ['booking.cancelled service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, sequence: 0, reason: 'The specialist is ill.' }),
    })
    .route({ method: 'POST', path: '/admin/appointments/{appointmentId}/cancel' })
    .input(wish)
    .output(administeredAppointment),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    appointments: typeof appointmentsContract;
  }
}
