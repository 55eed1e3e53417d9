import { AppError } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { requireGrowth, requireRoomToday } from '../progress/policies.ts';
import { goalOf, sealedGoals } from './queries.ts';
import type { GoalChange, GoalInput, GoalView, NewGoal } from './contract.ts';
import { restorableSince, requireOwnGoal, requireRestorableGoal, requireStepOf } from './policies.ts';

/** Adds a goal; repeating its id changes it. */
export async function addGoal(ctx: Ctx, { goalId, ...input }: NewGoal): Promise<GoalView> {
  const self = await requireGrowth(ctx);
  return transact(ctx, async (tx) => {
    const id = goalId ?? tx.newId();
    const at = new Date(tx.now().epochMilliseconds);
    const created = await tx.db
      .insertInto('goals')
      .values({ id, person_id: self, ...goalColumns(tx, id, input), created_at: at, updated_at: at })
      .onConflict((found) => found.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return change(tx, self, { ...input, goalId: id });
    await requireRoomToday(tx, self);
    await writeSteps(tx, self, id, input.steps);
    await logAction(tx, self, 'goal_added', id);
    return goalOf(tx, self, id);
  });
}

/**
 * Edits a goal and replaces its steps; completed ones stay completed. Throws conflict `changed_meanwhile` if another
 * version is stored.
 */
export async function changeGoal(ctx: Ctx, input: GoalChange): Promise<GoalView> {
  const self = await requireGrowth(ctx);
  return transact(ctx, (tx) => change(tx, self, input));
}

async function change(tx: TxCtx, self: Self, input: GoalChange): Promise<GoalView> {
  const { id, version } = await requireOwnGoal(tx, self, input.goalId);
  if (version !== (input.version ?? version)) return unchanged(await goalOf(tx, self, id), input);
  await tx.db
    .updateTable('goals')
    .set({
      ...goalColumns(tx, id, input),
      updated_at: new Date(tx.now().epochMilliseconds),
      version: version + 1,
    })
    .where('id', '=', id)
    .execute();
  await writeSteps(tx, self, id, input.steps);
  await logAction(tx, self, 'goal_changed', id);
  return goalOf(tx, self, id);
}

/** Accepts a repeated change, whose answer was lost. */
function unchanged(goal: GoalView, { title, why, dueOn, steps }: GoalInput): GoalView {
  const isSame =
    goal.title === title &&
    goal.why === (why || null) &&
    goal.dueOn === (dueOn ?? null) &&
    goal.steps.length === steps.length &&
    steps.every((step, at) => {
      const stored = goal.steps[at]!;
      return stored.text === step.text && stored.dueOn === (step.dueOn ?? null);
    });
  if (!isSame) throw new AppError('conflict', 'changed_meanwhile');
  return goal;
}

export async function tickStep(
  ctx: Ctx,
  { goalId, stepId, done }: { goalId: string; stepId: string; done: boolean },
): Promise<GoalView> {
  return onOwn(ctx, done ? 'goal_step_done' : 'goal_step_undone', goalId, async (tx, _self, goal) => {
    const step = await requireStepOf(tx, goal, stepId);
    await tx.db
      .updateTable('goal_steps')
      // Repeated calls keep the first date.
      .set(({ fn, val }) => ({
        done_at: done ? fn.coalesce('done_at', val(new Date(tx.now().epochMilliseconds))) : null,
      }))
      .where('id', '=', step.id)
      .execute();
  });
}

export async function achieveGoal(ctx: Ctx, goalId: string, achieved: boolean): Promise<GoalView> {
  return onOwn(ctx, achieved ? 'goal_achieved' : 'goal_reopened', goalId, async (tx) => {
    await tx.db
      .updateTable('goals')
      .set(({ fn, val }) => ({
        achieved_at: achieved ? fn.coalesce('achieved_at', val(new Date(tx.now().epochMilliseconds))) : null,
        updated_at: new Date(tx.now().epochMilliseconds),
      }))
      .where('id', '=', goalId)
      .execute();
  });
}

/** Deletes a goal, restorable for a day. */
export async function removeGoal(ctx: Ctx, goalId: string): Promise<{ id: string }> {
  const self = await requireGrowth(ctx);
  return transact(ctx, async (tx) => {
    await requireOwnGoal(tx, self, goalId);
    await setArchived(tx, goalId, new Date(tx.now().epochMilliseconds));
    await logAction(tx, self, 'goal_removed', goalId);
    return { id: goalId };
  });
}

export async function restoreGoal(ctx: Ctx, goalId: string): Promise<GoalView> {
  const self = await requireGrowth(ctx);
  return transact(ctx, async (tx) => {
    const removed = await requireRestorableGoal(tx, self, goalId);
    if (removed.archived_at) {
      await setArchived(tx, goalId, null);
      await logAction(tx, self, 'goal_restored', goalId);
    }
    return goalOf(tx, self, goalId);
  });
}

/** Purges goals a day after deletion. */
export async function purgeRemovedGoals(ctx: Ctx): Promise<void> {
  await ctx.db.deleteFrom('goals').where('archived_at', '<', restorableSince(ctx)).execute();
}

async function onOwn(
  ctx: Ctx,
  action: Action,
  goalId: string,
  write: (tx: TxCtx, self: Self, goal: { id: string }) => Promise<void>,
): Promise<GoalView> {
  const self = await requireGrowth(ctx);
  return transact(ctx, async (tx) => {
    await write(tx, self, await requireOwnGoal(tx, self, goalId));
    await logAction(tx, self, action, goalId);
    return goalOf(tx, self, goalId);
  });
}

function goalColumns({ keyring }: Ctx, id: string, { title, why, dueOn }: GoalInput) {
  return {
    title: sealedGoals.title.seal(keyring, id, title),
    why: why ? sealedGoals.why.seal(keyring, id, why) : null,
    due_on: dueOn ?? null,
  };
}

async function writeSteps(tx: TxCtx, self: Self, goalId: string, steps: GoalInput['steps']): Promise<void> {
  const there = await tx.db
    .selectFrom('goal_steps')
    .select(['id', 'done_at'])
    .where('goal_id', '=', goalId)
    .execute();
  const doneAt = new Map(there.map(({ id, done_at }) => [id, done_at]));
  await tx.db.deleteFrom('goal_steps').where('goal_id', '=', goalId).execute();
  if (steps.length === 0) return;
  const taken = new Set<string>();
  const rows = steps.map(({ id: known, text, dueOn }, position) => {
    const reused = known !== undefined && doneAt.has(known) && !taken.has(known) ? known : null;
    const id = reused ?? tx.newId();
    taken.add(id);
    return {
      id,
      goal_id: goalId,
      person_id: self,
      position,
      text: sealedGoals.stepText.seal(tx.keyring, id, text),
      due_on: dueOn ?? null,
      done_at: doneAt.get(id) ?? null,
    };
  });
  await tx.db.insertInto('goal_steps').values(rows).execute();
}

async function setArchived(tx: TxCtx, goalId: string, at: Date | null): Promise<void> {
  await tx.db
    .updateTable('goals')
    .set({ archived_at: at, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', goalId)
    .execute();
}

async function logAction(tx: TxCtx, self: Self, action: Action, goalId: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'goal', id: goalId } });
  await publish(tx, [`person:${self}`], { type: 'growth.changed', id: goalId });
}
