import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';

/** The five categories of the administrator spec, section 4; bookings are filed under `service_management`. */
const auditCategories = [
  'user_management',
  'provider_approval',
  'system_settings',
  'security',
  'service_management',
] as const;

export type AuditCategories = typeof auditCategories;

/** The longest words that are searched for. */
const longestSearch = 200;

export type LongestSearch = typeof longestSearch;

/** An instant in UTC that calendars of all parts can tell. */
const instant = z.iso.datetime({ offset: false }).max('2026-03-02T12:00:00.000000000Z'.length).regex(/^[12]/);

/** From when, and until before when. */
const span = z.object({ from: instant.optional(), to: instant.optional() });

/** How the log is written to a file. */
export const logFormats = ['csv', 'json'] as const;

export type LogFormat = (typeof logFormats)[number];

/** Which entries are asked for. */
const logFilter = span.extend({
  /** Words that stand in who acted, in what was done, or in its details; or the whole number of something. */
  search: line.max(longestSearch).default(''),
  category: z.enum(auditCategories).optional(),
});

export type LogFilter = z.infer<typeof logFilter>;

/** The spec's audit entry. */
const logEntry = z.object({
  id: z.uuid(),
  at: instant,
  actor: z.object({
    kind: z.enum(['person', 'guest', 'job', 'system']),
    id: z.uuid().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  action: z.string(),
  category: z.enum(auditCategories),
  subject: z.object({ kind: z.string(), id: z.uuid().nullable(), name: z.string().nullable() }).nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  success: z.boolean(),
});

export type LogEntry = z.infer<typeof logEntry>;

/** How much was done in a span of time, and by how many people. */
const logFigures = z.object({
  total: z.number().int(),
  successful: z.number().int(),
  failed: z.number().int(),
  activeUsers: z.number().int(),
  categories: z.record(z.enum(auditCategories), z.number().int()),
});

export type LogFigures = z.infer<typeof logFigures>;

// The log tells what everybody does: more than the panel shows of anyone.
const administrator = procedure.meta({ access: ['view_all_data'] });

export const auditContract = {
  /**
   * The newest entries first; the next page is asked for with the time and the id of the last one that was read. Posted,
   * since names and addresses don't belong into a URL.
   */
  list: administrator
    .meta({
      writes: ['audit.log_read security'],
      example: ({ id, startsAt, endsAt }) => ({
        search: 'booking',
        category: 'security',
        from: startsAt,
        to: endsAt,
        beforeAt: startsAt,
        beforeId: id,
        limit: 10,
      }),
    })
    .route({ method: 'POST', path: '/admin/audit-log/search' })
    .input(
      logFilter.extend({
        beforeAt: instant.optional(),
        beforeId: z.uuid().optional(),
        limit: z.number().int().min(1).max(100).default(25),
      }),
    )
    .output(
      z.object({
        entries: z.array(logEntry),
        more: z.boolean(),
        /** The words are those of more people than are looked for at once: more letters narrow them. */
        manyPeople: z.boolean(),
      }),
    ),
  figures: administrator
    .meta({ example: ({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }) })
    .route({ method: 'GET', path: '/admin/audit-log/figures' })
    .input(span)
    .output(logFigures),
  /** Where a file of what is asked for can be taken, by who asks alone; what they ask for stands sealed in its address. */
  export: procedure
    .meta({
      access: ['view_all_data'],
      unlogged: 'asks',
      example: ({ startsAt, endsAt }) => ({
        search: 'booking',
        category: 'security',
        from: startsAt,
        to: endsAt,
        format: 'csv',
      }),
    })
    .route({ method: 'POST', path: '/admin/audit-log/export' })
    .input(logFilter.extend({ format: z.enum(logFormats) }))
    .output(z.object({ path: z.string() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    audit: typeof auditContract;
  }
}
