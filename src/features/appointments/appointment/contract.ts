import { z } from 'zod';
import { uuid } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

/** UTC instant (ISO 8601); Temporal reads at most nine fractional digits. */
export const instant = z.iso.datetime({ offset: false }).max('2026-03-02T12:00:00.000000000Z'.length);

export const statuses = ['pending', 'confirmed', 'completed', 'cancelled', 'no_show'] as const;
/** Client spec, section 4. */
export const recurrences = ['one_time', 'weekly', 'biweekly'] as const;

export type Recurrence = (typeof recurrences)[number];

/** Sent along, so screen and server agree. */
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

/** Changes to an appointment after booking. */
export type AppointmentChange =
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'rescheduled'
  | 'completed'
  | 'no_show';

export const appointmentView = z.object({
  id: uuid,
  bookingId: uuid,
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
    id: uuid,
    name: z.string(),
    title: z.string(),
    kind: z.enum(['doctor', 'pastor']),
    timeZone: z.string(),
    location: z.string(),
    place: z
      .object({
        name: z.string(),
        address: z.string(),
        directions: z.string(),
        latitude: z.number().nullable(),
        longitude: z.number().nullable(),
      })
      .nullable(),
    photoUrl: z.string().nullable(),
    takesMessages: z.boolean(),
  }),
  /** Null when the client is viewing. */
  client: z
    .object({
      id: uuid,
      name: z.string(),
      /** Null: the provider added the client without one. */
      email: z.string().nullable(),
      phone: z.string().nullable(),
      photoUrl: z.string().nullable(),
      /** Has an account to read messages in. */
      takesMessages: z.boolean(),
    })
    .nullable(),
  /** Number the provider calls for phone sessions; null if none was given. */
  calledAt: z.string().nullable(),
  reminderMinutes: z.number().int(),
  /** RFC 5545 SEQUENCE of the calendar entry. */
  sequence: z.number().int(),
  cancelReason: z.string().nullable(),
  movedReason: z.string().nullable(),
  /** Moved or canceled by an administrator. */
  byAdministrator: z.boolean(),
  /** Canceled automatically: still unanswered at its start. */
  expired: z.boolean(),
  actions: z.array(z.enum(actions)),
});

export type AppointmentView = z.infer<typeof appointmentView>;

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

/** Free times, ascending. In-person times are also grouped by place; addresses stay hidden until booking. */
export const freeStarts = z.object({
  timeZone: z.string(),
  starts: z.array(instant),
  places: z.array(
    z.object({
      id: uuid,
      name: z.string(),
      town: z.string(),
      starts: z.array(instant),
    }),
  ),
});

export type FreeStarts = z.infer<typeof freeStarts>;
