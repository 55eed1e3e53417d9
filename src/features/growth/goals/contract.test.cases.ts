import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Made, Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, call } = stage;

  const goal = () => call<Made & { steps: Made[] }>(client, 'growth.goals.add', { goalId: undefined });

  return {
    'growth.goals.add': async () => ({ by: client, input: { goalId: undefined } }),
    'growth.goals.change': async () => {
      const { id: goalId } = await goal();
      return { by: client, input: { goalId }, about: goalId };
    },
    'growth.goals.tickStep': async () => {
      const { id: goalId, steps } = await goal();
      return { by: client, input: { goalId, stepId: steps[0]!.id }, about: goalId };
    },
    'growth.goals.achieve': async () => {
      const { id: goalId } = await goal();
      return { by: client, input: { goalId }, about: goalId };
    },
    'growth.goals.remove': async () => {
      const { id: goalId } = await goal();
      return { by: client, input: { goalId }, about: goalId };
    },
    'growth.goals.restore': async () => {
      const { id: goalId } = await goal();
      await call(client, 'growth.goals.remove', { goalId });
      return { by: client, input: { goalId }, about: goalId };
    },
  };
}

export const withoutSubject: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': [
    'goal_achieved',
    'goal_added',
    'goal_changed',
    'goal_removed',
    'goal_restored',
    'goal_step_done',
  ],
};

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['goal_changed'],
};

export const updates: NamesBy = {
  'growth.changed self': [
    'growth.goals.add',
    'growth.goals.change',
    'growth.goals.tickStep',
    'growth.goals.achieve',
    'growth.goals.remove',
    'growth.goals.restore',
  ],
};
