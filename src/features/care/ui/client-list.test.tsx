import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const listed = recordedFor('doctor')['care.clients.list'];
const [grace] = listed.clients;
const none = { clients: [], more: false };
const entry = page.getByRole('link', { name: grace!.name });

test('finds a client by keyboard alone, without the name in any URL', { tags: ['long'] }, async () => {
  await openPage('/clients', { as: 'doctor' });
  await expect.element(entry).toMatchTextContent('Next:');
  await expectFair('the clients');
  answer({ 'care.clients.list': none });
  await tabTo(page.getByLabelText('Find a client by name'));
  await userEvent.keyboard('nobody of this name');
  await expect.element(page.getByRole('heading', { name: 'No clients found' })).toBeVisible();
  await expectFair('no such client');
  await expect.poll(address).toBe('/clients');
  expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes('nobody'))).toEqual([]);
  answer({ 'care.clients.list': listed });
  await userEvent.keyboard('{Control>}a{/Control}grace');
  await expect.element(entry).toBeVisible();
  await tabTo(page.getByRole('radio', { name: 'Next session' }));
  await userEvent.keyboard('{ArrowRight}');
  await expect
    .poll(() => askedFor('care.clients.list').at(-1))
    .toMatchObject({ search: 'grace', order: 'last' });
  await press(entry);
  await expect.poll(address).toBe(`/clients/${grace!.id}`);
});

test('keeps the listed clients in place while it searches', async () => {
  await openPage('/clients', { as: 'doctor' });
  await expect.element(entry).toBeVisible();
  const before = entry.element();
  await page.getByLabelText('Find a client by name').fill('grace');
  await expect.poll(() => askedFor('care.clients.list').at(-1)).toMatchObject({ search: 'grace' });
  expect(entry.element()).toBe(before);
});

test('shows an empty state to a provider without clients', async () => {
  await openPage('/clients', { as: 'doctor', answers: { 'care.clients.list': none } });
  await expect.element(page.getByRole('heading', { name: 'No clients yet' })).toBeVisible();
  await expectFair('no clients');
});

test('reports a loading error and retries', async () => {
  await openPage('/clients', { as: 'doctor', answers: { 'care.clients.list': unreachable } });
  const again = page.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await pressWith(again, { 'care.clients.list': listed });
  await expect.element(entry).toBeVisible();
});

test('marks a client whose account is deleted', async () => {
  const gone = { ...grace!, name: 'Deleted account', erased: true };
  await openPage('/clients', {
    as: 'doctor',
    answers: { 'care.clients.list': { clients: [gone], more: false } },
  });
  await expect
    .element(page.getByRole('link', { name: 'Deleted account' }))
    .toMatchTextContent('Account deleted');
});

test('asks a guest to sign in', async () => {
  await openPage('/clients');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByRole('button', { name: 'Close' }).click();
  await expectNoViolation('the clients for a guest');
});
