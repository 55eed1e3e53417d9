import type { Page } from '@playwright/test';
import { startProduct } from '../../scripts/product.ts';
import { becomeSpecialist, bookDirectly, offeredTimes } from './support/booking.ts';
import { call, expect, test } from './support/fixtures.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

// This test restarts its product, so it can't share one.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const env = { RATE_LIMIT_FACTOR: '1000' };
      const product = { ...(await startProduct({ env })) };
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

test(
  'hides a specialist with an expired license until renewal, and keeps their bookings',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    expectNoise(/404/);
    const [theirs, admin] = [await open(), await open()];
    const name = 'Dr. Licensed Winter';
    const specialist = await becomeSpecialist(theirs, product, { name });
    await becomeAdministrator(admin, product);
    const first = await approved(theirs, admin, { expiresOn: inDays(200) });
    await becomeClient(page, product);
    const [start] = await offeredTimes(page, product, specialist);
    const appointment = await bookDirectly(page, specialist, start!);
    const [from, to] = [inDays(3), inDays(20)].map((day) => `${day}T00:00:00Z`);
    const span = `from=${from}&to=${to}&durationMinutes=60`;
    const own = `/therapists/specialist-${specialist.id}`;
    await seen(true);

    // Instead of waiting for the license to expire: hourly jobs also run at startup.
    await product.query(`update provider_credentials set expires_on = $2 where id = $1`, [first, inDays(-1)]);
    await product.query(`update providers set licensed_until = $2 where id = $1`, [
      specialist.id,
      inDays(-1),
    ]);
    const { port } = new URL(product.url);
    // An open page would log errors while the server restarts.
    await page.goto('about:blank');
    await product.kill();
    Object.assign(product, await startProduct({ dataDir: product.dataDir, port: Number(port) }));
    // The job may end after the product is ready, and an open page wouldn't change.
    await expect.poll(async () => (await page.request.get(own)).status()).toBe(404);
    await seen(false);
    const kept = await page.request.get(`${product.url}/api/appointments/${appointment}`);
    expect(await kept.json()).toMatchObject({ status: 'confirmed', provider: { name } });

    await approved(theirs, admin, { expiresOn: inDays(400), replaces: first });
    await seen(true);

    async function seen(here: boolean): Promise<void> {
      const card = page.getByRole('main').getByRole('article').filter({ hasText: name });
      await page.goto('/therapists');
      await expect(page.getByRole('main').getByRole('article').first()).toBeVisible();
      await expect(card).toHaveCount(here ? 1 : 0);
      const answer = await page.goto(own);
      expect(answer?.status()).toBe(here ? 200 : 404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(here ? name : 'Specialist not found');
      const times = await page.request.get(`/api/specialists/${specialist.id}/free-starts?${span}`);
      expect(times.ok()).toBe(here);
    }
  },
);

async function approved(theirs: Page, admin: Page, changes: object): Promise<string> {
  const license = { kind: 'licence', number: 'PSY 12345', issuer: 'The board', region: 'Massachusetts' };
  const { id } = await call<{ id: string }>(theirs, '/api/practice/credentials', { ...license, ...changes });
  await call(admin, `/api/credentials/${id}/approve`, {});
  return id;
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
