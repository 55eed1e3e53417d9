import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, quiet } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const used = recordedFor('client')['accounts.session'];
const ending = { ...used, secondsLeft: 500, warningSeconds: 600 };

const warning = page.getByRole('dialog', { name: 'Are you still there?' });
const stay = warning.getByRole('button', { name: 'Stay signed in' });

function otherTab() {
  const channel = new BroadcastChannel('session-look');
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
    await pressWith(stay, { 'accounts.session': used });
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
  await pressWith(stay, { 'accounts.session': used });
  await expect.element(warning).not.toBeInTheDocument();
  expect(last()).toEqual({});
  asked.mockRestore();
});

test('hides the warning when another tab uses the session', async () => {
  await openPage('/home', { as: 'client', answers: { 'accounts.session': ending } });
  await expect.element(warning).toBeVisible();
  const { channel } = otherTab();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
  channel.postMessage(used);
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

test.each([
  ['ended', used.secondsLeft * 1_000, 'You were inactive, so we signed you out for your privacy.'],
  ['was ended before its time', 0, 'You signed out in another window, or your password changed.'],
])('says that the session %s when a user returns to the tab', async (_, later, said) => {
  await openPage('/home', { as: 'client' });
  await expect.poll(() => askedFor('accounts.session').length).toBeGreaterThan(0);
  await quiet();
  answer({ 'accounts.session': () => Response.json(null) });
  vi.setSystemTime(Date.now() + later);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(page.getByText('You were signed out', { exact: true }).first()).toBeVisible();
  await expect.element(page.getByText(said).first()).toBeVisible();
});
