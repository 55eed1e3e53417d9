import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';

/** `YYYY-MM-DD`, limited to supported years. */
export const calendarDate = z.iso.date().regex(/^(19|2\d)/);

const words = line.min(1).max(200);

const stepView = z.object({
  id: uuid,
  text: z.string(),
  dueOn: calendarDate.nullable(),
  doneAt: instant.nullable(),
});

export const goalView = z.object({
  id: uuid,
  title: z.string(),
  why: z.string().nullable(),
  dueOn: calendarDate.nullable(),
  createdAt: instant,
  achievedAt: instant.nullable(),
  version: z.number().int(),
  steps: z.array(stepView),
});

export type GoalView = z.infer<typeof goalView>;

/** Steps with an id keep their completion date. */
const goalWords = {
  title: words,
  why: lines.max(1_000).optional(),
  dueOn: calendarDate.optional(),
  steps: z
    .array(z.object({ id: uuid.optional(), text: words, dueOn: calendarDate.optional() }))
    .max(30)
    .default([]),
};

export type GoalInput = z.infer<z.ZodObject<typeof goalWords>>;

const changedGoal = z.object({
  goalId: uuid,
  ...goalWords,
  /** The version to replace; left out, any. */
  version: z.number().int().min(1).max(2_147_483_647).optional(),
});
export type GoalChange = z.infer<typeof changedGoal>;

/** Repeating a creation by id changes the first. */
const newGoal = z.object({ goalId: uuid.optional(), ...goalWords });
export type NewGoal = z.infer<typeof newGoal>;

const one = z.object({ goalId: uuid });

export const goalsContract = {
  /** Lists goals newest first. */
  list: procedure
    .meta({ access: 'signed_in', example: () => ({ state: 'open', limit: 10, offset: 0 }) })
    .route({ method: 'GET', path: '/goals' })
    .input(
      z.object({
        state: z.enum(['open', 'achieved']),
        limit: z.coerce.number().int().min(1).max(100).default(50),
        offset: z.coerce.number().int().min(0).max(10_000).default(0),
      }),
    )
    .output(z.object({ goals: z.array(goalView), more: z.boolean() })),
  add: procedure
    .meta({
      access: 'signed_in',
      writes: ['goal_added service_management goal'],
      example: ({ id }) => ({
        goalId: id,
        title: 'Walk every day',
        why: 'To be well.',
        dueOn: '2026-05-01',
        steps: [{ text: 'Buy shoes', dueOn: '2026-04-01' }],
      }),
    })
    .route({ method: 'POST', path: '/goals', successStatus: 201 })
    .input(newGoal)
    .output(goalView),
  change: procedure
    .meta({
      access: 'signed_in',
      writes: ['goal_changed service_management goal'],
      example: ({ id }) => ({
        goalId: id,
        title: 'Walk every day',
        why: 'To be well.',
        dueOn: '2026-05-01',
        steps: [{ text: 'Buy shoes' }],
        version: 1,
      }),
    })
    .route({ method: 'POST', path: '/goals/{goalId}' })
    .input(changedGoal)
    .output(goalView),
  tickStep: procedure
    .meta({
      access: 'signed_in',
      writes: ['goal_step_done service_management goal'],
      example: ({ id }) => ({ goalId: id, stepId: id, done: true }),
    })
    .route({ method: 'POST', path: '/goals/{goalId}/steps/{stepId}' })
    .input(one.extend({ stepId: uuid, done: z.boolean() }))
    .output(goalView),
  achieve: procedure
    .meta({
      access: 'signed_in',
      writes: ['goal_achieved service_management goal'],
      example: ({ id }) => ({ goalId: id, achieved: true }),
    })
    .route({ method: 'POST', path: '/goals/{goalId}/achieved' })
    .input(one.extend({ achieved: z.boolean() }))
    .output(goalView),
  /** Can be restored for a day. */
  remove: procedure
    .meta({
      access: 'signed_in',
      writes: ['goal_removed service_management goal'],
      example: ({ id }) => ({ goalId: id }),
    })
    .route({ method: 'POST', path: '/goals/{goalId}/remove' })
    .input(one)
    .output(z.object({ id: uuid })),
  restore: procedure
    .meta({
      access: 'signed_in',
      writes: ['goal_restored service_management goal'],
      example: ({ id }) => ({ goalId: id }),
    })
    .route({ method: 'POST', path: '/goals/{goalId}/restore' })
    .input(one)
    .output(goalView),
};
