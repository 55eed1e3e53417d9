import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';

/** A day of any year, MM-DD; which of them exist is decided by the query. */
const day = z.string().regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);

/** A day's title, as others lead to it. */
const headed = z.object({ day: z.string(), title: z.string(), reference: z.string() });

/** A day's passage with our words about it. */
const words = headed.extend({
  text: z.string(),
  thought: z.string(),
  /** A prayer, or a question to take along. */
  prayer: z.string(),
});

const devotional = words.extend({ previous: headed, next: headed });

/** A day as administrators edit it. */
const entry = words.extend({
  version: z.number().int(),
  /** Null: it is as it came. */
  editedAt: z.iso.datetime().nullable(),
  /** Null: nobody, or somebody who is gone. */
  editedBy: z.string().nullable(),
});

export type DevotionalHead = z.infer<typeof headed>;
export type DevotionalWords = z.infer<typeof words>;
export type Devotional = z.infer<typeof devotional>;
export type DevotionalEntry = z.infer<typeof entry>;

const edit = z.object({
  day,
  /** The version that was seen; another one answers conflict `changed_meanwhile`. */
  version: z.number().int().min(1).max(1_000_000),
  title: line.min(1).max(200),
  reference: line.min(1).max(100),
  text: lines.min(1).max(2_000),
  thought: lines.min(1).max(1_000),
  prayer: lines.min(1).max(1_000),
});

export type DevotionalEdit = z.infer<typeof edit>;

const editors = ['moderate_content'] as const;

export const devotionalsContract = {
  /** The day that it is in a zone, the site's by default. */
  today: procedure
    .meta({ access: 'public', example: () => ({ timeZone: 'America/Chicago' }) })
    .route({ method: 'GET', path: '/devotional' })
    .input(z.object({ timeZone: timeZoneName.optional() }))
    .output(devotional),
  byDay: procedure
    .meta({ access: 'public', example: () => ({ day: '05-05' }) })
    .route({ method: 'GET', path: '/devotionals/{day}' })
    .input(z.object({ day }))
    .output(devotional),
  /** The days of a month, or those that have these words, in their order. */
  year: procedure
    .meta({ access: editors, example: () => ({ month: 5, search: 'light' }) })
    .route({ method: 'GET', path: '/admin/devotionals' })
    .input(
      z.object({
        month: z.coerce.number().int().min(1).max(12).optional(),
        search: line.min(1).max(100).optional(),
      }),
    )
    .output(z.array(headed.extend({ edited: z.boolean() }))),
  entry: procedure
    .meta({ access: editors, example: () => ({ day: '05-05' }) })
    .route({ method: 'GET', path: '/admin/devotionals/{day}' })
    .input(z.object({ day }))
    .output(entry),
  edit: procedure
    .meta({
      access: editors,
      writes: ['devotional_edited service_management'],
      example: () => ({
        day: '05-05',
        version: 1,
        title: 'Wind and fire',
        reference: 'Acts 2:2-4',
        text: 'Suddenly there came from the sky a sound.',
        thought: 'A thought.',
        prayer: 'A prayer.',
      }),
    })
    .route({ method: 'POST', path: '/admin/devotionals/{day}' })
    .input(edit)
    .output(entry),
};
