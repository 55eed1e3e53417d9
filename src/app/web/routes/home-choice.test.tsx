import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const title = page.getByRole('heading', { level: 1 });

test('redirects a guest to the landing page', async () => {
  await openPage('/home');
  await expect.poll(address).toBe('/');
});

test('redirects a guest to the sign-in card for ?auth=1', async () => {
  await openPage('/home?auth=1');
  await expect.poll(address).toBe('/?auth=1');
});

for (const [who, name, part] of [
  ['client', 'Welcome, Hannah', 'Upcoming Appointments'],
  ['doctor', 'Welcome, Dr. Sarah Whitfield', "Today's Schedule"],
  ['admin', 'Super Admin Dashboard', 'Directory'],
] as const)
  test(`shows the ${who} dashboard`, async () => {
    await openPage('/home', { as: who });
    await expect.element(title).toHaveTextContent(name);
    await expect.element(page.getByRole('heading', { name: part, exact: true })).toBeVisible();
  });

test('shows the specialist dashboard to a pastor', async () => {
  const me = { ...recordedFor('doctor')['accounts.me'], role: 'pastor', fullName: 'Pastor Daniel Reyes' };
  await openPage('/home', { as: 'doctor', answers: { 'accounts.me': me } });
  await expect.element(title).toHaveTextContent('Welcome, Pastor Daniel Reyes');
  await expect.element(page.getByRole('heading', { name: "Today's Schedule", exact: true })).toBeVisible();
});

for (const who of ['client', 'doctor', 'admin'] as const)
  test(`shows the landing page to a signed-in ${who}`, async () => {
    await openPage('/', { as: who });
    await expect.element(page.getByRole('heading', { name: 'Core Services' })).toBeVisible();
  });

for (const [who, text] of [
  ['guest', 'Admin'],
  ['client', 'Admin'],
  ['doctor', 'Admin'],
  ['admin', 'Admin Dashboard'],
] as const)
  test(`links from the landing page to the portal (${who}: “${text}”)`, async () => {
    await openPage('/', { as: who });
    const link = page
      .getByRole('banner')
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Admin/ });
    await expect.element(link).toHaveTextContent(text);
    await expect.element(link).toHaveAttribute('href', '/admin/settings');
  });
