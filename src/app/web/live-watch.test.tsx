import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor } from '../../../tests/components/answers.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { recordedFor } from '../../../tests/components/recorded.ts';
import { tellPage } from '../../../tests/components/socket.ts';

const site = recordedFor('client')['settings.site'];
const off = (...flags: string[]) => ({ ...site, flags: site.flags.filter((flag) => !flags.includes(flag)) });

const growth = page.getByRole('main').getByRole('link', { name: /^Your growth/ });
const messages = page.getByRole('link', { name: /^Messages/ }).first();

async function compared(): Promise<void> {
  await expect.poll(() => askedFor('settings.site').length).toBeGreaterThan(1);
}

test('hides and restores a switched-off feature on an open page', async () => {
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

test('hides a feature switched off between rendering and connecting', async () => {
  let asked = 0;
  await openPage('/home', {
    as: 'client',
    answers: { 'settings.site': () => ((asked += 1) === 1 ? site : off('wellness_tracking')) },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(growth).not.toBeInTheDocument();
});

test('reloads nothing while the site is unchanged', async () => {
  await openPage('/home', { as: 'client' });
  const once = askedFor('accounts.me').length;
  await compared();
  answer({ 'settings.site': off('wellness_tracking') });
  tellPage({ type: 'site.changed' });
  await expect.element(growth).not.toBeInTheDocument();
  // One request for the page, one after the site changed.
  await expect.poll(() => askedFor('accounts.me')).toHaveLength(2 * once);
});
