import type { BrowserContext, Page } from '@playwright/test';
import { expect, signIn, someone, test, type Who } from './support/fixtures.ts';

/** Issue 18: a processor six times slower, and 200 kbit/s. */
const slowdown = 6;
const bytesPerSecond = 200_000 / 8;
const latencyMs = 400;

test.describe.configure({ timeout: 240_000 });

async function slowDown(page: Page, context: BrowserContext): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

interface Press {
  who: Who | null;
  path: string;
  /** Pressed twice, as an impatient person does. */
  button: RegExp;
  /** What it leads to, once. */
  opens: (page: Page) => ReturnType<Page['getByRole']>;
}

const dialog = (page: Page) => page.getByRole('dialog');

const presses: readonly Press[] = [
  { who: null, path: '/', button: /^Book /, opens: dialog },
  { who: null, path: '/therapists', button: /^Book /, opens: dialog },
  {
    who: null,
    path: '/?auth=1',
    button: /^Create an account$|^Sign Up$/,
    opens: (page) => page.getByLabel('Full Name'),
  },
  {
    who: 'client',
    path: '/growth',
    button: /^Add a goal$/,
    opens: (page) => page.getByRole('button', { name: 'Save goal' }),
  },
  { who: 'client', path: '/prayers', button: /^Ask for prayer$/, opens: (page) => page.getByRole('form') },
];

for (const { who, path, button, opens } of presses)
  test(`answers a press on ${path} as soon as it can, once (${who ?? 'guest'})`, async ({
    page,
    context,
  }) => {
    if (who) await signIn(page, who);
    await slowDown(page, context);
    await page.goto(path, { waitUntil: 'commit' });
    const first = page.getByRole('main').getByRole('button', { name: button }).first();
    await first.click({ timeout: 120_000 });
    await expect(opens(page)).toHaveCount(1, { timeout: 120_000 });
  });

test('keeps what is typed and sent before the page is ready', async ({ page, context }) => {
  await slowDown(page, context);
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.getByLabel('Name').fill('Ruth Amsel', { timeout: 120_000 });
  await page.getByLabel('Email').fill(someone('slow'));
  await page.getByLabel('Message').fill('Do you have evening sessions?');
  await page.getByRole('button', { name: 'Send Message' }).click({ timeout: 120_000 });
  await expect(page.getByRole('status').first()).toBeVisible({ timeout: 120_000 });
});
