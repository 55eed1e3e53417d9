import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Made, Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { client, call } = stage;

  const goal = () => call<Made & { steps: Made[] }>(client, 'growth.goals.add');

  return {
    'growth.goals.add': async () => ({ by: client }),
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

export const nameless: Told = {
  'what somebody writes or keeps is nobody else’s matter': [
    'goal_achieved',
    'goal_added',
    'goal_changed',
    'goal_removed',
    'goal_restored',
    'goal_step_done',
  ],
};

export const unvalued: Told = { 'what somebody writes or keeps is nobody else’s matter': ['goal_changed'] };

export const tells: Told = {
  'growth.changed self': [
    'growth.goals.add',
    'growth.goals.change',
    'growth.goals.tickStep',
    'growth.goals.achieve',
    'growth.goals.remove',
    'growth.goals.restore',
  ],
};
