import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { toast } from './support/booking.ts';
import { expect, password, someone, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const article = (page: Page) => page.getByRole('article');
const title = (page: Page) => article(page).getByRole('heading', { level: 1 });

/** The day of the year that it is in a zone, MM-DD. */
function dayIn(timeZone: string): string {
  return Temporal.Now.zonedDateTimeISO(timeZone).toPlainDate().toString().slice(5);
}

async function titleOf(product: Product, day: string): Promise<string> {
  const [row] = await product.query<{ title: string }>('select title from devotionals where day = $1', [day]);
  return row!.title;
}

test('today’s devotional is that of the visitor’s own date, wherever they are', async ({ open, product }) => {
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await open({ timezoneId });
    // The fonts are there already: where a machine has none like them, their coming moves a page, too.
    await page.goto(`${product.url}/faq`);
    await page.evaluate(() => document.fonts.ready);
    // What was to be seen, and by how much it has moved (Cumulative Layout Shift).
    await page.addInitScript(() => {
      const seen = new Set<string>();
      let moved = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
      const look = () => {
        const heading = document.querySelector('article h1');
        if (heading?.checkVisibility({ visibilityProperty: true })) seen.add(heading.textContent);
        requestAnimationFrame(look);
      };
      look();
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      // After a frame that was drawn with what is there now.
      const sofar = async () => {
        await frame();
        await frame();
        return { seen: [...seen], moved };
      };
      Object.assign(window, { sofar });
    });
    const own = await titleOf(product, dayIn(timezoneId));
    // A link that somebody elsewhere has shared leads to the day here, too.
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
});

test('a day’s page tells search engines and people it is shared with what it is, and its editor’s change is in it', async ({
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
  await expect(toast(page, 'August 17 is saved')).toBeVisible();
  await expect(page.getByRole('link', { name: /August 17.*Edited.*Only one thing/ })).toBeVisible();
  expect(await html()).toContain('Only one thing is needed');
});

test('a guest is asked to sign in before the devotional comes by mail, and it goes on by itself', async ({
  page,
}) => {
  await page.goto('/devotional/03-02');
  await page.getByRole('button', { name: 'Send me this every morning' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(someone('reader'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page, 'It will come every morning')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Stop these mails' })).toBeVisible();
});
