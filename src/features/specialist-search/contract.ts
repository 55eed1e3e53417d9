import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { faithParts, sessionTypes, specialist } from '#/features/providers/contract.ts';
import { oneLine } from '#/kernel/text.ts';

/** In the searcher's time zone. */
const meetingTimes = ['tomorrow', 'three_days', 'week', 'evenings', 'weekends'] as const;
const orders = ['directory', 'soonest'] as const;
/** Maximum results per search, all pages combined. */
const maxShown = 240;
const maxAsked = 24;

export type MeetingTime = (typeof meetingTimes)[number];

const instant = z.iso.datetime({ offset: false });
/** Stored listings may have what `line` refuses. */
const word = z.string().trim().regex(oneLine).min(1).max(100);

const session = {
  /** Sets the session length; default: the site's. */
  serviceId: serviceIdShape.optional(),
  sessionType: z.enum(sessionTypes).optional(),
  time: z.enum(meetingTimes).optional(),
  /** Zone for `time`; defaults to the site's. */
  timeZone: timeZoneName.optional(),
};

const findInput = z.object({
  ...session,
  kind: z.enum(['doctor', 'pastor']).optional(),
  tradition: word.optional(),
  faithPart: z.enum(faithParts).optional(),
  language: word.optional(),
  place: word.optional(),
  order: z.enum(orders).default('directory'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxShown - 1)
    .default(0),
  limit: z.coerce.number().int().min(1).max(maxShown).default(12),
});

export type FindInput = z.infer<typeof findInput>;

const found = z.object({
  specialists: z.array(specialist),
  more: z.boolean(),
  /** Null above the counting limit. */
  total: z.number().int().nullable(),
});

export type Found = z.infer<typeof found>;

const choice = z.object({ value: z.string(), count: z.number().int() });

const choices = z.object({
  traditions: z.array(choice),
  languages: z.array(choice),
  towns: z.array(choice),
});

export type FindChoices = z.infer<typeof choices>;

const hexUuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const nextStarts = z.object({
  providerId: uuid,
  durationMinutes: z.number().int(),
  /** First three within 14 days, else the first afterwards. */
  starts: z.array(instant),
});

export type NextStarts = z.infer<typeof nextStarts>;

export const specialistSearchContract = {
  find: procedure
    .meta({
      access: 'public',
      example: ({ serviceId }) => ({
        serviceId,
        kind: 'doctor',
        tradition: 'Baptist',
        faithPart: 'woven_in',
        language: 'English',
        sessionType: 'online',
        time: 'week',
        timeZone: 'America/Chicago',
        place: 'Boston, MA',
        order: 'soonest',
        offset: 0,
        limit: 10,
      }),
    })
    .route({ method: 'GET', path: '/find' })
    .input(findInput)
    .output(found),
  /** Filters with specialist counts, most common first. */
  choices: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/find/choices' })
    .output(choices),
  /** Lists next free times, skipping unlisted ids and the viewer's busy times. */
  nextStarts: procedure
    .meta({
      access: 'public',
      example: ({ providerId, serviceId }) => ({
        providerIds: providerId,
        serviceId,
        sessionType: 'online',
        time: 'evenings',
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'GET', path: '/find/next-starts' })
    .input(
      z.object({
        ...session,
        /** Comma-separated, at most 24. */
        providerIds: z
          .string()
          .max(maxAsked * 37)
          .toLowerCase()
          .regex(new RegExp(`^${hexUuid}(,${hexUuid})*$`)),
      }),
    )
    .output(z.array(nextStarts)),
};
