import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';

/** What can be kept free of sessions every week; a Sabbath runs from Friday's sunset to Saturday's. */
const restKinds = ['none', 'sunday', 'sabbath'] as const;

export type RestKind = (typeof restKinds)[number];

/** An instant in UTC, ISO 8601, with at most the nine digits of a second's fraction that Temporal reads. */
export const instant = z.iso.datetime({ offset: false }).max('2026-03-02T12:00:00.000000000Z'.length);

/** A calendar day, `YYYY-MM-DD`, in years that schedules are made for. */
const date = z.iso.date().regex(/^2\d/);

/** `HH:MM` on the provider's wall clock, up to `24:00`; which of them make sense is decided by the rules, with a word for each. */
const wallTime = z.string().max(5);

const note = line.max(200).default('');

/** Hours of one day; sessions in person are held at their place, which is one of the provider's own. */
const wallWindow = z.object({ from: wallTime, to: wallTime, placeId: z.uuid().nullable().default(null) });

const weeklyWindow = wallWindow.extend({
  /** ISO: 1 is Monday, 7 is Sunday. */
  weekday: z.number().int().min(1).max(7),
});

/** A provider's own terms; null is the site's. */
const ownTerms = z.object({
  /** Minutes, of 30, 60, 90 and the services' own. */
  sessionLengths: z.array(z.number().int().min(15).max(240)).min(1).max(10).nullable(),
  bufferMinutes: z.number().int().min(0).max(120).nullable(),
  noticeHours: z.number().int().min(0).max(720).nullable(),
  dailyMaximum: z.number().int().min(1).max(100).nullable(),
});

export type OwnTerms = z.infer<typeof ownTerms>;

/** Where the sun is watched; without a zone of its own it has the provider's. */
const restPlace = z.object({
  name: line.min(1).max(200),
  /** Degrees, north and east positive. */
  latitude: z.number(),
  longitude: z.number(),
  timeZone: timeZoneName.nullable().default(null),
});

/** The place is kept when another kind is chosen, but only a Sabbath needs it. */
const rest = z.object({ kind: z.enum(restKinds), place: restPlace.nullable().default(null) });

/** What is stored in one act: the hours of every week, with what narrows them. */
const week = z.object({
  timeZone: timeZoneName,
  weekly: z.array(weeklyWindow).max(84),
  terms: ownTerms,
  rest,
});

/** Hours as they are being edited, before they are stored. */
export const availabilityDraft = week;

export type AvailabilityDraft = z.infer<typeof availabilityDraft>;

/** A date's hours in place of the weekly ones; without any it is a day off. */
export const dateHours = z.object({ date, windows: z.array(wallWindow).max(12) });

const dateView = dateHours.extend({
  note: z.string(),
  /** The holiday's name where the day is off because the provider keeps it. */
  holiday: z.string().nullable(),
});

const availabilityView = week.extend({
  /** To be sent back when the week is saved; dates, blocks and holidays don't change it. */
  version: z.number().int(),
  approvesFirst: z.boolean(),
  /** The dates from today on, in the provider's zone, that have hours of their own, ascending. */
  dates: z.array(dateView),
  /** The provider's own places that aren't closed, in their order. */
  places: z.array(z.object({ id: z.uuid(), name: z.string(), town: z.string() })),
  /** What the site asks: own terms may not be easier. */
  site: z.object({
    bufferMinutes: z.number().int(),
    noticeHours: z.number().int(),
    dailyMaximum: z.number().int(),
    /** Every length that a session with this provider may have, in minutes, ascending. */
    sessionLengths: z.array(z.number().int()),
  }),
  /** The date in the provider's zone now. */
  today: date,
});

export type AvailabilityView = z.infer<typeof availabilityView>;

const blockView = z.object({ id: z.uuid(), startsAt: instant, endsAt: instant, note: z.string() });

export type BlockView = z.infer<typeof blockView>;

const blockInput = z.object({ startsAt: instant, endsAt: instant, note });

/** A country such as `US`, or a state such as `US-CA`. */
const region = z.string().regex(/^[A-Z]{2}(-[A-Z0-9]{1,4})?$/);

const holidaysView = z.object({
  regions: z.array(z.object({ id: region, name: z.string() })),
  /** The holidays that are kept, by name, of one region; null: none. */
  kept: z.object({ region, names: z.array(z.string()) }).nullable(),
  /** Those of the region that was asked for, else of the kept one, by their next date. */
  holidays: z.array(
    z.object({
      name: z.string(),
      /** Whether most people have the day off there. */
      isPublic: z.boolean(),
      isKept: z.boolean(),
      /** Of the next 24 months, ascending. */
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

/** A provider's own working hours; what a client would see of them is `booking.previewAvailability`. */
export const availabilityContract = {
  mine: own.route({ method: 'GET', path: '/me/availability' }).output(availabilityView),
  /** Stores week, terms, rest and zone together, or nothing: `conflict`, `changed_meanwhile` where another save came first. */
  save: own
    .meta({
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
  /** Gives a date, or each of a range of up to 366 dates, hours in place of the weekly ones; without windows it is off. */
  setDates: own
    .meta({
      writes: ['availability.dates_set service_management provider'],
      example: ({ startsAt, endsAt }) => ({
        from: startsAt.slice(0, 10),
        to: endsAt.slice(0, 10),
        windows: [{ from: '09:00', to: '12:00' }],
        note: 'The conference.',
      }),
    })
    .route({ method: 'POST', path: '/me/availability/dates' })
    .input(z.object({ from: date, to: date.optional(), windows: z.array(wallWindow).max(12), note }))
    .output(availabilityView),
  /** Lets a date, or each of a range, have the weekly hours again; a kept holiday's date, too. */
  removeDate: own
    .meta({
      writes: ['availability.dates_removed service_management provider'],
      example: ({ startsAt, endsAt }) => ({ from: startsAt.slice(0, 10), to: endsAt.slice(0, 10) }),
    })
    .route({ method: 'POST', path: '/me/availability/dates/remove' })
    .input(z.object({ from: date, to: date.optional() }))
    .output(availabilityView),
  holidays: own
    .meta({ example: () => ({ region: 'US' }) })
    .route({ method: 'GET', path: '/me/availability/holidays' })
    .input(z.object({ region: region.optional() }))
    .output(holidaysView),
  /** Takes these holidays of a region off, and no others; none of them is none. Own dates stay as they are. */
  keepHolidays: own
    .meta({
      writes: ['availability.holidays_kept service_management provider'],
      example: () => ({ region: 'US', names: ['Christmas Day'] }),
    })
    .route({ method: 'POST', path: '/me/availability/holidays' })
    .input(z.object({ region, names: z.array(line.min(1).max(200)).max(200) }))
    .output(holidaysView),
  /** Cities whose name begins as typed, largest first, at most 20. */
  cities: own
    .meta({ example: () => ({ query: 'Chicago' }) })
    .route({ method: 'GET', path: '/cities' })
    .input(z.object({ query: line.min(1).max(100) }))
    .output(z.array(city)),
  /** Blocks a span once; the same span again is the same block. Sessions that stand in it stay. */
  block: own
    .meta({
      writes: ['availability.blocked service_management provider'],
      example: ({ startsAt, endsAt }) => ({ startsAt, endsAt, note: 'The dentist.' }),
    })
    .route({ method: 'POST', path: '/me/availability/blocks', successStatus: 201 })
    .input(blockInput)
    .output(blockView),
  changeBlock: own
    .meta({
      writes: ['availability.block_changed service_management provider'],
      example: ({ id, startsAt, endsAt }) => ({ blockId: id, startsAt, endsAt, note: 'The dentist.' }),
    })
    .route({ method: 'POST', path: '/me/availability/blocks/{blockId}' })
    .input(blockInput.extend({ blockId: z.uuid() }))
    .output(blockView),
  unblock: own
    .meta({
      writes: ['availability.unblocked service_management provider'],
      example: ({ id }) => ({ blockId: id }),
    })
    .route({ method: 'POST', path: '/me/availability/blocks/{blockId}/remove' })
    .input(z.object({ blockId: z.uuid() }))
    .output(z.object({ id: z.uuid() })),
  /** Whether bookings wait until the provider confirms them. */
  setApproval: own
    .meta({
      writes: ['availability.approval_set service_management provider'],
      example: () => ({ approvesFirst: true }),
    })
    .route({ method: 'POST', path: '/me/availability/approval' })
    .input(z.object({ approvesFirst: z.boolean() }))
    .output(z.object({ approvesFirst: z.boolean() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    availability: typeof availabilityContract;
  }
}
