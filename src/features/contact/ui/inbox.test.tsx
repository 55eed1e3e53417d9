import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';

const list = page.getByRole('navigation', { name: 'Messages, newest first' });
const search = page.getByLabelText('Search messages');

test('shows search results without putting the search in the URL', async () => {
  await openPage('/admin/inbox', { as: 'admin' });
  const none = { messages: [], next: null, open: 3 };
  const next = { lastSentAt: '2020-01-01T00:00:00Z', lastId: '0190a0a0-0000-7000-8000-000000000000' };
  answer({ 'contact.inbox': none });
  await search.fill('nothing-has-these-words');
  await expect.element(page.getByText('No messages found')).toBeVisible();
  await expect.poll(address).toBe('/admin/inbox');
  await expectFair('a search that finds nothing');
  // Large inboxes are searched in batches.
  answer({ 'contact.inbox': { ...none, next } });
  await search.fill('nothing-in-the-newest');
  await expect.element(page.getByText('No matches so far')).toBeVisible();
  await expectFair('a search that has not looked at all messages');
  answer({ 'contact.inbox': none });
  await page.getByRole('button', { name: 'Search older messages' }).click();
  await expect.element(page.getByText('No messages found')).toBeVisible();
});

test('reports a deleted message', async () => {
  const gone = '0190a0a0-0000-7000-8000-000000000000';
  await openPage(`/admin/inbox?message=${gone}`, {
    as: 'admin',
    answers: { 'contact.get': refusal(404, 'not_found') },
  });
  await expect.element(page.getByText('This message no longer exists.')).toBeVisible();
});

test('reports a loading error and retries', async () => {
  await openPage('/admin/inbox', { as: 'admin', answers: { 'contact.inbox': unreachable } });
  await expect.element(page.getByText('We couldn’t load the messages')).toBeVisible();
  await expectNoViolation('an inbox that couldn’t be loaded');
  answer({ 'contact.inbox': { messages: [], next: null, open: 0 } });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('We couldn’t load the messages')).not.toBeInTheDocument();
});

test('moves focus into the opened message on phones', async () => {
  await page.viewport(phone.width, phone.height);
  await openPage('/admin/inbox', { as: 'admin', answers: { 'contact.get': unreachable } });
  const first = list.getByRole('link').first();
  await expect.element(first).toBeVisible();
  first.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('region', { name: 'Inbox' })).toHaveFocus();
  await expect.element(list).not.toBeInTheDocument();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('link', { name: 'All messages' })).toHaveFocus();
});
