import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { rest } from './rest/contract.ts';
import { ownTerms } from './terms/contract.ts';

/** Temporal accepts at most nine fractional digits. */
export const instant = z.iso.datetime({ offset: false }).max('2026-03-02T12:00:00.000000000Z'.length);

/** `YYYY-MM-DD`, restricted to plausible years. */
const date = z.iso.date().regex(/^2\d/);

/** Provider's wall clock, up to `24:00`. Rules validate it, for specific errors. */
const wallTime = z.string().max(5);

const note = line.max(200).default('');

const wallWindow = z.object({ from: wallTime, to: wallTime, placeId: uuid.nullable().default(null) });

const weeklyWindow = wallWindow.extend({
  /** ISO weekday: 1 is Monday, 7 is Sunday. */
  weekday: z.number().int().min(1).max(7),
});

const week = z.object({
  timeZone: timeZoneName,
  weekly: z.array(weeklyWindow).max(84),
  terms: ownTerms,
  rest,
});

export const availabilityDraft = week;

export type AvailabilityDraft = z.infer<typeof availabilityDraft>;

/** No windows means a day off. */
export const dateHours = z.object({ date, windows: z.array(wallWindow).max(12) });

const dateView = dateHours.extend({
  note: z.string(),
  holiday: z.string().nullable(),
});

const availabilityView = week.extend({
  /** Send it back when saving; dates, blocks and holidays don't change it. */
  version: z.number().int(),
  approvesFirst: z.boolean(),
  /** From today, ascending. */
  dates: z.array(dateView),
  places: z.array(z.object({ id: uuid, name: z.string(), town: z.string() })),
  /** A provider's terms can only be stricter. */
  site: z.object({
    bufferMinutes: z.number().int(),
    noticeHours: z.number().int(),
    dailyMaximum: z.number().int(),
    /** Minutes, ascending. */
    sessionLengths: z.array(z.number().int()),
  }),
  today: date,
});

export type AvailabilityView = z.infer<typeof availabilityView>;

const blockView = z.object({ id: uuid, startsAt: instant, endsAt: instant, note: z.string() });

export type BlockView = z.infer<typeof blockView>;

const blockInput = z.object({ startsAt: instant, endsAt: instant, note });

/** Country (`US`) or state (`US-CA`). */
const region = z.string().regex(/^[A-Z]{2}(-[A-Z0-9]{1,4})?$/);

const holidaysView = z.object({
  regions: z.array(z.object({ id: region, name: z.string() })),
  kept: z.object({ region, names: z.array(z.string()) }).nullable(),
  /** Sorted by next date. */
  holidays: z.array(
    z.object({
      name: z.string(),
      isPublic: z.boolean(),
      isKept: z.boolean(),
      /** Next 24 months, ascending. */
      dates: z.array(date),
    }),
  ),
});

export type HolidaysView = z.infer<typeof holidaysView>;

const city = z.object({
  name: z.string(),
  region: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timeZone: z.string(),
});

export type City = z.infer<typeof city>;

const own = procedure.meta({ access: ['manage_own_availability'] });

/** For the client's view see `appointments.previewAvailability`. */
export const availabilityContract = {
  mine: own
    .meta({ scope: 'availability:read' })
    .route({ method: 'GET', path: '/me/availability' })
    .output(availabilityView),
  /** Throws `conflict`, `changed_meanwhile` after another save. */
  save: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.saved service_management provider'],
      example: () => ({
        version: 1,
        timeZone: 'America/New_York',
        weekly: [{ weekday: 1, from: '09:00', to: '12:00', placeId: null }],
        terms: { sessionLengths: [30, 60], bufferMinutes: 30, noticeHours: 48, dailyMaximum: 5 },
        rest: { kind: 'sabbath', place: { name: 'Jerusalem', latitude: 31.8, longitude: 35.2 } },
      }),
    })
    .route({ method: 'POST', path: '/me/availability' })
    .input(week.extend({ version: z.number().int().min(1) }))
    .output(availabilityView),
  /** Up to 366 dates; no windows means days off. */
  setDates: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.dates_set service_management provider'],
      example: ({ startsAt, endsAt }) => ({
        from: startsAt.slice(0, 10),
        to: endsAt.slice(0, 10),
        windows: [{ from: '09:00', to: '12:00' }],
        note: 'The conference.',
        replaces: { from: startsAt.slice(0, 10), to: endsAt.slice(0, 10) },
      }),
    })
    .route({ method: 'POST', path: '/me/availability/dates' })
    .input(
      z.object({
        from: date,
        to: date.optional(),
        windows: z.array(wallWindow).max(12),
        note,
        /** Dates of the edited entry. */
        replaces: z.object({ from: date, to: date }).optional(),
      }),
    )
    .output(availabilityView),
  /** Restores weekly hours, even on observed holidays. */
  removeDate: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.dates_removed service_management provider'],
      example: ({ startsAt, endsAt }) => ({ from: startsAt.slice(0, 10), to: endsAt.slice(0, 10) }),
    })
    .route({ method: 'POST', path: '/me/availability/dates/remove' })
    .input(z.object({ from: date, to: date.optional() }))
    .output(availabilityView),
  holidays: own
    .meta({ scope: 'availability:read', example: () => ({ region: 'US' }) })
    .route({ method: 'GET', path: '/me/availability/holidays' })
    .input(z.object({ region: region.optional() }))
    .output(holidaysView),
  /** Replaces all observed holidays; date overrides stay. */
  saveHolidays: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.holidays_kept service_management provider'],
      example: () => ({ region: 'US', names: ['Christmas Day'] }),
    })
    .route({ method: 'POST', path: '/me/availability/holidays' })
    .input(z.object({ region, names: z.array(line.min(1).max(200)).max(200) }))
    .output(holidaysView),
  /** Up to 20 by prefix, largest first. */
  cities: own
    .meta({ example: () => ({ query: 'Chicago' }) })
    .route({ method: 'GET', path: '/cities' })
    .input(z.object({ query: line.min(1).max(100) }))
    .output(z.array(city)),
  /** A repeat updates the block; appointments stay. */
  block: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.blocked service_management provider'],
      example: ({ startsAt, endsAt }) => ({ startsAt, endsAt, note: 'The dentist.' }),
    })
    .route({ method: 'POST', path: '/me/availability/blocks', successStatus: 201 })
    .input(blockInput)
    .output(blockView),
  changeBlock: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.block_changed service_management provider'],
      example: ({ id, startsAt, endsAt }) => ({ blockId: id, startsAt, endsAt, note: 'The dentist.' }),
    })
    .route({ method: 'POST', path: '/me/availability/blocks/{blockId}' })
    .input(blockInput.extend({ blockId: uuid }))
    .output(blockView),
  unblock: own
    .meta({
      scope: 'availability:write',
      writes: ['availability.unblocked service_management provider'],
      example: ({ id }) => ({ blockId: id }),
    })
    .route({ method: 'POST', path: '/me/availability/blocks/{blockId}/remove' })
    .input(z.object({ blockId: uuid }))
    .output(z.object({ id: uuid })),
  setApproval: own
    .meta({
      writes: ['availability.approval_set service_management provider'],
      example: () => ({ approvesFirst: true }),
    })
    .route({ method: 'POST', path: '/me/availability/approval' })
    .input(z.object({ approvesFirst: z.boolean() }))
    .output(z.object({ approvesFirst: z.boolean() })),
};
