import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const year = recordedFor('admin')['growth.devotionals.year'];
const entry = {
  ...recordedFor('admin')['growth.devotionals.byDay'],
  day: '09-13',
  title: 'Two are better',
  version: 1,
  editedAt: null as string | null,
  editedBy: null as string | null,
};
const days = page.getByRole('navigation', { name: 'Days' });
const title = page.getByLabelText('Title');
const thought = page.getByLabelText('Thought');
const save = page.getByRole('button', { name: 'Save' });
const saved = page.getByRole('listitem').filter({ hasText: 'September 13 saved' });

const openDay = () =>
  openPage('/admin/devotionals?day=09-13', { as: 'admin', answers: { 'growth.devotionals.entry': entry } });

test('finds days by text, reports no matches and returns to a month', { tags: ['long'] }, async () => {
  await openPage('/admin/devotionals', { as: 'admin' });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Daily devotionals');
  await expectFair('the desk');
  const search = page.getByLabelText('Search the whole year');
  answer({ 'growth.devotionals.year': [year[0]] });
  await search.fill('wilderness');
  await expect.element(days.getByRole('listitem')).toHaveLength(1);
  await expect.poll(() => askedFor('growth.devotionals.year').at(-1)).toEqual({ search: 'wilderness' });
  answer({ 'growth.devotionals.year': [] });
  await search.fill('no such words at all');
  await expect.element(page.getByRole('heading', { name: 'No devotionals found' })).toBeVisible();
  await expectFair('nothing found');
  answer({ 'growth.devotionals.year': year });
  await page.getByLabelText('Month').selectOptions('February');
  await expect.element(days).toBeVisible();
  await expect.poll(() => askedFor('growth.devotionals.year').at(-1)).toEqual({ month: '2' });
  await expect.element(search).toHaveValue('');
});

test('names a missing field, then saves a day and shows its editor', { tags: ['long'] }, async () => {
  await openDay();
  await title.fill('');
  await save.click();
  await expect.element(page.getByText('Fill this in.')).toBeVisible();
  await expect.element(title).toHaveFocus();
  await expectFair('a day with a missing title');
  expect(askedFor('growth.devotionals.edit')).toEqual([]);
  const edited = {
    ...entry,
    title: 'Better together',
    version: 2,
    editedAt: '2026-11-24T08:00:00Z',
    editedBy: 'Naomi Park',
  };
  answer({ 'growth.devotionals.edit': edited, 'growth.devotionals.entry': edited });
  await title.fill('Better together');
  await save.click();
  await expect.element(saved).toBeVisible();
  await expect.element(page.getByText(/^Last edited .* by Naomi Park/)).toBeVisible();
  await expect
    .poll(() => askedFor('growth.devotionals.edit'))
    .toMatchObject([{ version: 1, title: 'Better together' }]);
});

test('keeps typed text when another editor saved first, and loads theirs', { tags: ['long'] }, async () => {
  await openDay();
  await expect.element(thought).toBeVisible();
  const theirs = { ...entry, title: 'Better together', version: 2 };
  answer({
    'growth.devotionals.edit': refusal(409, 'conflict', 'changed_meanwhile'),
    'growth.devotionals.entry': theirs,
  });
  await thought.fill('My own thought.');
  await save.click();
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Someone else changed this while you were editing' }))
    .toBeVisible();
  await expect.element(thought).toHaveValue('My own thought.');
  await expectNoViolation('a day that was changed meanwhile');
  await page.getByRole('button', { name: 'Load latest version' }).click();
  await expect.element(title).toHaveValue('Better together');
  await thought.fill('My own thought.');
  await pressWith(save, { 'growth.devotionals.edit': { ...theirs, thought: 'My own thought.', version: 3 } });
  await expect.element(saved).toBeVisible();
  await expect
    .poll(() => askedFor('growth.devotionals.edit').at(-1))
    .toMatchObject({
      version: 2,
      thought: 'My own thought.',
    });
});

test('asks before leaving an unsaved day', { tags: ['long'] }, async () => {
  await openDay();
  await thought.fill('Half a tho');
  await days.getByRole('link').first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(thought).toHaveValue('Half a tho');
  await expect.poll(address).toMatch(/day=09-13/);
});

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  await openPage('/admin/devotionals?month=3', {
    as: 'admin',
    answers: { 'growth.devotionals.year': unreachable },
  });
  await expect.element(page.getByRole('alert').filter({ hasText: 'We couldn’t load this' })).toBeVisible();
  await expectNoViolation('the desk without an answer');
  await pressWith(page.getByRole('button', { name: 'Try again' }), { 'growth.devotionals.year': year });
  await expect.element(days).toBeVisible();
});

for (const who of ['client', 'doctor'] as const)
  test(`denies access to a ${who}`, async () => {
    await openPage('/admin/devotionals', { as: who });
    await expect
      .element(page.getByRole('alert').filter({ hasText: 'Access denied' }))
      .toHaveTextContent('Access denied. Required permission: moderate_content');
  });
