import { becomeSpecialist } from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';

test('keeps the server-rendered home while its script loads, even when updates arrive', async ({
  page,
  product,
}) => {
  await becomeSpecialist(page, product);
  const { promise: come, resolve: bring } = Promise.withResolvers<void>();
  await page.route(/\/assets\/provider-dashboard-/, async (route) => {
    await come;
    await route.continue();
  });
  // Holds the entry script: hydration would otherwise start once the page has loaded.
  const { promise: stands, resolve: awaken } = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await stands;
    await route.continue();
  });
  const unread = page.waitForResponse(/\/unread/);
  await page.goto('/home', { waitUntil: 'commit' });
  const help = page.getByRole('button', { name: 'Need help now?' });
  const lines = page.getByRole('group', { name: 'You don’t have to wait' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  awaken();
  await help.focus();
  await page.keyboard.press('Enter');
  await expect(lines).toBeVisible();
  await unread;
  await expect(lines).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
  bring();
  await expect(page.getByRole('button', { name: 'Calendar Sync' })).toBeEnabled();
  await expect(lines).toBeVisible();
});
