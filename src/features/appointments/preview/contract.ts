import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { availabilityDraft, dateHours, instant } from '#/features/availability/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

const clashReasons = ['rest', 'blocked', 'date_off', 'elsewhere', 'outside_hours'] as const;

export type ClashReason = (typeof clashReasons)[number];

/** Conflicts, soonest first; the provider decides each. */
const clashes = z.object({
  sessions: z.array(
    z.object({
      appointmentId: uuid,
      startsAt: instant,
      endsAt: instant,
      status: z.enum(['pending', 'confirmed']),
      sessionType: z.enum(sessionTypes),
      clientName: z.string(),
      reason: z.enum(clashReasons),
    }),
  ),
  /** Total count; `sessions` lists at most 100. */
  count: z.number().int(),
});

export type Clashes = z.infer<typeof clashes>;

const preview = z.object({
  timeZone: z.string(),
  starts: z.array(instant),
  clashes,
});

export type AvailabilityPreview = z.infer<typeof preview>;

const previewInput = availabilityDraft.extend({
  /** Date exceptions; defaults to the stored ones. */
  dates: z.array(dateHours).max(1_000).optional(),
  from: instant,
  to: instant,
  durationMinutes: z.number().int().min(15).max(240),
  sessionType: z.enum(sessionTypes),
});

export type PreviewInput = z.infer<typeof previewInput>;

const own = procedure.meta({ access: ['manage_own_availability'] });

/** Previews free times and conflicts for draft hours; at most 62 days. */
export const previewAvailability = own
  .meta({
    access: ['manage_own_availability'],
    unlogged: 'asks',
    example: ({ startsAt, endsAt }) => ({
      timeZone: 'America/New_York',
      weekly: [{ weekday: 1, from: '09:00', to: '12:00', placeId: null }],
      terms: { sessionLengths: [30, 60], bufferMinutes: 30, noticeHours: 48, dailyMaximum: 5 },
      rest: { kind: 'sabbath', place: { name: 'Jerusalem', latitude: 31.8, longitude: 35.2 } },
      dates: [{ date: startsAt.slice(0, 10), windows: [{ from: '09:00', to: '12:00' }] }],
      from: startsAt,
      to: endsAt,
      durationMinutes: 60,
      sessionType: 'online',
    }),
  })
  .route({ method: 'POST', path: '/me/availability/preview' })
  .input(previewInput)
  .output(preview);

export const ownClashes = own.route({ method: 'GET', path: '/me/availability/clashes' }).output(clashes);
