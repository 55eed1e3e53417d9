import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import type { GoalView } from '../goals/contract.ts';

const goal: GoalView = {
  id: '01a20ca3-dec1-7c8e-9d19-870b146508ad',
  title: 'Walk every morning',
  why: null,
  dueOn: null,
  createdAt: '2026-11-20T08:00:00Z',
  achievedAt: null,
  version: 1,
  steps: [
    {
      id: '01a20ca3-ded8-71d2-9016-53fd4de70239',
      text: 'Put the shoes by the door',
      dueOn: null,
      doneAt: null,
    },
    {
      id: '01a20ca3-ded8-71d8-87f7-f939176bb55a',
      text: 'Go once around the lake',
      dueOn: null,
      doneAt: null,
    },
  ],
};
const [first, second] = goal.steps as [GoalView['steps'][0], GoalView['steps'][0]];
const begun: GoalView = { ...goal, steps: [{ ...first, doneAt: '2026-11-24T08:00:00Z' }, second] };
const reached: GoalView = { ...begun, achievedAt: '2026-11-24T08:00:00Z' };

/** Answers the open and achieved lists from these goals. */
function listing(...goals: GoalView[]) {
  return {
    'growth.goals.list': ({ state }: { state: string }) => ({
      goals: goals.filter(({ achievedAt }) => (achievedAt === null) === (state === 'open')),
      more: false,
    }),
  };
}

const card = page.getByRole('listitem').filter({ hasText: goal.title });

test('adds a goal with steps by keyboard alone', { tags: ['long'] }, async () => {
  await openPage('/growth', { as: 'client', answers: { ...listing(), 'growth.goals.add': goal } });
  await expectFair('no goals yet');
  await press(page.getByRole('button', { name: 'Add a goal' }));
  const form = page.getByRole('dialog', { name: 'New goal' });
  await press(form.getByRole('button', { name: 'Save goal' }));
  await expect.element(form.getByText('Enter your goal.')).toBeVisible();
  await expect.element(form.getByLabelText('What’s your goal?')).toHaveFocus();
  await expectFair('a goal with a problem');
  await userEvent.keyboard('Walk every morning');
  await tabTo(form.getByLabelText('Step 1', { exact: true }));
  await userEvent.keyboard('Put the shoes by the door');
  await press(form.getByRole('button', { name: 'Add a step' }));
  await expect.element(form.getByLabelText('Step 2', { exact: true })).toHaveFocus();
  await userEvent.keyboard('Go once around the lake');
  answer(listing(goal));
  await userEvent.keyboard('{Enter}');
  await expect.element(form).not.toBeInTheDocument();
  await expect.element(card.getByText('0 of 2 steps done')).toBeVisible();
  await expect
    .poll(() => askedFor('growth.goals.add'))
    .toMatchObject([
      {
        title: 'Walk every morning',
        steps: [{ text: 'Put the shoes by the door' }, { text: 'Go once around the lake' }],
      },
    ]);
});

test('adds one goal when its answer was lost', async () => {
  await openPage('/growth', { as: 'client', answers: { ...listing(), 'growth.goals.add': unreachable } });
  await press(page.getByRole('button', { name: 'Add a goal' }));
  const form = page.getByRole('dialog', { name: 'New goal' });
  await form.getByLabelText('What’s your goal?').fill('Walk every morning');
  for (const count of [1, 2]) {
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => askedFor('growth.goals.add')).toHaveLength(count);
    await expect.element(form.getByRole('alert')).toBeVisible();
  }
  const [lost, again] = askedFor('growth.goals.add') as { goalId: string }[];
  expect(lost!.goalId).toHaveLength(36);
  expect(again!.goalId).toBe(lost!.goalId);
});

test('keeps typed words when another window changed the goal, and saves either version', async () => {
  const other: GoalView = { ...goal, title: 'Walk every evening', version: 2, steps: [first] };
  await openPage('/growth', { as: 'client', answers: listing(goal) });
  await page.getByRole('button', { name: `More actions for “${goal.title}”` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit goal' });
  const title = form.getByLabelText('What’s your goal?');
  await title.fill('Walk at noon');
  await pressWith(form.getByRole('button', { name: 'Save goal' }), {
    ...listing(other),
    'growth.goals.change': refusal(409, 'conflict', 'changed_meanwhile'),
  });
  await expect.element(form.getByText('This was changed in another window')).toBeVisible();
  await expect.element(title).toHaveValue('Walk at noon');
  await expectFair('a goal changed in another window');
  await press(form.getByRole('button', { name: 'Load other version' }));
  await expect.element(title).toHaveValue('Walk every evening');
  await expect.element(title).toHaveFocus();
  await expect.element(form.getByLabelText('Step 2', { exact: true })).not.toBeInTheDocument();
  await title.fill('Walk at night');
  await pressWith(form.getByRole('button', { name: 'Save goal' }), {
    'growth.goals.change': { ...other, title: 'Walk at night', version: 3 },
  });
  await expect.element(form).not.toBeInTheDocument();
  expect(askedFor('growth.goals.change')).toMatchObject([
    { title: 'Walk at noon', version: 1 },
    { title: 'Walk at night', version: 2, steps: [{ id: first.id }] },
  ]);
});

test('completes a step and reaches the goal by keyboard alone', async () => {
  await openPage('/growth', {
    as: 'client',
    answers: { ...listing(goal), 'growth.goals.tickStep': begun, 'growth.goals.achieve': reached },
  });
  const step = card.getByRole('checkbox', { name: first.text });
  await tabTo(step);
  answer(listing(begun));
  await userEvent.keyboard(' ');
  await expect.element(card.getByText('1 of 2 steps done')).toBeVisible();
  await expect.element(step).toBeChecked();
  await expect
    .poll(() => askedFor('growth.goals.tickStep'))
    .toEqual([{ goalId: goal.id, stepId: first.id, done: true }]);
  await expectFair('goals');
  await tabTo(card.getByRole('button', { name: 'Mark as reached' }));
  answer(listing(reached));
  await userEvent.keyboard('{Enter}');
  const glad = page.getByRole('status').filter({ hasText: 'You reached your goal.' });
  await expect.element(glad).toHaveFocus();
  await expect.element(page.getByRole('heading', { name: 'Reached', exact: true })).toBeVisible();
  await expectNoViolation('a goal that was reached');
});

test('reopens a reached goal by keyboard alone', async () => {
  await openPage('/growth', {
    as: 'client',
    answers: { ...listing(reached), 'growth.goals.achieve': begun },
  });
  await press(page.getByRole('button', { name: `More actions for “${goal.title}”` }));
  const again = page.getByRole('menuitem', { name: 'Reopen goal' });
  await expect.poll(() => page.getByRole('menu').query()?.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(again).toHaveFocus();
  answer(listing(begun));
  await userEvent.keyboard('{Enter}');
  await expect.element(card.getByRole('button', { name: 'Mark as reached' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Reached', exact: true })).not.toBeInTheDocument();
  await expect.poll(() => askedFor('growth.goals.achieve')).toEqual([{ goalId: goal.id, achieved: false }]);
  await expect.poll(() => document.activeElement?.closest('main')).toBeTruthy();
});

test('restores a removed goal with Undo', async () => {
  await openPage('/growth', {
    as: 'client',
    answers: { ...listing(goal), 'growth.goals.remove': { id: goal.id }, 'growth.goals.restore': goal },
  });
  const title = page.getByRole('heading', { name: goal.title });
  await page.getByRole('button', { name: `More actions for “${goal.title}”` }).click();
  await expectNoViolation('the menu of a goal');
  answer(listing());
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect.element(title).not.toBeInTheDocument();
  answer(listing(goal));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(title).toBeVisible();
  await expect.poll(() => askedFor('growth.goals.restore')).toMatchObject([{ goalId: goal.id }]);
});

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  await openPage('/growth', { as: 'client', answers: { 'growth.goals.list': unreachable } });
  const failed = page.getByText('We couldn’t load this.');
  await expect.element(failed).toBeVisible();
  await expectNoViolation('goals that can’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }), listing(goal));
  await expect.element(card).toBeVisible();
  await expect.element(failed).not.toBeInTheDocument();
});
