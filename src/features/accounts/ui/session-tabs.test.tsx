import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { noteSessionEnd } from '#/web/session-end.ts';
import { answer, askedFor, quiet } from '../../../../tests/components/answers.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const client = recordedFor('client');
const me = client['accounts.me'];
const signedIn = `${me.id} client`;
const message = page.getByRole('textbox', { name: 'Message' });
const account = page.getByRole('banner').getByRole('button', { name: 'Sign Out' });
const journal = page.getByLabelText('What’s on your heart?');

const other = { ...me, id: '01a20ca3-e00b-7664-aabc-124c76e7174e', fullName: 'Ruth Amsel' };
const changes: [string, typeof other | null][] = [
  ['a sign-out', null],
  ['another person’s sign-in', other],
];

function otherTab() {
  const channel = new BroadcastChannel('viewer');
  const told: unknown[] = [];
  channel.addEventListener('message', ({ data }) => told.push(data));
  onTestFinished(() => channel.close());
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
  return { told, say: (who: string | null) => channel.postMessage(who) };
}

test('a sign-in in another tab arrives, and keeps what is typed', async () => {
  await openPage('/contact');
  await message.fill('May I ask something first?');
  answer(client);
  otherTab().say(signedIn);
  await expect.element(account).toBeVisible();
  await expect.element(message).toHaveValue('May I ask something first?');
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue(me.fullName);
});

test('a page left for another listens again once it is back', async () => {
  await openPage('/contact');
  const tab = otherTab();
  await message.fill('May I ask something first?');
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  answer(client);
  tab.say(signedIn);
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  // It says who is signed in here, to be told otherwise.
  await expect.poll(() => tab.told).toContain(null);
  expect(account.query()).toBeNull();
  tab.say(signedIn);
  await expect.element(account).toBeVisible();
});

test('a sign-in in another tab answers the question to sign in', async () => {
  await openPage('/growth');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect.element(prompt).toBeVisible();
  answer(client);
  otherTab().say(signedIn);
  await expect.element(page.getByRole('heading', { level: 1, name: 'Your growth' })).toBeVisible();
  await expect.element(prompt).not.toBeInTheDocument();
});

test.each(changes)('%s in another tab leaves nothing private here', async (_, next) => {
  await openPage('/growth?tab=journal', { as: 'client' });
  await journal.fill('Only for me.');
  answer(next ? { 'accounts.me': next } : recordedFor('guest'));
  otherTab().say(next && `${next.id} client`);
  await expect.poll(() => (journal.query() as HTMLTextAreaElement | null)?.value ?? '').toBe('');
  await expect.poll(() => document.body.textContent).not.toContain(me.fullName);
});

test.each(changes)('%s in another tab clears a public form', async (_, next) => {
  await openPage('/contact', { as: 'client' });
  await message.fill('Only for you.');
  answer(next ? { 'accounts.me': next } : recordedFor('guest'));
  otherTab().say(next && `${next.id} client`);
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue(next?.fullName ?? '');
  await expect.element(message).toHaveValue('');
});

test.each(changes)('%s in another tab ends a booking', async (_, next) => {
  await openPage('/', { as: 'client' });
  await page.getByRole('button', { name: 'Book Session for Comfort & Healing' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  answer(next ? { 'accounts.me': next } : recordedFor('guest'));
  otherTab().say(next && `${next.id} client`);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a changed role reaches other tabs', async () => {
  await openPage('/about', { as: 'client' });
  const tab = otherTab();
  answer({ 'accounts.me': { ...me, role: 'provider' } });
  tab.say(`${me.id} provider`);
  await expect.poll(() => tab.told).toContain(`${me.id} provider`);
});

test('tabs in step ask for nothing', async () => {
  const tab = otherTab();
  await openPage('/about', { as: 'client' });
  await expect.poll(() => tab.told).toEqual([signedIn]);
  const asked = askedFor('accounts.me').length;
  // Listens later than the page, so it hears after it.
  const listener = otherTab();
  tab.say(signedIn);
  tab.say(signedIn);
  await expect.poll(() => listener.told).toHaveLength(2);
  await quiet();
  expect(askedFor('accounts.me')).toHaveLength(asked);
});

test('a signed-out tab that missed it asks once it is seen, unless the browser knows of no session', async () => {
  await openPage('/contact');
  const seen = () => document.dispatchEvent(new Event('visibilitychange'));
  seen();
  expect(askedFor('accounts.session')).toEqual([]);
  await message.fill('May I ask something first?');
  noteSessionEnd(600);
  answer(client);
  seen();
  await expect.element(account).toBeVisible();
  await expect.element(message).toHaveValue('May I ask something first?');
});
