import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { faithParts, sessionTypes, specialist } from '#/features/providers/contract.ts';

/** When somebody would like to meet; days and hours are those of their own zone. */
const meetingTimes = ['tomorrow', 'three_days', 'week', 'evenings', 'weekends'] as const;
/** In what order specialists are shown: the directory's, or by their first free time. */
const orders = ['directory', 'soonest'] as const;
/** So many specialists can be shown in one list; who wants more narrows it down. */
const mostShown = 240;
/** So many specialists' next free times can be asked for at once. */
const mostAsked = 24;

export type MeetingTime = (typeof meetingTimes)[number];

const instant = z.iso.datetime({ offset: false });
const word = line.min(1).max(100);

/** What decides how long a session is and when it fits. */
const session = {
  /** The session is as long as this service, else as the site's usual one; each within the specialist's own lengths. */
  serviceId: serviceIdShape.optional(),
  sessionType: z.enum(sessionTypes).optional(),
  time: z.enum(meetingTimes).optional(),
  /** Whose days and hours `time` means; the site's zone where none is named. */
  timeZone: timeZoneName.optional(),
};

const findInput = z.object({
  ...session,
  kind: z.enum(['doctor', 'pastor']).optional(),
  tradition: word.optional(),
  faithPart: z.enum(faithParts).optional(),
  language: word.optional(),
  /** A town in which they receive people. */
  place: word.optional(),
  order: z.enum(orders).default('directory'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(mostShown - 1)
    .default(0),
  limit: z.coerce.number().int().min(1).max(mostShown).default(12),
});

export type FindInput = z.infer<typeof findInput>;

const found = z.object({
  specialists: z.array(specialist),
  /** Whether others follow. */
  more: z.boolean(),
  /** How many there are in all; null where there are more than are counted. */
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

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const nextStarts = z.object({
  providerId: z.uuid(),
  /** How long the session is that was looked for, in minutes. */
  durationMinutes: z.number().int(),
  /** The first three within the next 14 days, or the first one beyond; ascending. */
  starts: z.array(instant),
});

export type NextStarts = z.infer<typeof nextStarts>;

export const findingContract = {
  /** The listed specialists who fit, page by page. */
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
  /** What listed specialists can be narrowed down by, each with how many there are; most first. */
  choices: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/find/choices' })
    .output(choices),
  /** The next free starts of listed specialists, for the person who asks; others are left out. */
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
        /** Ids of at most 24 specialists, with commas between them. */
        providerIds: z
          .string()
          .max(mostAsked * 37)
          .regex(new RegExp(`^${uuid}(,${uuid})*$`)),
      }),
    )
    .output(z.array(nextStarts)),
};
