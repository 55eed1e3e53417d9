import { z } from 'zod';
import { lines, procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { ownAgenda } from './agenda/contract.ts';
import { ownClashes, previewAvailability } from './preview/contract.ts';
import { findingContract } from './finding/contract.ts';
import { bookInput, phoneNumber, reminderMinutes } from './input/contract.ts';
import { requestsContract } from './requests/contract.ts';
import { seriesScope } from './series/contract.ts';

/** An instant in UTC, ISO 8601, with at most the nine digits of a second's fraction that Temporal reads. */
export const instant = z.iso.datetime({ offset: false }).max('2026-03-02T12:00:00.000000000Z'.length);

/** The life cycle of an appointment. */
export const statuses = ['pending', 'confirmed', 'completed', 'cancelled', 'no_show'] as const;
/** What a person may do with an appointment now; sent with it, so that screen and server agree. */
const actions = [
  'reschedule',
  'cancel',
  'confirm',
  'decline',
  'complete',
  'mark_no_show',
  'mark_emergency',
  'set_reminder',
] as const;

export type AppointmentStatus = (typeof statuses)[number];
export type AppointmentAction = (typeof actions)[number];

const reason = lines.max(500).optional();

/** An appointment as one of its two parties sees it. */
export const appointmentView = z.object({
  id: z.uuid(),
  bookingId: z.uuid(),
  seriesIndex: z.number().int(),
  seriesCount: z.number().int(),
  status: z.enum(statuses),
  kind: z.enum(['consultation', 'follow-up', 'emergency']),
  sessionType: z.enum(sessionTypes),
  startsAt: instant,
  endsAt: instant,
  durationMinutes: z.number().int(),
  priceCents: z.number().int(),
  service: z.object({ id: serviceIdShape, title: z.string() }),
  provider: z.object({
    id: z.uuid(),
    name: z.string(),
    title: z.string(),
    kind: z.enum(['doctor', 'pastor']),
    timeZone: z.string(),
    location: z.string(),
    /** Where a session in person is held, if it has a place of its own. */
    place: z
      .object({
        name: z.string(),
        address: z.string(),
        /** How to find the door. */
        directions: z.string(),
        latitude: z.number().nullable(),
        longitude: z.number().nullable(),
      })
      .nullable(),
    photoUrl: z.string().nullable(),
    takesMessages: z.boolean(),
  }),
  /** For the provider: whom they serve. Null for the client. */
  client: z
    .object({
      id: z.uuid(),
      name: z.string(),
      /** Null where the provider entered them without one. */
      email: z.string().nullable(),
      phone: z.string().nullable(),
      photoUrl: z.string().nullable(),
      /** They have an account in which they read them. */
      takesMessages: z.boolean(),
    })
    .nullable(),
  /** Where the provider calls the client in a session by phone; null where nobody gave a number. */
  calledAt: z.string().nullable(),
  reminderMinutes: z.number().int(),
  /** RFC 5545 SEQUENCE of its calendar entry. */
  sequence: z.number().int(),
  cancelReason: z.string().nullable(),
  /** Why an administrator moved it to where it is. */
  movedReason: z.string().nullable(),
  /** Whether it was an administrator who moved it there, or cancelled it. */
  byAdministrator: z.boolean(),
  /** Cancelled because nobody answered it until its start. */
  expired: z.boolean(),
  actions: z.array(z.enum(actions)),
});

export type AppointmentView = z.infer<typeof appointmentView>;

export type BookInput = z.infer<typeof bookInput>;
export type Recurrence = BookInput['recurrence'];

/** What a provider sends who books for a client of theirs; it needs no advance notice. */
export const bookForInput = bookInput
  .pick({
    idempotencyKey: true,
    serviceId: true,
    startsAt: true,
    durationMinutes: true,
    sessionType: true,
    recurrence: true,
    sessions: true,
  })
  .extend({
    clientId: z.uuid(),
    /** Where the client is called in a session by phone, instead of at the number that they gave last. */
    phone: phoneNumber.optional(),
    /** Also outside their own hours and over the daily maximum; never over another session or a block. */
    outsideHours: z.boolean().default(false),
  });

export type BookForInput = z.infer<typeof bookForInput>;

/** Why a start can't be booked; each has its own sentence. */
export const startRefusals = [
  'past',
  'too_little_notice',
  'too_far_ahead',
  'unaligned',
  'outside_hours',
  'day_full',
  'slot_taken',
  'skipped_time',
  'own_clash',
] as const;

export type StartRefusal = (typeof startRefusals)[number];

const oneAppointment = z.object({ appointmentId: z.uuid() });
const own = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });
const provider = procedure.meta({ access: ['manage_own_appointments'] });

/**
 * A provider's free starts, ascending; those in person, where the provider has places, also by place. A place's address
 * is for those who have booked.
 */
export const freeStarts = z.object({
  timeZone: z.string(),
  starts: z.array(instant),
  places: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      town: z.string(),
      starts: z.array(instant),
    }),
  ),
});

export type FreeStarts = z.infer<typeof freeStarts>;

export const bookingContract = {
  finding: findingContract,
  requests: requestsContract,
  previewAvailability,
  clashes: ownClashes,
  agenda: ownAgenda,
  /** Free starts of a provider for a session of that length, ascending; at most 62 days. */
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
        providerId: z.uuid(),
        from: instant,
        to: instant,
        durationMinutes: z.coerce.number().int().min(15).max(240),
        /** Some have fewer starts than others; without it those of a session that needs no place. */
        sessionType: z.enum(sessionTypes).optional(),
        /** The appointment that is being moved: its own time counts as free, its own type counts. Own appointments only. */
        moving: z.uuid().optional(),
        /** It moves with others of its series, whose times count as free too. */
        scope: seriesScope.optional(),
      }),
    )
    .output(freeStarts),
  /** Every session of a planned series with what stands against it, before anything is stored. */
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
        .extend({ sessionType: bookInput.shape.sessionType.optional() }),
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
    .output(z.object({ bookingId: z.uuid(), appointments: z.array(appointmentView) })),
  /**
   * Books for a client with whom the provider has or had an appointment; confirmed at once. A client who is elsewhere
   * then is refused as `conflict not_free`, which tells no more than that.
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
    .output(z.object({ bookingId: z.uuid(), appointments: z.array(appointmentView) })),
  /**
   * One's own appointments, as client or as provider: those that end after `from` and start before `to`, by start.
   * The next page is asked for with the start and the id of the last one that was read.
   */
  mine: own
    .meta({
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
        /** Only those in this status. */
        status: z.enum(statuses).optional(),
        order: z.enum(['ascending', 'descending']).default('ascending'),
        lastStart: instant.optional(),
        lastId: z.uuid().optional(),
        limit: z.coerce.number().int().min(1).max(200).default(50),
      }),
    )
    .output(z.array(appointmentView)),
  get: own
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
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
  confirm: provider
    .meta({
      writes: ['booking.confirmed service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/confirm' })
    .input(oneAppointment)
    .output(appointmentView),
  decline: provider
    .meta({
      writes: ['booking.declined service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, reason: 'I am away.' }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/decline' })
    .input(oneAppointment.extend({ reason }))
    .output(appointmentView),
  complete: provider
    .meta({
      writes: ['booking.completed service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/complete' })
    .input(oneAppointment)
    .output(appointmentView),
  markNoShow: provider
    .meta({
      writes: ['booking.no_show service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/no-show' })
    .input(oneAppointment)
    .output(appointmentView),
  markEmergency: provider
    .meta({
      writes: ['booking.marked_emergency service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/emergency' })
    .input(oneAppointment)
    .output(appointmentView),
  setReminder: procedure
    .meta({
      access: ['view_own_appointments'],
      writes: ['booking.reminder_set service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId, minutes: 60 }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/reminder' })
    .input(oneAppointment.extend({ minutes: reminderMinutes }))
    .output(appointmentView),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    booking: typeof bookingContract;
  }
}
