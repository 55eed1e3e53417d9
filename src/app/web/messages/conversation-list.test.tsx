import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, serverApi, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { PageRequest } from '#/app/web/contexts.ts';
import { messagesData } from '#/app/web/messages/messages-data.ts';
import { clientLoader } from '#/app/web/routes/messages-new.tsx';

const list = page.getByRole('list', { name: 'Conversations' });
const search = page.getByRole('searchbox', { name: 'Search your messages' });
const recorded = recordedFor('client');
const [conversation] = recorded['messaging.conversations.list'].conversations;
const [message] = recorded['messaging.messages.list'].messages;
const none = { conversations: [], more: false };

test('is accessible, and asks to select a conversation', async () => {
  await openPage('/messages', { as: 'client' });
  await expect.element(list).toMatchTextContent('Dr. Sarah Whitfield');
  await expect.element(page.getByRole('heading', { name: 'Select a conversation' })).toBeVisible();
  await expectFair('the list of conversations');
});

test('asks a guest to sign in, and shows it behind the dialog', async () => {
  await openPage('/messages');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect.poll(() => prompt.query()?.contains(document.activeElement)).toBe(true);
  await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
  await expect.element(page.getByRole('main')).toMatchTextContent('Sign in to read your messages');
  await expectFair('messages of a guest');
});

test('links a client without conversations to the specialists', async () => {
  await openPage('/messages', { as: 'client', answers: { 'messaging.conversations.list': none } });
  await expect.element(page.getByRole('link', { name: 'Find a specialist' })).toBeVisible();
  await expect.element(search).not.toBeInTheDocument();
  await expectFair('no conversations');
});

test('shows a retry when conversations can’t be loaded', { tags: ['long'] }, async () => {
  await openPage('/messages', { as: 'client', answers: { 'messaging.conversations.list': unreachable } });
  await expect.element(page.getByText('We couldn’t load your conversations')).toBeVisible();
  await expectNoViolation('conversations that couldn’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }), {
    'messaging.conversations.list': recorded['messaging.conversations.list'],
  });
  await expect.element(list).toMatchTextContent('Dr. Sarah Whitfield');
});

test(
  'finds and highlights words and opens the message, with no search words in the URL',
  { tags: ['long'] },
  async () => {
    await openPage('/messages', { as: 'client' });
    answer({ 'messaging.messages.search': { found: [{ conversation, message }], looked: 70, next: null } });
    await search.fill('a line a day');
    const results = page.getByRole('region', { name: 'Search results' });
    await expect.element(results.getByRole('status')).toHaveTextContent('1 message found');
    expect([...document.querySelectorAll('mark')].map((one) => one.textContent)).toContain('line');
    await expect.poll(() => askedFor('messaging.messages.search')).toEqual([{ words: 'a line a day' }]);
    await expect.poll(address).toBe('/messages');
    await expectFair('what was found');
    answer({ 'messaging.messages.search': { found: [], looked: 70, next: null } });
    await search.fill('no such word at all');
    await expect.element(page.getByText('No messages found')).toBeVisible();
    await expectFair('nothing found');
    answer({ 'messaging.messages.search': { found: [{ conversation, message }], looked: 70, next: null } });
    await search.fill('You asked me');
    await results.getByRole('link').click();
    await expect.poll(address).toBe(`/messages/${conversation!.id}?at=1`);
  },
);

test('redirects a new message without a recipient, and requests nobody', async () => {
  for (const path of ['/messages/new', '/messages/new?to=']) {
    await openPage(path, { as: 'client' });
    await expect.poll(address).toBe('/messages');
    // In-app navigation redirects in the client loader.
    const request = new Request(`https://italk.example${path}`);
    const led = clientLoader({ request } as Parameters<typeof clientLoader>[0]);
    expect(led).toBeInstanceOf(Response);
    expect((led as Response).headers.get('location')).toBe('/messages');
  }
  expect(askedFor('messaging.conversations.withPerson')).toEqual([]);
});

test('hides messages while they are switched off', async () => {
  const { flags, ...site } = recorded['settings.site'];
  const off = {
    'settings.site': { ...site, flags: flags.filter((one) => one !== 'direct_messaging') },
  };
  for (const as of ['client', 'doctor'] as const) {
    await openPage('/home', { as, answers: off });
    await expect.element(page.getByRole('heading', { name: 'Quick Actions' })).toBeVisible();
    await expect.element(page.getByRole('link', { name: /^Messages/ })).not.toBeInTheDocument();
    await expect.element(page.getByText(/Unread Messages|Recent Messages/)).not.toBeInTheDocument();
  }
  const request = { api: serverApi() } as PageRequest;
  await expect(messagesData(request, () => [])).rejects.toMatchObject({ init: { status: 404 } });
  await openPage('/therapists/dr-sarah-whitfield', { answers: off });
  await expect.element(page.getByRole('button', { name: /^Book \w+, / }).first()).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Send Message/ })).not.toBeInTheDocument();
});
