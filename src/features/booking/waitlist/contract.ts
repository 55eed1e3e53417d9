import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { appointmentView, instant } from '../contract.ts';
import { phoneNumber } from '../input/contract.ts';

/** The parts of a day: until noon, from noon, and from five in the afternoon. */
const dayParts = ['morning', 'afternoon', 'evening'] as const;

export type DayPart = (typeof dayParts)[number];

/** Which times would suit a client, by the clock of their zone. */
const wishes = z.object({
  /** The last date. */
  untilDate: z.iso.date(),
  /** ISO: 1 is Monday, 7 is Sunday. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
  dayParts: z.array(z.enum(dayParts)).min(1).max(3),
  timeZone: timeZoneName,
});

export type WishesInput = z.infer<typeof wishes>;

const askInput = wishes.extend({
  providerId: z.uuid(),
  serviceId: serviceIdShape,
  durationMinutes: z.number().int().min(15).max(240),
  sessionType: z.enum(sessionTypes),
});

export type AskInput = z.infer<typeof askInput>;

/** A time that opened. It isn't held: whoever takes it first has it. */
const offerView = z.object({
  id: z.uuid(),
  startsAt: instant,
  endsAt: instant,
  /** Until then nobody else who waits is asked. */
  deadline: instant,
});

export type OfferView = z.infer<typeof offerView>;

const waitView = z.object({
  id: z.uuid(),
  /** What is moved once a time is taken, and when it is now; null: a session is booked then. */
  appointment: z.object({ id: z.uuid(), startsAt: instant }).nullable(),
  provider: z.object({ id: z.uuid(), name: z.string(), title: z.string(), photoUrl: z.string().nullable() }),
  service: z.object({ id: serviceIdShape, title: z.string() }),
  durationMinutes: z.number().int(),
  sessionType: z.enum(sessionTypes),
  wishes,
  offers: z.array(offerView),
});

export type WaitView = z.infer<typeof waitView>;

const client = procedure.meta({ access: ['book_appointments'] });
const offerId = z.object({ offerId: z.uuid() });

export const waitlistContract = {
  /** What the client waits for, longest first, with the times that are open for them now. */
  mine: client.route({ method: 'GET', path: '/waitlist' }).output(z.array(waitView)),
  /**
   * Asks for an earlier time for an appointment. Asked again, the wishes change and the place in the line stays. Where
   * a time that fits is free already, it is refused as `conflict free_already` with those times.
   */
  askEarlier: client
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
    .input(wishes.extend({ appointmentId: z.uuid() }))
    .output(waitView),
  /** The same for a first session of this kind, or another one. */
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
  giveUp: client
    .meta({ writes: ['waitlist.given_up service_management wait'], example: ({ id }) => ({ waitId: id }) })
    .route({ method: 'POST', path: '/waitlist/{waitId}/give-up' })
    .input(z.object({ waitId: z.uuid() }))
    .output(z.array(waitView)),
  /**
   * Takes an offered time: moves the appointment or books a session. Where somebody else has it by now, it is refused as
   * `conflict offer_taken`, and the place in the line stays, as with every other refusal.
   */
  take: client
    .meta({
      writes: ['booking.booked service_management booking', 'waitlist.taken service_management wait'],
      example: ({ id }) => ({ offerId: id, phone: '+1 617 555 0100' }),
    })
    .route({ method: 'POST', path: '/waitlist/offers/{offerId}/take' })
    .input(
      offerId.extend({
        /** Where the client is called in a session by phone; needed where the specialist knows no number of theirs. */
        phone: phoneNumber.optional(),
      }),
    )
    .output(appointmentView),
  /** Would rather have another time: the next in the line is asked at once. */
  pass: client
    .meta({ writes: ['waitlist.passed service_management wait'], example: ({ id }) => ({ offerId: id }) })
    .route({ method: 'POST', path: '/waitlist/offers/{offerId}/pass' })
    .input(offerId)
    .output(z.array(waitView)),
  /** How many wait for a time of the provider who asks. */
  count: procedure
    .meta({ access: ['manage_own_appointments'] })
    .route({ method: 'GET', path: '/waitlist/count' })
    .output(z.object({ count: z.number().int() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    waitlist: typeof waitlistContract;
  }
}
