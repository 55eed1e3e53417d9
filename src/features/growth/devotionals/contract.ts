import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';

/** The query rejects days that don't exist. */
const day = z.string().regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/);

const headed = z.object({ day: z.string(), title: z.string(), reference: z.string() });

const words = headed.extend({
  text: z.string(),
  thought: z.string(),
  /** A prayer or a question for reflection. */
  prayer: z.string(),
});

const devotional = words.extend({ previous: headed, next: headed });

const entry = words.extend({
  version: z.number().int(),
  /** Null: original text. */
  editedAt: z.iso.datetime().nullable(),
  /** Null if never edited, or if the editor's account was deleted. */
  editedBy: z.string().nullable(),
});

export type DevotionalHead = z.infer<typeof headed>;
export type DevotionalText = z.infer<typeof words>;
export type Devotional = z.infer<typeof devotional>;
export type DevotionalEntry = z.infer<typeof entry>;

const edit = z.object({
  day,
  /** Last seen; conflict `changed_meanwhile` if outdated. */
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
  /** Defaults to the site's time zone. */
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
  /** Lists days in calendar order. */
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
