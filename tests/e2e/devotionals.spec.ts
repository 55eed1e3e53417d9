import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { toast } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { expectFair, expectNoViolation } from './support/look.ts';
import { morningZone } from './support/zones.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const article = (page: Page) => page.getByRole('article');
const title = (page: Page) => article(page).getByRole('heading', { level: 1 });
const saved = 'It will come every morning';

/** The day of the year that it is in a zone, MM-DD. */
function dayIn(timeZone: string): string {
  return Temporal.Now.zonedDateTimeISO(timeZone).toPlainDate().toString().slice(5);
}

async function titleOf(product: Product, day: string): Promise<string> {
  const [row] = await product.query<{ title: string }>('select title from devotionals where day = $1', [day]);
  return row!.title;
}

test('today’s devotional is that of the visitor’s own date, wherever they are', async ({ open, product }) => {
  for (const timezoneId of [
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Pacific/Auckland',
    'America/Los_Angeles',
  ]) {
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

test('a day’s page has its passage, tells search engines and whoever shares it what it is, and prints without the rest', async ({
  page,
}) => {
  await page.goto('/devotional/12-25');
  await expect(title(page)).toHaveText('Good news for all people');
  await expect(article(page).getByRole('blockquote')).toContainText('good news of great joy');
  await expect(article(page)).toContainText('Luke 2:10-12 · World English Bible');
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/devotional\/12-25$/);
  await expect(page).toHaveTitle(/^Good news for all people: December 25/);
  const shared = page.locator('meta[property="og:description"]');
  await expect(shared).toHaveAttribute('content', /^Luke 2:10-12: The angel said to them/);
  const data = await page.locator('script[type="application/ld+json"]').first().textContent();
  expect(JSON.parse(data!)).toMatchObject({ '@type': 'Article', headline: 'Good news for all people' });
  await page.emulateMedia({ media: 'print' });
  await expect(article(page).getByRole('blockquote')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send me this every morning' })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Other days' })).toBeHidden();
});

test('the days lead to each other by keyboard, in a circle with a leap day', async ({ page }) => {
  await page.goto('/devotional/12-31');
  await tabTo(page, page.getByRole('link', { name: /^Day after/ }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/devotional\/01-01$/);
  await expect(title(page)).toHaveText('A way where there was none');
  await page.getByRole('link', { name: /^Day before/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/devotional\/12-31$/);
  await page.goto('/devotional/02-28');
  await expect(page.getByRole('link', { name: /^Day after · February 29/ })).toBeVisible();
});

test('a day that no year has is said to be none', async ({ page, expectNoise }) => {
  expectNoise(/status of 404/);
  const answer = await page.goto('/devotional/02-30');
  expect(answer!.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such day');
  await expectFair(page, 'no such day', { dark: true });
});

test('a guest is asked to sign in before it comes by mail, and it goes on by itself', async ({
  page,
  product,
}) => {
  const email = someone('reader');
  await page.goto('/devotional/03-02');
  await page.getByRole('button', { name: 'Send me this every morning' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toBeVisible();
  await prompt.getByLabel('Email').fill(email);
  await prompt.getByLabel('Password', { exact: true }).fill('peace-be-with-you');
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page, saved)).toBeVisible();
  await expect(page.getByText(`every morning at seven`).first()).toBeVisible();
  const wish = () =>
    product.query<{ on: boolean }>(
      'select daily_devotionals as on from profiles join users using (id) where email = $1',
      [email],
    );
  expect(await wish()).toEqual([{ on: true }]);
  await page.reload();
  await page.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(page.getByRole('button', { name: 'Send me this every morning' })).toBeFocused();
  expect(await wish()).toEqual([{ on: false }]);
});

test('the mail comes in one’s own morning, and its link stops it after asking, by one press, and with a way back', async ({
  page,
  open,
  product,
}) => {
  test.setTimeout(200_000);
  const email = someone('early');
  const timeZone = morningZone();
  await signIn(page, email);
  await page.goto('/devotional');
  await page.getByRole('button', { name: 'Send me this every morning' }).click();
  await expect(toast(page, saved)).toBeVisible();
  const values = [email, timeZone];
  // Whoever has no zone yet gets that of their browser, which comes by itself.
  const zones = () =>
    product.query(
      'select time_zone as zone from profiles where id = (select id from users where email = $1)',
      [email],
    );
  await expect.poll(zones).toEqual([{ zone: 'America/Chicago' }]);
  await product.query('update users set email_verified = true where email = $1', [email]);
  await product.query(
    'update profiles set time_zone = $2 where id = (select id from users where email = $1)',
    values,
  );
  // As if seven had only just passed since the times were set.
  await product.query(
    `update mornings set stale = false, devotional_at = now() where person_id = (select id from users where email = $1)`,
    [email],
  );
  const subject = `Today: ${await titleOf(product, dayIn(timeZone))}`;
  await page.goto('/dev/mail');
  const mail = page.getByRole('navigation').getByRole('link').filter({ hasText: email });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(mail.filter({ hasText: subject })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 100_000 });
  await mail.click();
  const link = page.getByRole('link', { name: /\/unsubscribe\?token=/ });
  const address = (await link.getAttribute('href'))!;
  expect(address).not.toContain(encodeURIComponent(email));

  // On a device where nobody is signed in.
  const other = await open();
  await other.goto(address);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Stop the daily devotionals?');
  await expectFair(other, 'asked whether to stop', { dark: true });
  await tabTo(other, other.getByRole('main').getByRole('button', { name: 'Stop these mails' }));
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('The daily devotionals are stopped');
  await expect(other.getByRole('heading', { level: 1 })).toBeFocused();
  await expectFair(other, 'stopped', { dark: true });
  await page.goto('/devotional');
  await expect(page.getByRole('button', { name: 'Send me this every morning' })).toBeVisible();
  await other.getByRole('button', { name: 'Send them again' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('The daily devotionals come again');
  await expectFair(other, 'resumed', { dark: true });

  // A mail program's press has no cookie and no origin.
  const press = await fetch(address.replace('/unsubscribe?', '/api/unsubscribe?'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(press.status).toBe(204);
  await other.reload();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('The daily devotionals are stopped');
});

test('a link that isn’t whole says so and leads to the settings', async ({ page }) => {
  for (const token of ['', '?token=devotional.x', '?token=%00']) {
    await page.goto(`/unsubscribe${token}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link can’t be read');
  }
  await expect(page.getByRole('main').getByRole('link', { name: 'Open your settings' })).toBeVisible();
  await expectFair(page, 'a link that isn’t whole', { dark: true });
});

test('a wish that can’t be kept is said to be, and can be tried again', async ({ page, expectNoise }) => {
  expectNoise(/Failed to load resource|net::ERR/);
  await signIn(page, someone('patient'));
  await page.goto('/devotional/06-07');
  await page.route('**/api/me/preferences', (route) => route.abort());
  await page.getByRole('button', { name: 'Send me this every morning' }).click();
  await expect(toast(page, 'That couldn’t be saved')).toBeVisible();
  await page.unroute('**/api/me/preferences');
  await page.getByRole('button', { name: 'Send me this every morning' }).click();
  await expect(toast(page, saved)).toBeVisible();
});

test('an administrator edits a day, and another browser’s page shows it at once', async ({
  page,
  open,
  product,
}) => {
  const reader = await open();
  await reader.goto(`${product.url}/devotional/08-17`);
  await expect(title(reader)).toHaveText('One thing');
  await signIn(page, 'admin');
  await page.goto('/admin/devotionals?month=8');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Daily devotionals');
  await page.getByRole('link', { name: /^August 17/ }).click();
  const form = page.getByRole('form').or(page.locator('form'));
  await form.getByLabel('Title').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Please fill this in.')).toBeVisible();
  await expect(form.getByLabel('Title')).toBeFocused();
  await expectNoViolation(page, 'the form with a fault');
  await form.getByLabel('Title').fill('Only one thing is needed');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'August 17 is saved')).toBeVisible();
  await expect(form.getByText(/^Last edited .* by /)).toBeVisible();
  await expect(page.getByRole('link', { name: /August 17.*Edited.*Only one thing/ })).toBeVisible();
  await reader.reload();
  await expect(title(reader)).toHaveText('Only one thing is needed');
  const entries = await product.query<{ details: unknown }>(
    `select details from audit_entries where action = 'devotional_edited'`,
  );
  expect(entries.map(({ details }) => details)).toContainEqual(
    expect.objectContaining({ day: '08-17', changed: 'title' }),
  );
});

test('whoever saves second is told, keeps what they typed, and can load the new words', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 409/);
  await signIn(page, 'admin');
  const colleague = await open();
  await signIn(colleague, 'admin');
  for (const one of [page, colleague]) {
    await one.goto(`${product.url}/admin/devotionals?day=09-13`);
    await expect(one.locator('form').getByLabel('Title')).toHaveValue('Two are better');
  }
  await colleague.locator('form').getByLabel('Title').fill('Better together');
  await colleague.locator('form').getByRole('button', { name: 'Save' }).click();
  await expect(toast(colleague, 'September 13 is saved')).toBeVisible();
  await page.locator('form').getByLabel('Thought').fill('My own thought.');
  await page.locator('form').getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Somebody else has changed this day' }),
  ).toBeVisible();
  await expect(page.locator('form').getByLabel('Thought')).toHaveValue('My own thought.');
  await expectFair(page, 'a day that was changed meanwhile', { dark: true });
  await page.getByRole('button', { name: 'Load the new words' }).click();
  await expect(page.locator('form').getByLabel('Title')).toHaveValue('Better together');
  await page.locator('form').getByLabel('Thought').fill('My own thought.');
  await page.locator('form').getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'September 13 is saved')).toBeVisible();
});

test('an administrator finds days by words, and finds out when there are none', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/admin/devotionals');
  await page.getByLabel('Search the whole year').fill('Zephaniah');
  await expect(page.getByRole('link', { name: /Sung over/ })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Days' }).getByRole('listitem')).toHaveCount(1);
  await page.getByLabel('Search the whole year').fill('no such words at all');
  await expect(page.getByRole('heading', { name: 'No day has these words' })).toBeVisible();
  await expectFair(page, 'nothing found', { dark: true });
  await page.getByLabel('Month').selectOption('February');
  await expect(page.getByRole('navigation', { name: 'Days' }).getByRole('listitem')).toHaveCount(29);
});

test('nobody but an administrator gets to the desk', async ({ page, open, product }) => {
  for (const who of ['client', 'doctor', 'pastor']) {
    const other = await open();
    await signIn(other, who);
    await other.goto(`${product.url}/admin/devotionals`);
    await expect(other.getByRole('alert')).toHaveText('Access denied. Required permission: moderate_content');
  }
  await page.goto('/admin/devotionals');
  await expect(page).toHaveURL(/auth=1/);
});

test('the pages are fair to everyone on every screen', async ({ page, expectNoise }) => {
  expectNoise(/Failed to load resource|net::ERR/);
  await page.goto('/devotional');
  await expectFair(page, 'today', { dark: true });
  await page.goto('/devotional/04-06');
  await expectFair(page, 'a day', { dark: true });
  await signIn(page, 'admin');
  await page.goto('/admin/devotionals?month=2');
  await expect(page.getByRole('link', { name: /^February 29/ })).toBeVisible();
  await expectFair(page, 'the desk', { dark: true });
  await page.goto('/admin/devotionals?month=2&day=02-29');
  await expect(page.locator('form').getByLabel('Title')).toHaveValue('My times');
  await expectFair(page, 'a day on the desk', { dark: true });
  await page.route('**/api/admin/devotionals**', (route) => route.abort());
  await page.goto('/admin/devotionals?month=3');
  await expect(page.getByRole('alert')).toContainText('This couldn’t be loaded');
  await expectFair(page, 'the desk without an answer', { dark: true });
  await page.unroute('**/api/admin/devotionals**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: /^March 1 / })).toBeVisible();
});
