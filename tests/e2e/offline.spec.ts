import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, forgetSession, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

test.use({ serviceWorkers: 'allow', reducedMotion: 'reduce' });

/** Opens a page and waits until the worker serves it. */
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

/** What this browser keeps of somebody's sessions. */
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

test('the site can be installed as an app: a manifest with its name and icons, and a worker', async ({
  page,
  product,
}) => {
  await installed(page, '/');
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

  // Chromium's own word on it.
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = (await session.send('Page.getInstallabilityErrors')) as {
    installabilityErrors: { errorId: string }[];
  };
  // A browser that keeps nothing installs nothing, whatever the site is.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);

  await test.step('under the name that the settings give it', async () => {
    await product.query(`update site_settings set site_name = 'Cedar House'`);
    await product.query(`select pg_notify('pages', '')`);
    await expect
      .poll(
        async () =>
          ((await (await page.request.get('/manifest.webmanifest')).json()) as { name: string }).name,
      )
      .toBe('Cedar House');
    await product.query(`update site_settings set site_name = 'iTalk Health'`);
    await product.query(`select pg_notify('pages', '')`);
  });
});

test('without a network the client reads their upcoming sessions, until they sign out', async ({
  page,
  context,
  product,
  expectNoise,
}) => {
  expectNoise(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await signIn(page, 'client');
  const coming = await product.query<{ service: string; specialist: string }>(
    `select services.title as service, provider.full_name as specialist from appointments
       join services on services.id = service_id join profiles provider on provider.id = provider_id
       join users on users.id = client_id
     where users.email = 'client@italk.example' and status in ('pending', 'confirmed') and ends_at > now()
     order by starts_at`,
  );
  expect(coming.length).toBeGreaterThan(0);
  await installed(page, '/home');
  await expect.poll(async () => (await kept(page))?.sessions.length).toBe(coming.length);

  await context.setOffline(true);
  await page.goto('/home');
  await expect(page).toHaveURL(/\/offline\?from=%2Fhome$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Without a network');
  await expect(page.getByText(/^As of .+ Changes since then aren’t shown\.$/)).toBeVisible();
  const sessions = page.getByRole('region', { name: 'Your upcoming sessions' }).getByRole('listitem');
  await expect(sessions.getByRole('heading')).toHaveText(coming.map(({ service }) => service));
  for (const [index, { specialist }] of coming.entries()) {
    await expect(sessions.nth(index)).toContainText(`with ${specialist}`);
  }
  await page.getByRole('button', { name: 'Need help now?' }).click();
  await expect(page.getByRole('link', { name: /988/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectFair(page, 'the sessions without a network', { dark: true });

  const before = (await kept(page))!.at;
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try to connect' }).click();
  await expect(page).toHaveURL('/home');
  // What the page's script fetches: from then on its buttons answer.
  await expect(page.getByRole('article').first()).toBeVisible();
  // Nothing of it is on its way any more as they sign out.
  await expect.poll(async () => (await kept(page))?.at).toBeGreaterThan(before);

  await test.step('and nothing of them is left once they have signed out', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL('/');
    await expect.poll(() => kept(page)).toBeNull();
    await context.setOffline(true);
    await page.goto('/home');
    await expect(page.getByText('No upcoming sessions on this device')).toBeVisible();
    await expectFair(page, 'nothing without a network', { dark: true });
    await context.setOffline(false);
  });
});

test('nobody reads the sessions of whoever was signed in before them', async ({ page }) => {
  await signIn(page, 'client');
  await installed(page, '/home');
  const first = await kept(page).then(async (now) => now ?? (await keptSoon(page)));
  expect(first!.sessions.length).toBeGreaterThan(0);
  await forgetSession(page);
  await signIn(page, someone('next'));
  await page.goto('/home');
  await expect.poll(async () => (await kept(page))?.owner !== first!.owner).toBe(true);
  await expect.poll(async () => (await kept(page))?.sessions ?? []).toEqual([]);

  await test.step('nor does a specialist leave theirs on the device', async () => {
    await forgetSession(page);
    await signIn(page, 'doctor');
    await page.goto('/home');
    await expect.poll(() => kept(page)).toBeNull();
  });
});

test('nothing of them is left once the sign-in has ended, on a device that was closed, too', async ({
  page,
  context,
  product,
  expectNoise,
}) => {
  expectNoise(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 401/);
  await signIn(page, 'client');
  await installed(page, '/home');
  await keptSoon(page);

  await test.step('ended elsewhere, while a page was open', async () => {
    await product.query(
      `delete from sessions where user_id in (select id from users where email = 'client@italk.example')`,
    );
    await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
    await expect.poll(() => kept(page)).toBeNull();
  });
  await test.step('ended by itself, while no page was open and there was no network', async () => {
    await signIn(page, 'client');
    await installed(page, '/home');
    await keptSoon(page);
    await page.goto('about:blank');
    await context.setOffline(true);
    await page.clock.setFixedTime(Date.now() + 13 * 3_600_000);
    await page.goto(`${product.url}/home`);
    await expect(page.getByText('No upcoming sessions on this device')).toBeVisible();
    expect(await kept(page)).toBeNull();
    await context.setOffline(false);
  });
});

test('who doesn’t want their sessions kept on the device says so once', async ({ page }) => {
  await signIn(page, 'client');
  await installed(page, '/home');
  await keptSoon(page);
  await page.goto('/offline');
  await page.getByRole('switch', { name: 'Keep my upcoming sessions on this device' }).uncheck();
  await expect.poll(() => kept(page)).toBeNull();
  await page.goto('/home');
  await page.waitForTimeout(3_000);
  expect(await kept(page)).toBeNull();
});

test('the worker keeps no page but the offline one, and no answer of the API', async ({ page }) => {
  await signIn(page, 'client');
  await installed(page, '/home');
  await page.goto('/services');
  await keptSoon(page);
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
  expect(html).not.toContain('Hannah');
});

test.describe('without a worker', () => {
  test.use({ serviceWorkers: 'block' });

  test('a page goes on when what keeps sessions can’t be loaded, and a guest’s asks for nothing of it', async ({
    page,
    expectNoise,
  }) => {
    // The browser itself names what it couldn't fetch; the page throws nothing.
    expectNoise(/Failed to load resource: net::ERR_FAILED \(.*\/keeper-/);
    const asked: string[] = [];
    await page.route('**/assets/keeper-*.js', async (route) => {
      asked.push(route.request().url());
      await route.abort();
    });
    await page.goto('/services');
    // Longer than a page waits before it keeps anything.
    await page.waitForTimeout(3_000);
    expect(asked).toEqual([]);
    await signIn(page, 'client');
    await page.goto('/home');
    await expect.poll(() => asked.length, { timeout: 15_000 }).toBeGreaterThan(0);
    await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
    expect(await kept(page)).toBeNull();
  });
});

test.describe('moving to another page without a network', () => {
  test.use({ serviceWorkers: 'block' });

  const link = (page: Page, name: string) =>
    page.getByRole('banner').getByRole('link', { name, exact: true }).first();
  const said = (page: Page) => page.getByRole('status').filter({ hasText: 'No connection.' });

  test('says so, keeps what is on screen, and goes on by itself once it is back', async ({
    page,
    context,
    expectNoise,
  }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED/);
    await signIn(page, 'client');
    await page.goto('/resources');
    await link(page, 'Home').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome/);
    await context.setOffline(true);
    await link(page, 'Resources').click();
    await expect(said(page)).toContainText('The page opens once you’re back online.');
    await expect(page).toHaveURL('/home');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome/);
    await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
    await expectFair(page, 'a page that waits for the network', { dark: true });
    await context.setOffline(false);
    await expect(page).toHaveURL('/resources');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Resources');
    await expect(said(page)).toBeHidden();
  });

  test('also to one whose script was never loaded, and leaves whoever stays where they are', async ({
    page,
    context,
    expectNoise,
  }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED/);
    await signIn(page, 'client');
    await page.goto('/home');
    await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
    await context.setOffline(true);
    await link(page, 'Services').click();
    await expect(said(page)).toBeVisible();
    await said(page).getByRole('button', { name: 'Stay here' }).click();
    await expect(said(page)).toBeHidden();
    await context.setOffline(false);
    const answered = page.waitForResponse((response) => response.url().includes('/api/'));
    await page.evaluate(() => fetch('/api/site'));
    await answered;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Welcome/);

    await context.setOffline(true);
    await link(page, 'Services').click();
    await expect(said(page)).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
    await expect(page).toHaveURL('/services');
  });

  test('a list that couldn’t be fetched says so, and appears by itself once it can', async ({
    page,
    context,
    expectNoise,
  }) => {
    expectNoise(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/resources');
    await expect(page.getByRole('region', { name: 'All resources' })).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('searchbox').fill('a title that nothing has');
    const failed = page.getByRole('alert').filter({ hasText: 'Please check your connection' });
    await expect(failed).toBeVisible();
    await context.setOffline(false);
    await expect(failed).toBeHidden();
    await expect(page.getByRole('button', { name: 'Show all resources' })).toBeVisible();
  });

  test('also where the browser believes that there is one', async ({ page, expectNoise }) => {
    expectNoise(/ERR_FAILED/);
    await page.goto('/faq');
    let down = true;
    await page.route(/\/services\.data|\/assets\//, (route) => (down ? route.abort() : route.continue()));
    await link(page, 'Services').click();
    await expect(said(page)).toBeVisible();
    await expect(page).toHaveURL('/faq');
    down = false;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
  });
});

test('going on from the offline page never leads to another site', async ({ page, product }) => {
  for (const from of ['/%09/evil.example', '//evil.example', '/%5Cevil.example', '/offline?from=/']) {
    await page.goto(`/offline?from=${from}`);
    await page.getByRole('button', { name: 'Try to connect' }).click();
    // A guest’s home is the start page.
    await expect(page, from).toHaveURL(new RegExp(`^${product.url}/(home)?$`));
  }
  await page.goto(`/offline?from=${encodeURIComponent('/services?x=1')}`);
  await page.getByRole('button', { name: 'Try to connect' }).click();
  await expect(page).toHaveURL(`${product.url}/services?x=1`);
});

test('pages are always the server’s own while there is a network', async ({ page, product }) => {
  await installed(page, '/services');
  await product.query(`update services set title = 'Renamed for a moment' where id = 'teens'`);
  await product.query(`select pg_notify('pages', '')`);
  try {
    await expect(async () => {
      await page.goto('/services');
      await expect(page.getByRole('heading', { name: 'Renamed for a moment' })).toBeVisible({ timeout: 500 });
    }).toPass();
  } finally {
    await product.query(`update services set title = 'Youth Guidance' where id = 'teens'`);
    await product.query(`select pg_notify('pages', '')`);
  }
});

test('a new build’s worker takes the place of the old one, with what it had kept', async ({ page }) => {
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

async function keptSoon(page: Page) {
  await expect
    .poll(async () => (await kept(page))?.sessions.length ?? 0, { timeout: 15_000 })
    .toBeGreaterThan(0);
  return kept(page);
}

/** A site of one page that serves the product's own worker, in the version that it is told. */
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
