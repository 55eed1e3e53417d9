import { startProduct, type Product } from '../../scripts/product.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

test('answers an unknown address with a not-found page that links home', async ({ page, expectNoise }) => {
  expectNoise(/status of 404/);
  const response = await page.goto('/no/such/page');
  expect(response!.status()).toBe(404);
  await expect(page).toHaveTitle('Oops! Page not found · iTalk Health');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Core Services' })).toBeVisible();
  const nothing = ['/profile/more', '/assets/none.js', '/service/nothing', '/service/grief/more', '/%00'];
  for (const path of [...nothing, '/..%2f..%2fetc'])
    expect((await page.request.get(path)).status(), path).toBe(404);
  // Addresses that can't be decoded; bundling once dropped the check.
  for (const [path, status] of [
    ['/%zz', 303],
    ['/api/%ff', 400],
    ['/storage/v1/object/documents/%zz', 400],
  ] as const)
    expect((await page.request.get(path, { maxRedirects: 0 })).status(), path).toBe(status);
});

test('shows an error page with the request id and no internals', async ({ page, product, expectNoise }) => {
  expectNoise(/status of 500|Error: Unexpected Server Error|Minified React error/);
  // Signed-in visitors get no cached pages.
  await signIn(page, someone());
  await page.goto('/faq');
  await broken(product, async () => {
    await test.step('during client-side navigation', async () => {
      await page.getByRole('banner').getByRole('link', { name: 'Services' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unexpected Application Error!');
    });
    const response = await page.goto('/services');
    expect(response!.status()).toBe(500);
    const number = response!.headers()['x-request-id'];
    expect(number).toBeTruthy();
    await expect(page).toHaveTitle('Unexpected Application Error!');
    await expect(page.getByText(number!, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Need help now?' })).toBeVisible();
    await expectFair(page, 'the error page');
    const html = await response!.text();
    expect(html).not.toMatch(/relation|services_away|at .+\.ts:\d+|node_modules/);
    expect(html).toContain(number!);
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our services');
});

test('finishes requests in progress on SIGTERM, then stops the database', { tag: '@long' }, async () => {
  const product = await startProduct();
  const [database] = await product.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`,
  );
  expect(isAlive(database!.pid)).toBe(true);
  // On a busy machine the first page can take longer than the table lock.
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
  // The OS may take a moment to reap the process.
  await expect.poll(() => isAlive(database!.pid)).toBe(false);
});

async function broken(product: Product, during: () => Promise<void>): Promise<void> {
  await product.query('alter table services rename to services_away');
  try {
    await during();
  } finally {
    await product.query('alter table services_away rename to services');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
