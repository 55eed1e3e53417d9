import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { toast } from './support/booking.ts';
import { expect, password, someone, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';

const article = (page: Page) => page.getByRole('article');
const title = (page: Page) => article(page).getByRole('heading', { level: 1 });

function dayIn(timeZone: string): string {
  return Temporal.Now.zonedDateTimeISO(timeZone).toPlainDate().toString().slice(5);
}

async function titleOf(product: Product, day: string): Promise<string> {
  const [row] = await product.query<{ title: string }>('select title from devotionals where day = $1', [day]);
  return row!.title;
}

test(
  'shows the devotional for the visitor’s local date in any time zone',
  { tag: '@long' },
  async ({ open, product }) => {
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const page = await open({ timezoneId });
      // Loads the fonts first: a late font also shifts the layout.
      await page.goto(`${product.url}/faq`);
      await page.evaluate(() => document.fonts.ready);
      // Sums layout shifts (Cumulative Layout Shift) and records every visible title.
      await page.addInitScript(() => {
        const seen = new Set<string>();
        let moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            moved += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        const look = () => {
          const heading = document.querySelector('article h1');
          if (heading?.checkVisibility({ visibilityProperty: true })) seen.add(heading.textContent);
          requestAnimationFrame(look);
        };
        look();
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        // Two frames: the current state has been painted.
        const sofar = async () => {
          await frame();
          await frame();
          return { seen: [...seen], moved };
        };
        Object.assign(window, { sofar });
      });
      const own = await titleOf(product, dayIn(timezoneId));
      // Links shared from another time zone open the visitor's own date.
      for (const query of ['', '?zone=Pacific/Kiritimati', '?zone=Pacific/Pago_Pago']) {
        await page.goto(`${product.url}/devotional${query}`);
        await expect(title(page)).toHaveText(own);
        await expect(title(page)).toBeVisible();
        const { seen, moved } = await page.evaluate(() =>
          (window as unknown as { sofar: () => Promise<{ seen: string[]; moved: number }> }).sofar(),
        );
        expect(seen, `${timezoneId} ${query}`).toEqual([own]);
        expect(moved).toBeLessThan(0.01);
      }
    }
    const page = await open({ timezoneId: 'Pacific/Kiritimati' });
    await page.goto(`${product.url}/devotional?zone=Mars/Olympus`);
    await expect(title(page)).toBeVisible();
  },
);

test('describes a day’s page for search engines and link previews, including its editor’s change', async ({
  page,
  request,
  product,
}) => {
  const html = async () => (await request.get('/devotional/08-17')).text();
  const before = await html();
  expect(before).toContain('<title>One thing: August 17');
  expect(before).toMatch(/<link rel="canonical" href="[^"]*\/devotional\/08-17"/);
  expect(before).toMatch(/<meta property="og:description" content="[A-Z][a-z]+ \d+:/);
  const [data] = /(?<=<script type="application\/ld\+json"[^>]*>)[^<]+/.exec(before)!;
  expect(JSON.parse(data)).toMatchObject({ '@type': 'Article', headline: 'One thing' });
  expect((await request.get('/devotional/02-30')).status()).toBe(404);

  await becomeAdministrator(page, product);
  await page.goto('/admin/devotionals?month=8');
  await page.getByRole('link', { name: /^August 17/ }).click();
  await page.getByLabel('Title').fill('Only one thing is needed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'August 17 saved')).toBeVisible();
  await expect(page.getByRole('link', { name: /August 17.*Edited.*Only one thing/ })).toBeVisible();
  expect(await html()).toContain('Only one thing is needed');
});

test('asks a guest to sign in before subscribing to the devotional, then continues', async ({ page }) => {
  await page.goto('/devotional/03-02');
  await page.getByRole('button', { name: 'Email me daily' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(someone('reader'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page, 'Subscribed')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
});
