import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, bookDirectly, offeredTimes, type Specialist } from './support/booking.ts';
import { expect, forgetSession, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';
import { becomeClient } from './support/people.ts';

test.use({ serviceWorkers: 'allow' });

async function installed(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
    }
  });
}

function kept(page: Page): Promise<{ owner: string; at: number; sessions: { specialist: string }[] } | null> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('italk', 1);
        request.addEventListener('upgradeneeded', () => request.result.createObjectStore('kept'));
        request.addEventListener('error', () => reject(request.error!));
        request.addEventListener('success', () => {
          const got = request.result.transaction('kept').objectStore('kept').get('sessions');
          got.addEventListener('success', () => {
            request.result.close();
            resolve((got.result as never) ?? null);
          });
        });
      }),
  );
}

test('installs as an app, and caches only assets and the offline page', async ({ page, open, product }) => {
  await openHome(page, await open({ serviceWorkers: 'block' }), product);
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest');
  await expect(page.locator('link[rel="apple-touch-icon"]')).toHaveCount(1);
  const answer = await page.request.get('/manifest.webmanifest');
  expect(answer.headers()['content-type']).toBe('application/manifest+json');
  const manifest = (await answer.json()) as {
    name: string;
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; purpose?: string }[];
  };
  expect(manifest).toMatchObject({ name: 'iTalk Health', start_url: '/home', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const icon = await page.request.get(src);
    expect(icon.ok(), src).toBe(true);
    if (!src.endsWith('.png')) continue;
    const bytes = await icon.body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);

  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = (await session.send('Page.getInstallabilityErrors')) as {
    installabilityErrors: { errorId: string }[];
  };
  // Incognito profiles never install apps.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  await page.goto('/services');
  const stored = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    }
    return found;
  });
  expect(stored).toContain('/offline');
  expect(stored.filter((path) => !/^\/(assets\/[\w.-]+|offline|icon\.svg)$/.test(path))).toEqual([]);
  const html = await page.evaluate(async () => (await caches.match('/offline'))!.text());
  expect(html).not.toContain('Ruth');
});

test(
  'shows a client’s upcoming sessions offline until they sign out',
  { tag: '@long' },
  async ({ page, open, context, product, expectNoise }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Bad Gateway/);
    const client = await openHome(page, await open({ serviceWorkers: 'block' }), product);
    await context.setOffline(true);
    await page.goto('/home');
    await expect(page).toHaveURL(/\/offline\?from=%2Fhome$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline');
    const sessions = page.getByRole('region', { name: 'Your upcoming sessions' }).getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await expect(sessions.first()).toContainText(`with ${client.specialist.name}`);
    await page.getByRole('button', { name: 'Need help now?' }).click();
    await expect(page.getByRole('link', { name: /988/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expectFair(page, 'the sessions without a network', { dark: true });

    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL('/home');
    // Data fetched by the page's script: its buttons work from here on.
    await expect(page.getByRole('article').first()).toBeVisible();
    // No refresh may still be in flight during sign-out.
    await expect.poll(async () => (await kept(page))?.at).toBeGreaterThan(client.at);
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL('/');
    await expect.poll(() => kept(page)).toBeNull();
    await context.setOffline(true);
    await page.goto('/home');
    await expect(page.getByText('No upcoming sessions on this device')).toBeVisible();
    await context.setOffline(false);
  },
);

test(
  'removes stored sessions once the sign-in ends, even while closed, or someone else signs in',
  { tag: '@long' },
  async ({ page, open, context, product, expectNoise }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 401/);
    const { email, specialist } = await openHome(page, await open({ serviceWorkers: 'block' }), product);
    await test.step('when sign-in ends elsewhere while a page is open', async () => {
      await product.query('delete from sessions where user_id = (select id from users where email = $1)', [
        email,
      ]);
      await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
      await expect.poll(() => kept(page)).toBeNull();
    });
    await test.step('when another person signs in', async () => {
      await signIn(page, email);
      await page.goto('/home');
      await expectKept(page, 2);
      const { owner } = (await kept(page))!;
      await forgetSession(page);
      await signIn(page, someone('next'));
      await page.goto('/home');
      await expect.poll(async () => (await kept(page))?.owner !== owner).toBe(true);
      await expect.poll(async () => (await kept(page))?.sessions ?? []).toEqual([]);
      // Specialists' sessions are never stored on the device.
      await forgetSession(page);
      await signIn(page, specialist.email);
      await page.goto('/home');
      await expect.poll(() => kept(page)).toBeNull();
    });
    await test.step('when sign-in expires offline while no page is open', async () => {
      await forgetSession(page);
      await signIn(page, email);
      await page.goto('/home');
      await expectKept(page, 2);
      await page.goto('about:blank');
      await context.setOffline(true);
      await page.clock.setFixedTime(Date.now() + 13 * 3_600_000);
      await page.goto(`${product.url}/home`);
      await expect(page.getByText('No upcoming sessions on this device')).toBeVisible();
      expect(await kept(page)).toBeNull();
      await context.setOffline(false);
    });
  },
);

test(
  'remembers a client’s choice not to store sessions on the device',
  { tag: '@long' },
  async ({ page, open, product }) => {
    await openHome(page, await open({ serviceWorkers: 'block' }), product);
    await page.goto('/offline');
    const keep = page.getByRole('switch', { name: 'Keep my upcoming sessions on this device' });
    await keep.uncheck();
    await expect.poll(() => kept(page)).toBeNull();
    await page.goto('/home');
    await expect(page.getByRole('article').first()).toBeVisible();
    await page.goto('/offline');
    await expect(keep).not.toBeChecked();
    expect(await kept(page)).toBeNull();
  },
);

test.describe('without a service worker', () => {
  test.use({ serviceWorkers: 'block' });

  const link = (page: Page, name: string) =>
    page.getByRole('banner').getByRole('link', { name, exact: true }).first();
  const said = (page: Page) => page.getByRole('status').filter({ hasText: 'No connection.' });

  test(
    'announces that navigation needs a network, keeps the page, and continues once online',
    { tag: '@long' },
    async ({ page, context, expectNoise }) => {
      // The browser logs failed fetches itself; the page must not throw.
      expectNoise(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Bad Gateway/);
      const title = page.getByRole('heading', { level: 1 });
      // The page must keep working without the script that stores sessions.
      await page.route('**/assets/keeper-*.js', (route) => route.abort());
      await signIn(page, someone());
      await page.goto('/resources');
      await link(page, 'Home').click();
      await expect(title).toHaveText(/^Welcome/);
      await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
      await context.setOffline(true);
      await link(page, 'Resources').click();
      await expect(said(page)).toContainText('The page opens once you’re back online.');
      await expect(page).toHaveURL('/home');
      await expect(title).toHaveText(/^Welcome/);
      await expectFair(page, 'a page that waits for the network', { dark: true });
      await context.setOffline(false);
      await expect(page).toHaveURL('/resources');
      await expect(title).toHaveText('Resources');
      await expect(said(page)).toBeHidden();

      await test.step('continues to a page whose script never loaded, but not after Stay here', async () => {
        await context.setOffline(true);
        await link(page, 'Services').click();
        await said(page).getByRole('button', { name: 'Stay here' }).click();
        await expect(said(page)).toBeHidden();
        await context.setOffline(false);
        await page.evaluate(() => fetch('/api/site'));
        await expect(title).toHaveText('Resources');
        await context.setOffline(true);
        await link(page, 'Services').click();
        await expect(said(page)).toBeVisible();
        await context.setOffline(false);
        await expect(title).toHaveText('Our services');
      });
      await test.step('waits when requests fail while the browser reports being online', async () => {
        let down = true;
        await page.route(/\/therapists\.data|\/assets\//, (route) =>
          down ? route.abort() : route.continue(),
        );
        await link(page, 'Therapists').click();
        await expect(said(page)).toBeVisible();
        await expect(page).toHaveURL('/services');
        down = false;
        await expect(title).toHaveText('Our specialists');
      });
      await test.step('says the site will be right back when a proxy answers for it', async () => {
        await page.route(/\/services\.data/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
        await link(page, 'Services').click();
        await expect(title).toHaveText('We’ll be right back');
        await page.getByRole('button', { name: 'Try again' }).click();
        await expect(title).toHaveText('Our services');
      });
    },
  );
});

test('replaces an old build’s service worker, and keeps its stored data', async ({ page }) => {
  const site = await standIn();
  try {
    await installed(page, site.url);
    await page.waitForFunction(async () => (await caches.keys()).includes('italk-first'));
    site.version = 'second';
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update());
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['italk-second']);
  } finally {
    site.close();
  }
});

async function expectKept(page: Page, count: number): Promise<number> {
  await expect.poll(async () => (await kept(page))?.sessions.length ?? 0).toBe(count);
  return (await kept(page))!.at;
}

async function openHome(page: Page, theirs: Page, product: Product): Promise<Client> {
  const specialist = await becomeSpecialist(theirs, product, { name: 'Dr. Clara Field' });
  const email = await becomeClient(page, product);
  const starts = await offeredTimes(page, product, specialist);
  for (const start of [starts[0]!, starts.at(-1)!]) await bookDirectly(page, specialist, start);
  await installed(page, '/home');
  return { email, specialist, at: await expectKept(page, 2) };
}

interface Client {
  email: string;
  specialist: Specialist;
  at: number;
}

async function standIn(): Promise<{ url: string; version: string; close: () => void }> {
  const source = await readFile(new URL('../../src/app/web/offline/worker.mjs', import.meta.url), 'utf8');
  const site = { url: '', version: 'first', close: () => void server.close() };
  const server: Server = createServer((request, response) => {
    const worker = request.url === '/sw.js';
    response.writeHead(200, {
      'content-type': worker ? 'text/javascript' : 'text/html',
      'cache-control': 'no-cache',
    });
    response.end(
      worker
        ? source.replace('__VERSION__', site.version).replace('__SHELL__', '[]')
        : '<!doctype html><title>One page</title><link rel="icon" href="data:,"><script>navigator.serviceWorker.register("/sw.js")</script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  return site;
}
