import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';
import { overviewView } from './overview/contract.ts';
import { actorKind } from '#/features/audit/contract.ts';
import { backupsStatus } from '#/features/backups/contract.ts';

const part = z.object({ well: z.boolean() });
const seconds = z.number().int().nullable();

/** Measured on request; each part passes or fails. */
const healthView = z.object({
  checkedAt: z.iso.datetime(),
  percent: z.number().int(),
  database: part.extend({ milliseconds: z.number().int() }),
  queue: part.extend({
    /** Age of the oldest overdue job. */
    oldestSeconds: seconds,
    /** Jobs failed for good in the last day. */
    failed: z.number().int(),
  }),
  mail: part.extend({
    /** False without a mail server: emails are stored but not sent. */
    sends: z.boolean(),
    unsent: z.number().int(),
    oldestSeconds: seconds,
    /** An administrator must resend or dismiss them. */
    undelivered: z.number().int(),
    /** Within the last day. */
    lastFailureAt: z.iso.datetime().nullable(),
  }),
  disk: part.extend({
    freeBytes: z.number().int(),
    totalBytes: z.number().int(),
    writable: z.boolean(),
  }),
  backups: part.extend(backupsStatus.shape),
  /** Result of the last daily chain check. */
  audit: part.extend({
    checkedAt: z.iso.datetime().nullable(),
    entries: z.number().int(),
    broken: z.boolean(),
    /** The app's database role can't disable log protections. */
    guarded: z.boolean(),
  }),
  /** Timed work of this process since its start. */
  schedules: part.extend({
    tasks: z.array(
      z.object({
        name: z.string(),
        everySeconds: z.number(),
        /** The latest start; that run may still last. */
        startedAt: z.iso.datetime(),
        /** Null until a run has finished. */
        endedAt: z.iso.datetime().nullable(),
        milliseconds: z.number().int().nullable(),
        /** Whether the last finished run failed. */
        failing: z.boolean(),
        failedAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
  /** Server errors across all processes. */
  errors: part.extend({ lastHour: z.number().int() }),
});

export type HealthView = z.infer<typeof healthView>;

const date = z.iso.date().regex(/^2\d/);

/** Inclusive, in the site's time zone; defaults to six months. */
export const reportRange = z.object({ from: date.optional(), to: date.optional() });

const reportView = z.object({
  timeZone: z.string(),
  today: z.iso.date(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Oldest first; edges may be partial months. */
  months: z.array(
    z.object({
      /** `YYYY-MM`. */
      month: z.string(),
      /** Confirmed or completed sessions that have started. */
      sessions: z.number().int(),
      /** At the month's end, or now. */
      users: z.number().int(),
    }),
  ),
  sessions: z.number().int(),
  /**
   * Booked share of listed providers' weekly hours; canceled appointments don't count. Uses today's hours without date
   * overrides, from each provider's join date.
   */
  utilisation: z.object({
    percent: z.number().int().nullable(),
    bookedMinutes: z.number().int(),
    offeredMinutes: z.number().int(),
  }),
  /** Mean to one decimal; satisfied means 4 or 5 stars. */
  ratings: z.object({
    mean: z.number().nullable(),
    satisfied: z.number().int().nullable(),
    count: z.number().int(),
  }),
  /** Whole minutes. */
  sessionMinutes: z.number().int().nullable(),
});

export type ReportView = z.infer<typeof reportView>;

const tally = z.object({
  sessions: z.number().int(),
  hours: z.number(),
  noShows: z.number().int(),
  cancelled: z.number().int(),
  /** One decimal; null without approved reviews. */
  rating: z.number().nullable(),
  reviews: z.number().int(),
});

const ownAnalytics = z.object({
  timeZone: z.string(),
  /** Twelve months, oldest first; `month` is `2026-03`. */
  months: z.array(tally.extend({ month: z.string() })),
  total: tally,
});

export type OwnAnalytics = z.infer<typeof ownAnalytics>;
export type Tally = z.infer<typeof tally>;

/** Most urgent first. */
export const concerns = [
  'audit',
  'backups',
  'applications',
  'credentials',
  'licensesEnded',
  'sessions',
  'messages',
  'reviews',
  'replies',
  'resources',
  'licensesEnding',
  'undelivered',
] as const;

export type Concern = (typeof concerns)[number];

/** What needs an administrator, most urgent first. Omits what the person can't access. */
const attentionView = z.array(z.object({ concern: z.enum(concerns), count: z.number().int().min(1) }));

export type AttentionView = z.infer<typeof attentionView>;

/** Newest first. */
const activityView = z.array(
  z.object({
    id: uuid,
    at: z.iso.datetime(),
    actor: z.object({
      kind: actorKind,
      /** Null for erased accounts. */
      name: z.string().nullable(),
    }),
    action: z.string(),
    success: z.boolean(),
  }),
);

export type ActivityView = z.infer<typeof activityView>;

export const analyticsContract = {
  overview: procedure
    .meta({ access: ['view_analytics'], scope: 'reports:read' })
    .route({ method: 'GET', path: '/analytics/overview' })
    .output(overviewView),
  attention: procedure
    .meta({ access: ['access_admin_panel'] })
    .route({ method: 'GET', path: '/analytics/attention' })
    .output(attentionView),
  activity: procedure
    .meta({ access: ['view_analytics'] })
    .route({ method: 'GET', path: '/analytics/activity' })
    .output(activityView),
  report: procedure
    .meta({
      access: ['view_analytics'],
      scope: 'reports:read',
      example: () => ({ from: '2026-01-01', to: '2026-03-01' }),
    })
    .route({ method: 'GET', path: '/analytics/report' })
    .input(reportRange)
    .output(reportView),
  health: procedure
    .meta({ access: ['view_analytics'], scope: 'health:read' })
    .route({ method: 'GET', path: '/analytics/health' })
    .output(healthView),
  own: procedure
    .meta({ access: ['view_own_analytics'] })
    .route({ method: 'GET', path: '/analytics/own' })
    .output(ownAnalytics),
};
