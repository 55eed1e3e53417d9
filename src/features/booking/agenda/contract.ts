import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '#/features/availability/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

/** How many dates are looked at together: a week from its Sunday on, or the whole weeks that hold a month. */
const spans = ['week', 'month'] as const;

export type AgendaSpan = (typeof spans)[number];

/** A calendar day, `YYYY-MM-DD`, in years that schedules are made for. */
const date = z.iso.date().regex(/^2\d/);

const stretch = z.object({ startsAt: instant, endsAt: instant });

const agendaEntry = z.object({
  id: z.uuid(),
  startsAt: instant,
  endsAt: instant,
  status: z.enum(['pending', 'confirmed', 'completed', 'no_show']),
  kind: z.enum(['consultation', 'follow-up', 'emergency']),
  sessionType: z.enum(sessionTypes),
  clientName: z.string(),
  service: z.string(),
});

/** A session as the calendar draws it; `booking.get` tells the rest. */
export type AgendaEntry = z.infer<typeof agendaEntry>;

const agendaDay = z.object({
  /** The weeks around the first and the last date that can be asked for reach beyond them. */
  date: z.iso.date(),
  /** From midnight to midnight on the provider's clocks. */
  ...stretch.shape,
  /** When the provider receives people, without their rest. */
  open: z.array(stretch),
  /** The part of their rest that lies in this day. */
  rest: z.array(stretch),
  /** Hours of its own without any window: a day off, with its note, or the holiday that is kept. */
  off: z.object({ note: z.string(), holiday: z.string().nullable() }).nullable(),
  counts: z.object({
    pending: z.number().int(),
    confirmed: z.number().int(),
    completed: z.number().int(),
    no_show: z.number().int(),
    cancelled: z.number().int(),
  }),
  /** Those that aren't cancelled, by start: all of a week's days, the first three of a month's. */
  entries: z.array(agendaEntry),
});

export type AgendaDay = z.infer<typeof agendaDay>;

const agendaBlock = stretch.extend({ id: z.uuid(), note: z.string() });

export type AgendaBlock = z.infer<typeof agendaBlock>;

const agendaView = z.object({
  timeZone: z.string(),
  /** The date on the provider's clocks now. */
  today: date,
  rest: z.enum(['none', 'sunday', 'sabbath']),
  days: z.array(agendaDay),
  /** What blocks the provider's time within these days, by start. */
  blocks: z.array(agendaBlock),
});

export type AgendaView = z.infer<typeof agendaView>;

/** The days of one's own week or month as a calendar draws them: hours, rest, blocks, and what is booked. */
export const ownAgenda = procedure
  .meta({
    access: ['manage_own_appointments'],
    example: ({ startsAt }) => ({ span: 'month', date: startsAt.slice(0, 10) }),
  })
  .route({ method: 'GET', path: '/appointments/agenda' })
  .input(
    z.object({
      span: z.enum(spans),
      /** Any date of it; today if it is left out. */
      date: date.optional(),
    }),
  )
  .output(agendaView);
