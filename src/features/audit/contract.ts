import { z } from 'zod';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { auditCategories } from './actions/rules.ts';
import { longestSearch } from './rules.ts';

/** UTC, limited to years every part of the stack parses. */
const instant = z.iso.datetime({ offset: false }).max('2026-03-02T12:00:00.000000000Z'.length).regex(/^[12]/);

/** `to` is exclusive. */
const span = z.object({ from: instant.optional(), to: instant.optional() });

export const logFormats = ['csv', 'json'] as const;

export type LogFormat = (typeof logFormats)[number];

const logFilter = span.extend({
  /** Free text, or a full id. */
  search: line.max(longestSearch).default(''),
  category: z.enum(auditCategories).optional(),
});

export type LogFilter = z.infer<typeof logFilter>;

export const actorKind = z.enum(['person', 'guest', 'job', 'system', 'site_token']);

const logEntry = z.object({
  id: uuid,
  at: instant,
  actor: z.object({
    kind: actorKind,
    id: uuid.nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  action: z.string(),
  category: z.enum(auditCategories),
  subject: z.object({ kind: z.string(), id: uuid.nullable(), name: z.string().nullable() }).nullable(),
  details: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  success: z.boolean(),
});

export type LogEntry = z.infer<typeof logEntry>;

const logFigures = z.object({
  total: z.number().int(),
  successful: z.number().int(),
  failed: z.number().int(),
  activeUsers: z.number().int(),
  categories: z.record(z.enum(auditCategories), z.number().int()),
});

export type LogFigures = z.infer<typeof logFigures>;

// Stricter than the admin panel: the log shows everyone's activity.
const administrator = procedure.meta({ access: ['view_all_data'], scope: 'audit:read' });

export const auditContract = {
  /** Returns entries newest first; the cursor is the last entry. POST keeps names and emails out of URLs. */
  list: administrator
    .meta({
      writes: ['audit.log_read security'],
      example: ({ id, startsAt, endsAt }) => ({
        search: 'booking',
        category: 'security',
        about: [id],
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
        /** Only entries by or about these ids; replaces the search. */
        about: z.array(uuid).min(1).max(4).optional(),
        beforeAt: instant.optional(),
        beforeId: uuid.optional(),
        limit: z.number().int().min(1).max(100).default(25),
      }),
    )
    .output(
      z.object({
        entries: z.array(logEntry),
        more: z.boolean(),
        /** More people matched than one search covers. */
        manyPeople: z.boolean(),
      }),
    ),
  figures: administrator
    .meta({ example: ({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }) })
    .route({ method: 'GET', path: '/admin/audit-log/figures' })
    .input(span)
    .output(logFigures),
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
