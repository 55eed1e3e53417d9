import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const used = recordedFor('client')['accounts.session'];
const ending = { ...used, secondsLeft: 90 };

const warning = page.getByRole('dialog', { name: 'Are you still there?' });
const stay = warning.getByRole('button', { name: 'Stay signed in' });

function otherTab() {
  const channel = new BroadcastChannel('session');
  return { channel, received: new Promise((resolve) => channel.addEventListener('message', resolve)) };
}

test(
  'warns before the session ends, is accessible, and tells other tabs about activity',
  { tags: ['long'] },
  async () => {
    await openPage('/home', { as: 'client', answers: { 'accounts.session': ending } });
    await expect.element(warning).toBeVisible();
    await expectFair('the warning before a session ends');
    const { channel, received } = otherTab();
    answer({ 'accounts.session': used });
    await stay.click();
    await expect.element(warning).not.toBeInTheDocument();
    await received;
    channel.close();
  },
);

test('checks the session without extending it until the user stays', async () => {
  const asked = vi.spyOn(window, 'fetch');
  const last = () => asked.mock.calls.findLast(([path]) => path === '/api/me/session')?.[1]?.headers;
  await openPage('/home', { as: 'client', answers: { 'accounts.session': ending } });
  await expect.element(warning).toBeVisible();
  expect(last()).toEqual({ 'x-idle': '1' });
  answer({ 'accounts.session': used });
  await stay.click();
  await expect.element(warning).not.toBeInTheDocument();
  expect(last()).toEqual({});
  asked.mockRestore();
});

test('hides the warning when another tab uses the session', async () => {
  await openPage('/home', { as: 'client', answers: { 'accounts.session': ending } });
  await expect.element(warning).toBeVisible();
  answer({ 'accounts.session': used });
  const { channel } = otherTab();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
  channel.postMessage('used');
  channel.close();
  await expect.element(warning).not.toBeInTheDocument();
});

test('can’t be extended beyond the maximum lifetime', async () => {
  await openPage('/home', {
    as: 'client',
    answers: { 'accounts.session': { ...ending, extendable: false } },
  });
  await expect.element(warning).toBeVisible();
  await expect.element(stay).not.toBeInTheDocument();
});

test('says that the session has ended when a user returns to the tab', async () => {
  await openPage('/home', { as: 'client' });
  await expect.poll(() => askedFor('accounts.session').length).toBeGreaterThan(0);
  answer({ 'accounts.session': () => Response.json(null) });
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(page.getByText('You were signed out', { exact: true }).first()).toBeVisible();
});
