import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { calendarDate } from '../goals/contract.ts';

/** From 1 (heavy) to 5 (light). */
const mood = z.number().int().min(1).max(5);

const entryView = z.object({
  id: uuid,
  title: z.string().nullable(),
  text: z.string(),
  mood: mood.nullable(),
  date: calendarDate,
  createdAt: instant,
  updatedAt: instant,
  version: z.number().int(),
});

export type EntryView = z.infer<typeof entryView>;

const entryWords = {
  title: line.max(200).optional(),
  text: lines.min(1).max(15_000),
  mood: mood.optional(),
  /** Defaults to today; can't be later. */
  date: calendarDate.optional(),
};

export type EntryInput = z.infer<z.ZodObject<typeof entryWords>>;

/** Repeating a creation by id changes the first. */
const newEntry = z.object({ entryId: uuid.optional(), ...entryWords });
export type NewEntry = z.infer<typeof newEntry>;

const one = z.object({ entryId: uuid });

const entryChange = one.extend({
  /** Conflict `changed_meanwhile` if outdated. */
  version: z.number().int().min(1).max(2_147_483_647).optional(),
  ...entryWords,
});
export type EntryChange = z.infer<typeof entryChange>;

/** Covers only the caller's own journal. */
export const journalContract = {
  /** Lists months with entries, latest first. */
  months: procedure
    .meta({ access: 'signed_in' })
    .route({ method: 'GET', path: '/journal/months' })
    .output(z.array(z.object({ month: z.string(), count: z.number().int() }))),
  /** Lists entries, latest date first; `beforeDate` and `beforeId` form the cursor. */
  list: procedure
    .meta({
      access: 'signed_in',
      example: ({ id }) => ({
        month: '2026-03',
        beforeDate: '2026-03-02',
        beforeId: id,
        limit: 10,
      }),
    })
    .route({ method: 'GET', path: '/journal' })
    .input(
      z.object({
        month: z
          .string()
          .regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/)
          .optional(),
        beforeDate: calendarDate.optional(),
        beforeId: uuid.optional(),
        limit: z.coerce.number().int().min(1).max(50).default(10),
      }),
    )
    .output(z.object({ entries: z.array(entryView), more: z.boolean() })),
  write: procedure
    .meta({
      access: 'signed_in',
      writes: ['journal_entry_written service_management journal_entry'],
      example: ({ id }) => ({
        entryId: id,
        title: 'A day',
        text: 'It was quiet.',
        mood: 4,
        date: '2026-03-02',
      }),
    })
    .route({ method: 'POST', path: '/journal', successStatus: 201 })
    .input(newEntry)
    .output(entryView),
  change: procedure
    .meta({
      access: 'signed_in',
      writes: ['journal_entry_changed service_management journal_entry'],
      example: ({ id }) => ({
        entryId: id,
        version: 1,
        title: 'A day',
        text: 'It was quiet.',
        mood: 4,
        date: '2026-03-02',
      }),
    })
    .route({ method: 'POST', path: '/journal/{entryId}' })
    .input(entryChange)
    .output(entryView),
  /** Deletes permanently. */
  remove: procedure
    .meta({
      access: 'signed_in',
      writes: ['journal_entry_removed service_management journal_entry'],
      example: ({ id }) => ({ entryId: id }),
    })
    .route({ method: 'POST', path: '/journal/{entryId}/remove' })
    .input(one)
    .output(z.object({ id: uuid })),
};
