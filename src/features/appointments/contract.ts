import { z } from 'zod';
import { lines, procedure, uuid } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { administrationContract, administeredAppointment } from './administration/contract.ts';
import { ownAgenda } from './agenda/contract.ts';
import { feedContract } from './feed/contract.ts';
import { handoverContract } from './handover/contract.ts';
import { ownClashes, previewAvailability } from './preview/contract.ts';
import { bookForInput, bookInput, reminderMinutes } from './booking/contract.ts';
import { seriesContract, seriesScope } from './series/contract.ts';
import { appointmentView, freeStarts, instant, startRefusals, statuses } from './appointment/contract.ts';

const openedAppointment = administeredAppointment.extend({
  bookingId: uuid,
  bookedAt: instant,
  clientTimeZone: z.string(),
  /** Meeting place; null if they arrange it themselves. */
  place: z.object({ name: z.string(), address: z.string() }).nullable(),
  /** By email, soonest first. */
  reminders: z.array(z.object({ id: uuid, name: z.string(), dueAt: instant, sentAt: instant.nullable() })),
});

const personAppointments = z.object({
  /** Soonest first. */
  next: z.array(administeredAppointment),
  /** Latest first. */
  recent: z.array(administeredAppointment),
  /** There are more than these. */
  more: z.boolean(),
});

export type OpenedAppointment = z.infer<typeof openedAppointment>;
export type PersonAppointments = z.infer<typeof personAppointments>;

const manage = procedure.meta({ access: ['manage_appointments'] });

/** Administrators' view of an appointment or a person. */
const oversightContract = {
  appointment: manage
    .meta({
      writes: ['booking.viewed service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'GET', path: '/admin/appointments/{appointmentId}' })
    .input(z.object({ appointmentId: uuid }))
    .output(openedAppointment),
  /** A person's next and latest appointments. */
  person: manage
    .meta({
      writes: ['booking.searched service_management person'],
      example: ({ clientId }) => ({ personId: clientId }),
    })
    .route({ method: 'GET', path: '/admin/people/{personId}/appointments' })
    .input(z.object({ personId: uuid }))
    .output(personAppointments),
};

const reason = lines.max(500).optional();

const oneAppointment = z.object({ appointmentId: uuid });
const own = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });
const provider = procedure.meta({ access: ['manage_own_appointments'] });

/** Takes only the appointment's id. */
function providerAction(action: string, path: string) {
  return provider
    .meta({
      writes: [`${action} service_management appointment`],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: `/appointments/{appointmentId}/${path}` })
    .input(oneAppointment)
    .output(appointmentView);
}

export const appointmentsContract = {
  previewAvailability,
  clashes: ownClashes,
  agenda: ownAgenda,
  /** Lists a provider's free times for this session length, ascending; at most 62 days. */
  freeStarts: procedure
    .meta({
      access: 'public',
      example: ({ appointmentId, providerId, startsAt, endsAt }) => ({
        providerId,
        from: startsAt,
        to: endsAt,
        durationMinutes: 60,
        sessionType: 'phone',
        moving: appointmentId,
        scope: 'all',
      }),
    })
    .route({ method: 'GET', path: '/specialists/{providerId}/free-starts' })
    .input(
      z.object({
        providerId: uuid,
        from: instant,
        to: instant,
        durationMinutes: z.coerce.number().int().min(15).max(240),
        /** By default, one that needs no place. */
        sessionType: z.enum(sessionTypes).optional(),
        /** Own appointment being moved: its type applies and its time counts as free. */
        moving: uuid.optional(),
        /** The moving series' own times count as free. */
        scope: seriesScope.optional(),
      }),
    )
    .output(freeStarts),
  /** Checks a planned series for clashes, storing nothing. */
  checkSeries: procedure
    .meta({
      access: ['book_appointments'],
      unlogged: 'asks',
      example: ({ providerId, startsAt }) => ({
        providerId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'phone',
        recurrence: 'weekly',
        sessions: 3,
      }),
    })
    .route({ method: 'POST', path: '/bookings/check' })
    .input(
      bookInput
        .pick({ providerId: true, startsAt: true, durationMinutes: true, recurrence: true, sessions: true })
        .extend({
          // Answers can state no year after 9999.
          startsAt: instant.regex(/^2/),
          sessionType: bookInput.shape.sessionType.optional(),
        }),
    )
    .output(z.array(z.object({ startsAt: instant, refusal: z.enum(startRefusals).nullable() }))),
  book: procedure
    .meta({
      access: ['book_appointments'],
      writes: ['booking.booked service_management booking'],
      example: ({ id, providerId, serviceId, startsAt }) => ({
        idempotencyKey: id,
        providerId,
        serviceId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'online',
        recurrence: 'one_time',
        sessions: 4,
        contact: { name: 'Naomi Weiss', email: 'naomi@weiss.example', phone: '+1 555 010 0199' },
        reminderMinutes: 60,
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'POST', path: '/bookings', successStatus: 201 })
    .input(bookInput)
    .output(z.object({ bookingId: uuid, appointments: z.array(appointmentView) })),
  /**
   * Books and confirms a session for an existing client. If the client is busy, throws `conflict` (`not_free`) without
   * details.
   */
  bookFor: provider
    .meta({
      writes: ['booking.booked service_management booking'],
      example: ({ id, clientId, serviceId, startsAt }) => ({
        idempotencyKey: id,
        clientId,
        serviceId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'phone',
        recurrence: 'weekly',
        sessions: 2,
        outsideHours: true,
        phone: '+1 617 555 0100',
      }),
    })
    .route({ method: 'POST', path: '/bookings/for-client', successStatus: 201 })
    .input(bookForInput)
    .output(z.object({ bookingId: uuid, appointments: z.array(appointmentView) })),
  /**
   * Lists own appointments that end after `from` and start before `to`, by start. Page with the last row's start and
   * id.
   */
  mine: own
    .meta({
      scope: 'appointments:read',
      example: ({ id, startsAt, endsAt }) => ({
        from: startsAt,
        to: endsAt,
        status: 'confirmed',
        order: 'ascending',
        lastStart: startsAt,
        lastId: id,
        limit: 10,
      }),
    })
    .route({ method: 'GET', path: '/appointments' })
    .input(
      z.object({
        from: instant,
        to: instant,
        status: z.enum(statuses).optional(),
        order: z.enum(['ascending', 'descending']).default('ascending'),
        lastStart: instant.optional(),
        lastId: uuid.optional(),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
    )
    .output(z.array(appointmentView)),
  get: own
    .meta({ scope: 'appointments:read', example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/appointments/{appointmentId}' })
    .input(oneAppointment)
    .output(appointmentView),
  clientFigures: procedure
    .meta({ access: ['view_own_appointments'], example: () => ({ timeZone: 'America/Chicago' }) })
    .route({ method: 'GET', path: '/appointments/client-figures' })
    .input(z.object({ timeZone: timeZoneName }))
    .output(
      z.object({ upcoming: z.number().int(), sessionsThisMonth: z.number().int(), hoursOfCare: z.number() }),
    ),
  providerFigures: provider.route({ method: 'GET', path: '/appointments/provider-figures' }).output(
    z.object({
      today: z.number().int(),
      thisMonth: z.number().int(),
      pending: z.number().int(),
      rating: z.number().nullable(),
      reviewCount: z.number().int(),
      timeZone: z.string(),
    }),
  ),
  reschedule: own
    .meta({
      writes: ['booking.rescheduled service_management appointment'],
      example: ({ appointmentId, startsAt }) => ({ appointmentId, startsAt }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/reschedule' })
    .input(oneAppointment.extend({ startsAt: instant }))
    .output(appointmentView),
  cancel: own
    .meta({
      writes: ['booking.cancelled service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, reason: 'I am ill.' }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/cancel' })
    .input(oneAppointment.extend({ reason }))
    .output(appointmentView),
  confirm: providerAction('booking.confirmed', 'confirm'),
  decline: provider
    .meta({
      writes: ['booking.declined service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, reason: 'I am away.' }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/decline' })
    .input(oneAppointment.extend({ reason }))
    .output(appointmentView),
  complete: providerAction('booking.completed', 'complete'),
  markNoShow: providerAction('booking.no_show', 'no-show'),
  markEmergency: providerAction('booking.marked_emergency', 'emergency'),
  setReminder: procedure
    .meta({
      access: ['view_own_appointments'],
      writes: ['booking.reminder_set service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, minutes: 60 }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/reminder' })
    .input(oneAppointment.extend({ minutes: reminderMinutes }))
    .output(appointmentView),
  series: seriesContract,
  feed: feedContract,
  administration: administrationContract,
  oversight: oversightContract,
  handover: handoverContract,
};
