import type { Selectable } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Sharer } from '#/features/care/sharing/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import type { GoalView } from './contract.ts';
import type { GoalStepsTable, GoalsTable } from './tables.ts';

/** Encrypted columns of goals and their steps. Only place defining their binding. */
export const sealedGoals = {
  title: sealedColumn('goals', 'title'),
  why: sealedColumn('goals', 'why'),
  stepText: sealedColumn('goal_steps', 'text'),
} as const;

/** Lists goals newest first, without deleted ones. */
export async function goalsOf(
  ctx: Ctx,
  person: Self | Sharer<'goals'>,
  { state, limit, offset }: { state: 'open' | 'achieved'; limit: number; offset: number },
): Promise<{ goals: GoalView[]; more: boolean }> {
  const rows = await ctx.db
    .selectFrom('goals')
    .selectAll()
    .where('person_id', '=', person)
    .where('archived_at', 'is', null)
    .where('achieved_at', state === 'open' ? 'is' : 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return { goals: await viewsOf(ctx, rows.slice(0, limit)), more: rows.length > limit };
}

/** Returns the person's own goal, not deleted. */
export async function goalOf(ctx: Ctx, self: Self, id: string): Promise<GoalView> {
  const row = await ctx.db
    .selectFrom('goals')
    .selectAll()
    .where('id', '=', id)
    .where('person_id', '=', self)
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow();
  return (await viewsOf(ctx, [row]))[0]!;
}

async function viewsOf(ctx: Ctx, rows: readonly Selectable<GoalsTable>[]): Promise<GoalView[]> {
  if (rows.length === 0) return [];
  const steps = await ctx.db
    .selectFrom('goal_steps')
    .selectAll()
    .where(
      'goal_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) =>
    viewOf(
      ctx,
      row,
      steps.filter(({ goal_id }) => goal_id === row.id),
    ),
  );
}

function viewOf(
  { keyring }: Ctx,
  { id, title, why, due_on, created_at, achieved_at, version }: Selectable<GoalsTable>,
  steps: readonly Selectable<GoalStepsTable>[],
): GoalView {
  return {
    id,
    title: sealedGoals.title.open(keyring, id, title),
    why: sealedGoals.why.openIfAny(keyring, id, why),
    dueOn: due_on,
    createdAt: isoOf(created_at),
    achievedAt: achieved_at && isoOf(achieved_at),
    version,
    steps: steps.map((step) => ({
      id: step.id,
      text: sealedGoals.stepText.open(keyring, step.id, step.text),
      dueOn: step.due_on,
      doneAt: step.done_at && isoOf(step.done_at),
    })),
  };
}
