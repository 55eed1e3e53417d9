import type { Page } from '@playwright/test';
import { startProduct, type Product } from '../../scripts/product.ts';
import { expect, signIn, test } from './support/fixtures.ts';

test('an unknown address says so, kindly, and leads home', async ({ page, expectNoise }) => {
  expectNoise(/status of 404/);
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  const response = await page.goto('/no/such/page');
  expect(response!.status()).toBe(404);
  await expect(page).toHaveTitle('Oops! Page not found · iTalk Health');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect.poll(() => warnings).toContainEqual(expect.stringContaining('/no/such/page'));
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Core Services' })).toBeVisible();

  for (const path of ['/profile/more', '/assets/none.js', '/service/grief/more', '/%00', '/..%2f..%2fetc']) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});

test('a defect shows the error page with the number of its request', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 500|Error: Unexpected Server Error|Minified React error/);
  await signIn(page, 'client');
  await broken(product, async () => {
    const response = await page.goto('/services');
    expect(response!.status()).toBe(500);
    await expectErrorPage(page, response!.headers()['x-request-id']);
    const html = await response!.text();
    expect(html).not.toMatch(/relation|services_away|at .+\.ts:\d+|node_modules/);

    await test.step('also without script', async () => {
      const bare = await page.request.get('/therapists');
      expect(bare.status()).toBe(500);
      expect(await bare.text()).toContain(bare.headers()['x-request-id']!);
    });
    await test.step('and for the API, as a problem', async () => {
      const refused = await page.request.get('/api/services');
      expect(refused.status()).toBe(500);
      expect(refused.headers()['content-type']).toContain('application/problem+json');
      const problem: unknown = await refused.json();
      expect(JSON.stringify(problem)).toContain(refused.headers()['x-request-id']!);
      expect(JSON.stringify(problem)).not.toMatch(/relation|services_away/);
    });
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
});

test('moving to a page that fails shows the error page, and the way home', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 500|Unexpected Server Error/);
  await page.goto('/therapists');
  // Told by the page's script: from then on it is the script that moves on, to a page that no cache has.
  await expect(page.getByText(/^Times are in your time zone/)).toBeVisible();
  await broken(product, async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  });
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { name: 'Core Services' })).toBeVisible();
});

test('health and readiness answer in JSON', async ({ request, product }) => {
  const health = await request.get('/healthz');
  expect([health.status(), await health.json()]).toEqual([200, { status: 'ok' }]);
  const well = { database: true, migrations: true, files: true, accepting: true };
  const ready = await request.get('/readyz');
  expect([ready.status(), await ready.json()]).toEqual([200, well]);
  await product.query(`update kysely_migration set name = name || '-away'`);
  try {
    const unready = await request.get('/readyz');
    expect([unready.status(), await unready.json()]).toEqual([503, { ...well, migrations: false }]);
    expect((await request.get('/healthz')).status()).toBe(200);
  } finally {
    await product.query(`update kysely_migration set name = replace(name, '-away', '')`);
  }
  expect((await request.get('/readyz')).status()).toBe(200);
});

test('SIGTERM finishes what is under way and stops the database too', async () => {
  // A product of its own is started and stopped.
  test.slow();
  const product = await startProduct();
  const [database] = await product.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`,
  );
  expect(isAlive(database!.pid)).toBe(true);
  // The first page takes its time, more than the table is held for where the machine is busy.
  await fetch(`${product.url}/services?first`);
  const held = product.query('begin; lock table services; select pg_sleep(6); commit');
  const locks = (which: string) => () =>
    product.query(`select 1 from pg_locks where relation = 'services'::regclass and ${which}`);
  await expect
    .poll(locks(`mode = 'AccessExclusiveLock' and granted`), { message: 'the table is held' })
    .not.toHaveLength(0);
  const underWay = fetch(`${product.url}/services?held`);
  await expect.poll(locks('not granted'), { message: 'a page waits for it' }).not.toHaveLength(0);
  const ended = product.stop();
  const refused = () =>
    fetch(`${product.url}/healthz`).then(
      () => false,
      () => true,
    );
  await expect.poll(refused, { message: 'nobody new is let in' }).toBe(true);
  const answer = await underWay;
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Our services');
  await held;
  expect(await ended).toBe(0);
  // The system may take a moment to clear away a process that has ended.
  await expect.poll(() => isAlive(database!.pid)).toBe(false);
});

/** Takes the services away from under the product for a while. */
async function broken(product: Product, during: () => Promise<void>): Promise<void> {
  await product.query('alter table services rename to services_away');
  try {
    await during();
  } finally {
    await product.query('alter table services_away rename to services');
  }
}

async function expectErrorPage(page: Page, requestId: string | undefined): Promise<void> {
  expect(requestId).toBeTruthy();
  await expect(page).toHaveTitle('Unexpected Application Error!');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
  await expect(page.getByText(requestId!, { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Need help now?' })).toBeVisible();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
