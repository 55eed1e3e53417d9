import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/availability/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

/** A week starting Sunday, or the full weeks covering a month. */
const spans = ['week', 'month'] as const;

export type AgendaSpan = (typeof spans)[number];

/** Calendar day, years 2000–2999. */
const date = z.iso.date().regex(/^2\d/);

const stretch = z.object({ startsAt: instant, endsAt: instant });

const agendaEntry = z.object({
  id: uuid,
  startsAt: instant,
  endsAt: instant,
  status: z.enum(['pending', 'confirmed', 'completed', 'no_show']),
  kind: z.enum(['consultation', 'follow-up', 'emergency']),
  sessionType: z.enum(sessionTypes),
  clientName: z.string(),
  service: z.string(),
});

/** Only what the calendar draws; `appointments.get` returns full details. */
export type AgendaEntry = z.infer<typeof agendaEntry>;

const agendaDay = z.object({
  /** Not `date`: weeks at either limit extend past it. */
  date: z.iso.date(),
  /** Midnight to midnight in the provider's time zone. */
  ...stretch.shape,
  open: z.array(stretch),
  rest: z.array(stretch),
  /** Set on a day off or observed holiday. */
  off: z.object({ note: z.string(), holiday: z.string().nullable() }).nullable(),
  counts: z.object({
    pending: z.number().int(),
    confirmed: z.number().int(),
    completed: z.number().int(),
    no_show: z.number().int(),
    cancelled: z.number().int(),
  }),
  /** Excludes canceled sessions. All of a week's sessions, or the first three per day of a month, by start. */
  entries: z.array(agendaEntry),
});

export type AgendaDay = z.infer<typeof agendaDay>;

const agendaBlock = stretch.extend({ id: uuid, note: z.string() });

export type AgendaBlock = z.infer<typeof agendaBlock>;

const agendaView = z.object({
  timeZone: z.string(),
  /** Today in the provider's time zone. */
  today: date,
  rest: z.enum(['none', 'sunday', 'sabbath']),
  days: z.array(agendaDay),
  blocks: z.array(agendaBlock),
});

export type AgendaView = z.infer<typeof agendaView>;

export const ownAgenda = procedure
  .meta({
    access: ['manage_own_appointments'],
    scope: 'appointments:read',
    example: ({ startsAt }) => ({ span: 'month', date: startsAt.slice(0, 10) }),
  })
  .route({ method: 'GET', path: '/appointments/agenda' })
  .input(
    z.object({
      span: z.enum(spans),
      /** Any date in the span; defaults to today. */
      date: date.optional(),
    }),
  )
  .output(agendaView);
