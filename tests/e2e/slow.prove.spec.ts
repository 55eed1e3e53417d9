import type { Locator, Page } from '@playwright/test';
import { expect, signIn, someone, test, type Who } from './support/fixtures.ts';

const slowdown = 6;
/** 200 kbit/s. */
const bytesPerSecond = 25_000;
const patience = { timeout: 180_000 };

test.describe.configure({ timeout: 400_000 });

/** Doesn’t wait for the page. */
async function openSlowly(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(path, { waitUntil: 'commit' });
}

type Opens = (page: Page) => Locator;

const dialog: Opens = (page) => page.getByRole('dialog');

for (const [path, name, opens] of [
  ['/', /^Book /, dialog],
  ['/therapists', /^Book /, dialog],
  ['/therapists/dr-sarah-whitfield', /^Book /, dialog],
  ['/?auth=1', /Sign up$/, (page) => page.getByLabel('Full Name')],
] satisfies [string, RegExp, Opens][])
  test(`a slow ${path} answers a press as soon as its button is there, once`, async ({ page }) => {
    await openSlowly(page, path);
    const button = page.getByRole('main').getByRole('button', { name }).first();
    await button.click(patience);
    await expect(page.locator('html')).not.toHaveAttribute('data-ready');
    await expect(opens(page)).toHaveCount(1, patience);
  });

for (const [who, path, name, opens] of [
  ['client', '/growth', 'Add a goal', (page) => page.getByRole('button', { name: 'Save goal' })],
  ['doctor', '/home', 'Calendar Sync', dialog],
  ['admin', '/admin/settings?tab=services', /^Add /, dialog],
] satisfies [Who, string, string | RegExp, Opens][])
  test(`a slow ${path} answers a press or refuses it visibly, as ${who}`, async ({ page }) => {
    await signIn(page, who);
    await openSlowly(page, path);
    await page.getByRole('main').getByRole('button', { name }).first().click(patience);
    await expect(opens(page)).toHaveCount(1, patience);
  });

test('a slow contact form loses nothing typed before it is ready', async ({ page }) => {
  await openSlowly(page, '/contact');
  const [message, email] = ['Whom could I talk to?', someone('slow')];
  await page.getByLabel('Message', { exact: true }).fill(message, patience);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await expect(page.locator('html')).not.toHaveAttribute('data-ready');
  await page.locator('html[data-ready]').waitFor({ state: 'attached', ...patience });
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(message);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  await expect(page).toHaveURL('/contact');
});

for (const [path, label, value] of [
  ['/admin/settings?tab=users', 'Status', 'suspended'],
  ['/admin/settings?tab=audit', 'Category', 'security'],
  ['/admin/appointments', 'Status', 'cancelled'],
] as const)
  test(`a slow ${path} keeps a filter chosen as soon as it can be`, async ({ page }) => {
    await signIn(page, 'admin');
    await openSlowly(page, path);
    const filter = page.getByRole('main').getByLabel(label, { exact: true });
    await filter.selectOption(value, patience);
    await page.locator('html[data-ready]').waitFor({ state: 'attached', ...patience });
    await expect(filter).toHaveValue(value);
  });
