import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor } from '../../../tests/components/answers.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { recordedFor } from '../../../tests/components/recorded.ts';
import { tellPage } from '../../../tests/components/socket.ts';

const site = recordedFor('client')['settings.site'];
const off = (...flags: string[]) => ({ ...site, flags: site.flags.filter((flag) => !flags.includes(flag)) });

const growth = page.getByRole('main').getByRole('link', { name: /^Goals, journal and prayer/ });
const messages = page.getByRole('link', { name: /^Messages/ }).first();

/** Waits until the page has compared what it was made with to what the site is now. */
async function compared(): Promise<void> {
  await expect.poll(() => askedFor('settings.site').length).toBeGreaterThan(1);
}

test('an open page hides what is switched off, and shows it again', async () => {
  await openPage('/home', { as: 'client' });
  await expect.element(growth).toBeVisible();
  await expect.element(messages).toBeVisible();
  await compared();
  answer({ 'settings.site': off('wellness_tracking', 'direct_messaging') });
  tellPage({ type: 'site.changed' });
  await expect.element(growth).not.toBeInTheDocument();
  await expect.element(messages).not.toBeInTheDocument();
  answer({ 'settings.site': site });
  tellPage({ type: 'site.changed' });
  await expect.element(growth).toBeVisible();
  await expect.element(messages).toBeVisible();
});

test('hides what was switched off after the page was made and before it was connected', async () => {
  let asked = 0;
  await openPage('/home', {
    as: 'client',
    answers: { 'settings.site': () => ((asked += 1) === 1 ? site : off('wellness_tracking')) },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(growth).not.toBeInTheDocument();
});

test('loads nothing again while the site is as the page was made', async () => {
  await openPage('/home', { as: 'client' });
  const once = askedFor('accounts.me').length;
  await compared();
  answer({ 'settings.site': off('wellness_tracking') });
  tellPage({ type: 'site.changed' });
  await expect.element(growth).not.toBeInTheDocument();
  // Once to make the page, once because the site changed.
  await expect.poll(() => askedFor('accounts.me')).toHaveLength(2 * once);
});
