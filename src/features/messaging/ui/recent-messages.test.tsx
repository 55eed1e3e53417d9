import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedAt, recordedFor } from '../../../../tests/components/recorded.ts';

const recent = page.getByRole('region', { name: 'Recent Messages' });
const entries = recent.getByRole('listitem');
const figure = page.getByRole('term').filter({ hasText: 'Unread Messages' });
const [conversation] = recordedFor('client')['messaging.conversations.list'].conversations;

test('shows a client sender, subject, time and unread count', async () => {
  const list = recordedFor('client')['messaging.conversations.list'];
  list.conversations[0]!.last.sentAt = recordedAt('client').toISOString();
  await openPage('/home', { as: 'client', answers: { 'messaging.conversations.list': list } });
  await expect.poll(() => entries.elements().length).toBe(3);
  const first = entries.first();
  await expect.element(first).toMatchTextContent('Dr. Sarah Whitfield');
  await expect.element(first).toMatchTextContent('How the nights are going');
  await expect.element(first).toMatchTextContent('We’ll look at it together next time');
  await expect.element(first).toMatchTextContent('2 unread messages');
  expect(first.element().querySelector('time')!.textContent).toMatch(/^\d?\d:\d\d [AP]M$/);
  await expect.element(recent.getByRole('link', { name: /Reply/ })).not.toBeInTheDocument();
  await expect.poll(() => figure.element().parentElement!.textContent).toContain('3');
  await expect
    .element(page.getByRole('banner').getByRole('link', { name: 'Messages, 3 unread' }))
    .toBeVisible();
  await expect.poll(() => document.title).toMatch(/^\(3\) /);
});

test('marks the person’s own messages', async () => {
  const own = { ...conversation!, last: { ...conversation!.last, mine: true, text: 'From Lydia.' } };
  await openPage('/home', {
    as: 'client',
    answers: { 'messaging.conversations.list': { conversations: [own], more: false } },
  });
  await expect.element(entries.first()).toMatchTextContent('You: From Lydia.');
});

test('doesn’t repeat self-harm wording to its writer', async () => {
  const own = { ...conversation!, last: { ...conversation!.last, text: 'I want to kill myself tonight' } };
  await openPage('/home', {
    as: 'client',
    answers: { 'messaging.conversations.list': { conversations: [own], more: false } },
  });
  await expect.element(recent).toMatchTextContent('Open the conversation to read this message.');
  await expect.element(page.getByRole('main')).not.toMatchTextContent('kill myself');
});

test('shows a specialist three messages at most, without subjects, with Reply and a link to all', async () => {
  await openPage('/home', { as: 'doctor' });
  await expect.poll(() => entries.elements().length).toBe(3);
  for (const name of ['Grace Thompson', 'Hannah Brooks', 'Michael Osei'])
    await expect.element(entries.getByRole('link', { name: `Reply to ${name}` })).toBeVisible();
  await expect.element(entries.first()).toMatchTextContent('Three and four is much better.');
  await expect.element(entries.first()).toMatchTextContent('1 unread message');
  await expect.element(entries.first()).not.toMatchTextContent('Morning breathing exercise');
  await expect.poll(() => figure.element().parentElement!.textContent).toContain('2');
  await expectFair('the home of a specialist with messages');
  // The reply link doesn't truncate names on phones.
  await page.viewport(phone.width, phone.height);
  for (const name of entries.getByRole('link', { name: /^(?!Reply)/ }).elements())
    expect(name.scrollWidth).toBeLessThanOrEqual(name.clientWidth);
  await recent.getByRole('link', { name: 'View All Messages' }).click();
  await expect.poll(address).toBe('/messages');
});

test('shows an empty state', async () => {
  await openPage('/home', {
    as: 'client',
    answers: { 'messaging.conversations.list': { conversations: [], more: false } },
  });
  await expect.element(recent.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
});

test('reports a loading error and retries', async () => {
  await openPage('/home', { as: 'client', answers: { 'messaging.conversations.list': unreachable } });
  await expect.element(recent).toMatchTextContent('We couldn’t load your messages');
  await pressWith(recent.getByRole('button', { name: 'Try again' }), {
    'messaging.conversations.list': recordedFor('client')['messaging.conversations.list'],
  });
  await expect.element(recent).toMatchTextContent('Dr. Sarah Whitfield');
});
