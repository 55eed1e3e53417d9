import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { appointmentView, instant } from '#/features/appointments/appointment/contract.ts';
import { phoneNumber } from '#/features/appointments/booking/contract.ts';

/** Before noon, noon to 5 PM, and from 5 PM. */
const dayParts = ['morning', 'afternoon', 'evening'] as const;

export type DayPart = (typeof dayParts)[number];

/** Preferred times in the client's time zone. */
const wishes = z.object({
  /** Last acceptable date. */
  untilDate: z.iso.date(),
  /** ISO: 1 is Monday, 7 is Sunday. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  dayParts: z.array(z.enum(dayParts)).min(1).max(3),
  timeZone: timeZoneName,
});

export type WaitPreferences = z.infer<typeof wishes>;

const askInput = wishes.extend({
  providerId: uuid,
  serviceId: serviceIdShape,
  durationMinutes: z.number().int().min(15).max(240),
  sessionType: z.enum(sessionTypes),
});

export type AskInput = z.infer<typeof askInput>;

/** Not reserved: the first booking gets it. */
const offerView = z.object({
  id: uuid,
  startsAt: instant,
  endsAt: instant,
  /** Until then, others don't get this offer. */
  deadline: instant,
});

export type OfferView = z.infer<typeof offerView>;

const waitView = z.object({
  id: uuid,
  /** Appointment to reschedule; null for a new booking. */
  appointment: z.object({ id: uuid, startsAt: instant }).nullable(),
  provider: z.object({ id: uuid, name: z.string(), title: z.string(), photoUrl: z.string().nullable() }),
  service: z.object({ id: serviceIdShape, title: z.string() }),
  durationMinutes: z.number().int(),
  sessionType: z.enum(sessionTypes),
  wishes,
  offers: z.array(offerView),
});

export type WaitView = z.infer<typeof waitView>;

const client = procedure.meta({ access: ['book_appointments'] });
const offerId = z.object({ offerId: uuid });

export const waitlistContract = {
  /** With their open offers, longest wait first. */
  mine: client.route({ method: 'GET', path: '/waitlist' }).output(z.array(waitView)),
  /**
   * Joins the waiting list. Repeated calls update preferences and keep the position. Returns `conflict free_already`
   * with free matching times, if any.
   */
  joinEarlier: client
    .meta({
      writes: ['waitlist.asked service_management wait'],
      example: ({ appointmentId, startsAt }) => ({
        appointmentId,
        untilDate: startsAt.slice(0, 10),
        weekdays: [1, 2],
        dayParts: ['morning', 'evening'],
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'POST', path: '/waitlist/earlier' })
    .input(wishes.extend({ appointmentId: uuid }))
    .output(waitView),
  ask: client
    .meta({
      writes: ['waitlist.asked service_management wait'],
      example: ({ providerId, serviceId, startsAt }) => ({
        providerId,
        serviceId,
        durationMinutes: 60,
        sessionType: 'phone',
        untilDate: startsAt.slice(0, 10),
        weekdays: [1, 2],
        dayParts: ['morning', 'evening'],
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'POST', path: '/waitlist' })
    .input(askInput)
    .output(waitView),
  leave: client
    .meta({ writes: ['waitlist.given_up service_management wait'], example: ({ id }) => ({ waitId: id }) })
    .route({ method: 'POST', path: '/waitlist/{waitId}/give-up' })
    .input(z.object({ waitId: uuid }))
    .output(z.array(waitView)),
  /**
   * Reschedules the appointment or books a new one. Returns `conflict offer_taken` if already booked; refusals keep the
   * position.
   */
  take: client
    .meta({
      writes: ['booking.booked service_management booking', 'waitlist.taken service_management wait'],
      example: ({ id }) => ({ offerId: id, phone: '+1 617 555 0100' }),
    })
    .route({ method: 'POST', path: '/waitlist/offers/{offerId}/take' })
    .input(
      offerId.extend({
        /** Required for phone sessions without a known number. */
        phone: phoneNumber.optional(),
      }),
    )
    .output(appointmentView),
  /** Declines; the next client gets the offer. */
  pass: client
    .meta({ writes: ['waitlist.passed service_management wait'], example: ({ id }) => ({ offerId: id }) })
    .route({ method: 'POST', path: '/waitlist/offers/{offerId}/pass' })
    .input(offerId)
    .output(z.array(waitView)),
  count: procedure
    .meta({ access: ['manage_own_appointments'] })
    .route({ method: 'GET', path: '/waitlist/count' })
    .output(z.object({ count: z.number().int() })),
};
