import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { becomeSpecialist } from './support/booking.ts';
import {
  callOptions,
  control,
  expectToSeeAndHear,
  goIn,
  liveTracks,
  meet,
  sessionNow,
  watchCalls,
} from './support/call.ts';
import { call, expect, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';

// This test changes site flags and settings, so it can't share a product.
test.use({
  launchOptions: callOptions,
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

test('closes a room for everyone in it when video is turned off, and reopens it', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/404.*\/api\/sessions/);
  const theirs = await open();
  for (const one of [page, theirs]) await watchCalls(one);
  const ada = await becomeSpecialist(theirs, product);
  await signIn(page, someone('visitor'));
  const id = await sessionNow(page, product, ada);
  await meet(page, theirs, id);
  await expectToSeeAndHear(page);
  const admin = await open();
  await becomeAdministrator(admin, product);

  await turnVideo(admin, false);
  for (const one of [page, theirs]) {
    await expect(one.getByRole('heading', { level: 1 })).toHaveText('Video is currently off');
    await expect(one.getByText(/^The call ended for everyone, and your camera and micro/)).toBeVisible();
    await expect(control(one, 'Leave')).toHaveCount(0);
    await expect.poll(() => liveTracks(one)).toEqual([]);
    await expect
      .poll(() => one.evaluate(() => [...new Set(window.watched.links.map((link) => link.connectionState))]))
      .toEqual(['closed']);
  }
  await page.reload();
  await expect(page.getByText(/^Your session is still on\. Agree on another way/)).toBeVisible();
  await expect.poll(() => peopleIn(id)).toBe(0);

  await turnVideo(admin, true);
  for (const one of [page, theirs]) await goIn(one);
  await expectToSeeAndHear(page);

  async function peopleIn(appointmentId: string): Promise<number> {
    const peers = await product.query('select from room_peers where appointment_id = $1', [appointmentId]);
    return peers.length;
  }
});

test('keeps an idle person signed in during a call, and signs them out after it', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open();
  for (const one of [page, theirs]) await watchCalls(one);
  // Lets the test shift the page's clock to simulate idle time.
  await page.addInitScript(() => {
    const real = performance.now.bind(performance);
    performance.now = () => real() + (window.later ?? 0);
  });
  const ada = await becomeSpecialist(theirs, product);
  const email = someone('still');
  await signIn(page, email);
  const id = await sessionNow(page, product, ada);
  const admin = await open();
  await becomeAdministrator(admin, product);
  await reauthenticate(admin);
  await call(admin, '/api/admin/settings', {
    version: await versionOf(admin),
    change: { sessionTimeout: 10 },
  });
  await meet(page, theirs, id);
  await expectToSeeAndHear(page);

  await untouched();
  await usedAgo(9);
  await expect.poll(minutesUnused, { timeout: 45_000 }).toBeLessThan(1);
  await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toHaveCount(0);
  await expectToSeeAndHear(page);

  await control(page, 'Leave').click();
  await expect(page.getByRole('heading', { name: 'You left the session' })).toBeVisible();
  await untouched();
  await usedAgo(9);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible();
  expect(await minutesUnused()).toBeGreaterThanOrEqual(9);

  async function untouched(): Promise<void> {
    await page.evaluate(() => {
      window.later = (window.later ?? 0) + 120_000;
    });
  }
  async function usedAgo(minutes: number): Promise<void> {
    await product.query(
      `update sessions set updated_at = now() - interval '1 minute' * $2
        where user_id = (select id from users where email = $1)`,
      [email, minutes],
    );
  }
  async function minutesUnused(): Promise<number> {
    const [row] = await product.query<{ minutes: number }>(
      `select (extract(epoch from now() - updated_at) / 60)::float as minutes from sessions
        where user_id = (select id from users where email = $1)`,
      [email],
    );
    return row!.minutes;
  }
});

declare global {
  interface Window {
    /** Milliseconds the page's clock runs ahead. */
    later?: number;
  }
}

async function turnVideo(admin: Page, enabled: boolean): Promise<void> {
  const flags = (await (await admin.request.get('/api/admin/flags')).json()) as {
    id: string;
    version: number;
  }[];
  const { version } = flags.find(({ id }) => id === 'video_sessions')!;
  await call(admin, '/api/admin/flags/video_sessions', { version, enabled });
}

async function versionOf(admin: Page): Promise<number> {
  return ((await (await admin.request.get('/api/admin/settings')).json()) as { version: number }).version;
}
