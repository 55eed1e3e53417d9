import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { freeStarts, instant, statuses } from '../appointment/contract.ts';

/** Site's time zone; years 2000–2999. */
const date = z.iso.date().regex(/^2\d/);

const person = z.object({ id: uuid, name: z.string(), email: z.string() });

/** Excludes everything the parties wrote, for privacy. */
export const administeredAppointment = z.object({
  id: uuid,
  status: z.enum(statuses),
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
  /** Version for optimistic locking; incremented on every change. */
  sequence: z.number().int(),
  actions: z.array(z.enum(['reschedule', 'cancel'])),
});

const search = z.object({
  /** Matched anywhere in names and emails. */
  words: line.min(2).max(100).optional(),
  appointmentId: uuid.optional(),
  /** Client or provider. */
  personId: uuid.optional(),
  status: z.enum(statuses).optional(),
  /** Only pending and confirmed sessions of providers who are suspended or no longer approved. */
  suspended: z.literal(true).optional(),
  from: date.optional(),
  to: date.optional(),
  /** `soonest` skips past sessions unless `from` is set. */
  order: z.enum(['soonest', 'latest']).default('soonest'),
  lastStart: instant.optional(),
  lastId: uuid.optional(),
  limit: z.number().int().min(1).max(100).default(25),
});

const administrationInput = z.object({
  appointmentId: uuid,
  /** Expected version; throws `conflict` (`changed_meanwhile`) if outdated. */
  sequence: z.number().int().min(0).max(2_147_483_647),
  /** Shown to both parties. */
  reason: lines.min(1).max(500),
});

export type AdministeredAppointment = z.infer<typeof administeredAppointment>;
export type AppointmentSearch = z.infer<typeof search>;
export type AdministrationInput = z.infer<typeof administrationInput>;

const manage = procedure.meta({ access: ['manage_appointments'] });

export const administrationContract = {
  /** Lists appointments by start. Uses POST to keep names and emails out of URLs. */
  find: manage
    .meta({
      scope: 'bookings:read',
      writes: ['booking.searched service_management'],
      example: ({ id, appointmentId, clientId, startsAt, endsAt }) => ({
        words: 'naomi weiss',
        appointmentId,
        personId: clientId,
        status: 'confirmed',
        suspended: true,
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
        manyPeople: z.boolean(),
      }),
    ),
  /** Free times for rescheduling; at most 62 days. */
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
        appointmentId: uuid,
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
    .input(
      administrationInput.extend({ startsAt: instant, notice: z.enum(['kept', 'waived']).default('kept') }),
    )
    .output(administeredAppointment),
  cancel: manage
    .meta({
      writes: ['booking.cancelled service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, sequence: 0, reason: 'The specialist is ill.' }),
    })
    .route({ method: 'POST', path: '/admin/appointments/{appointmentId}/cancel' })
    .input(administrationInput)
    .output(administeredAppointment),
};
