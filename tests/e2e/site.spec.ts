import { readFileSync, readdirSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { bookingDialog, confirm, confirmedDialog, fill } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

test.use({ reducedMotion: 'reduce' });

test.describe('the crisis lines', () => {
  test('open without a request, so nobody learns of it', async ({ page }) => {
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(3_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('banner').getByRole('button', { name: 'Need help now?' }).click();
    await expect(page.locator(':popover-open').getByRole('link')).toHaveCount(3);
    await page.locator(':popover-open').getByRole('button', { name: 'Close' }).click();
    await page.waitForTimeout(500);
    expect(asked).toEqual([]);
  });

  test('are in sight in every dialog on the way to a session, and leave it open', async ({ page }) => {
    await page.goto('/service/individuals');
    await page.getByRole('button', { name: 'Book Session with Dr. Naomi Bennett' }).click();
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await helpIn(page, prompt);
    await prompt.getByLabel('Email').fill(someone('dialogs'));
    await prompt.getByLabel('Password', { exact: true }).fill('peace-be-with-you');
    await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
    await helpIn(page, bookingDialog(page));
    await fill(bookingDialog(page), { monthsOn: 3 });
    await confirm(bookingDialog(page));
    await helpIn(page, confirmedDialog(page));
    await confirmedDialog(page).getByRole('button', { name: 'Done' }).click();
    await page.goto('/home');
    for (const [item, role] of [
      ['Reschedule', 'dialog'],
      ['Reminder and calendar', 'dialog'],
      ['Cancel appointment', 'alertdialog'],
    ] as const) {
      await page
        .getByRole('button', { name: /^Actions for the appointment/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: item }).click();
      await helpIn(page, page.getByRole(role));
      await page.keyboard.press('Escape');
      await expect(page.getByRole(role)).toHaveCount(0);
    }
  });

  test('stand in every dialog there is: all are made of the two that hold them', () => {
    const makers = filesUnder('src')
      .filter((path) => path.endsWith('.tsx') && !path.startsWith('src/texts/'))
      .filter((path) => {
        const text = readFileSync(path, 'utf8');
        return /\b(?:Alert)?Dialog(?: as \w+)?\b[^;]*from 'radix-ui'|role="(?:alert)?dialog"|<dialog\b/.test(
          text,
        );
      });
    expect(makers.toSorted()).toEqual([
      'src/web/components/alert-dialog.tsx',
      'src/web/components/dialog.tsx',
    ]);
    for (const path of makers) expect(readFileSync(path, 'utf8')).toContain('<HelpNow');
  });
});

test('the header fits the narrowest phones: the name whole, the help on one line under its full name', async ({
  page,
}) => {
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto('/services');
    const name = page.getByRole('banner').getByText('iTalk Health');
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth), `${width}`).toBe(0);
    const help = page.getByRole('banner').getByRole('button', { name: 'Need help now?' });
    await expect(help.getByText('Help now?', { exact: true })).toBeVisible({ visible: width < 360 });
    expect((await help.boundingBox())!.height, `${width}`).toBeLessThanOrEqual(44);
  }
});

test.describe('search engines', () => {
  test('find every public page in the sitemap, as the database has them, and each under its own address', async ({
    page,
    product,
  }) => {
    const answer = await page.request.get('/sitemap.xml');
    expect(answer.headers()['content-type']).toContain('application/xml');
    const listed = [...(await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc!);
    const rows = async (sql: string) => (await product.query<{ path: string }>(sql)).map(({ path }) => path);
    const expected = [
      '/',
      '/services',
      '/therapists',
      '/resources',
      '/devotional',
      '/about',
      '/faq',
      '/contact',
      '/join',
      ...(await rows(`select '/service/' || id as path from services where active`)),
      ...(await rows(`select '/therapists/' || slug as path from providers where listed`)),
      ...(await rows(`select '/resources/' || id as path from resources where status = 'published'`)),
      ...(await rows(`select '/devotional/' || day as path from devotionals`)),
    ].map((path) => `${product.url}${path}`);
    expect(listed.toSorted()).toEqual(expected.toSorted());

    const disallowed = await shut(page);
    expect(listed.filter((url) => disallowed.some((path) => new URL(url).pathname.startsWith(path)))).toEqual(
      [],
    );
    const first = (part: string) => listed.find((url) => url.includes(part));
    const some = [...listed.slice(0, 9), first('/resources/'), first('/devotional/03-02')];
    for (const url of some.filter((one) => one !== undefined)) {
      const response = await page.goto(url);
      expect(response!.status(), url).toBe(200);
      await expect(page.locator('link[rel=canonical]'), url).toHaveAttribute('href', url);
      await expect(page.locator('meta[name=robots]'), url).toHaveCount(0);
      for (const json of await page.locator('script[type="application/ld+json"]').allTextContents()) {
        expect(JSON.parse(json), url).toMatchObject({ '@context': 'https://schema.org' });
      }
    }
  });

  test('see a service that goes leave the sitemap at once', async ({ page, product }) => {
    const holds = async () =>
      (await (await page.request.get('/sitemap.xml')).text()).includes('/service/teens<');
    expect(await holds()).toBe(true);
    await product.query(`update services set active = false where id = 'teens'`);
    await product.query(`select pg_notify('pages', '')`);
    await expect.poll(holds).toBe(false);
    await product.query(`update services set active = true where id = 'teens'`);
    await product.query(`select pg_notify('pages', '')`);
  });

  test('are told by robots.txt what is private, and where the sitemap is', async ({ page, product }) => {
    const answer = await page.request.get('/robots.txt');
    expect(answer.headers()['content-type']).toContain('text/plain');
    expect(await answer.text()).toContain(`Sitemap: ${product.url}/sitemap.xml`);
    const disallowed = await shut(page);
    for (const path of [
      '/home',
      '/profile',
      '/admin/emergency',
      '/admin/inbox',
      '/adminsettings',
      '/author/new',
      '/api/me',
      '/booking/secret',
      '/growth',
      '/invitation/secret',
      '/messages/new',
      '/prayers',
      '/session/0b8f8f0e-7d1c-4a53-9a5e-1f1f5b0a6c11',
    ]) {
      expect(
        disallowed.some((one) => path.startsWith(one)),
        path,
      ).toBe(true);
    }
  });

  test('read the frequently asked questions as such', async ({ page }) => {
    await page.goto('/faq');
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!) as {
      '@type': string;
      mainEntity: { name: string; acceptedAnswer: { text: string } }[];
    };
    expect(data['@type']).toBe('FAQPage');
    expect(data.mainEntity.map(({ name }) => name)).toEqual(
      await page.locator('details summary').allTextContents(),
    );
    expect(data.mainEntity.every(({ acceptedAnswer }) => acceptedAnswer.text.length > 20)).toBe(true);
  });
});

test('the landing page brings at most 120 kB of script', async ({ page }) => {
  await page.goto('/');
  const links = page.locator('link[rel=modulepreload]');
  const paths = new Set(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!)));
  expect(paths.size).toBeGreaterThan(3);
  let bytes = 0;
  for (const path of paths)
    bytes += brotliCompressSync(await (await page.request.get(path)).body()).byteLength;
  expect(bytes).toBeGreaterThan(60_000);
  expect(bytes).toBeLessThanOrEqual(120_000);
});

test('whoever shares a page shows a picture of ours: 1200 × 630, of that page where it has one', async ({
  page,
  product,
}) => {
  const pages = {
    '/': 'site',
    '/services': 'services',
    ...Object.fromEntries(
      ['individuals', 'couples', 'families', 'teens', 'grief', 'spiritual'].map((id) => [
        `/service/${id}`,
        `service-${id}`,
      ]),
    ),
    '/therapists': 'therapists',
    '/resources': 'resources',
    '/devotional': 'devotional',
    '/devotional/03-02': 'devotional',
    '/about': 'about',
    '/faq': 'faq',
    '/contact': 'contact',
    '/join': 'site',
    '/service/added-later': 'site',
  };
  await product.query(
    `insert into services (id, position, title, category, description, based_on, support_offered, issues_addressed,
       spiritual_themes, duration_minutes, price_cents)
     select 'added-later', 90, 'Added later', category, description, based_on, support_offered, issues_addressed,
       spiritual_themes, duration_minutes, price_cents from services where id = 'grief'`,
  );
  for (const [path, card] of Object.entries(pages)) {
    await page.goto(path);
    const image = page.locator('meta[property="og:image"]');
    await expect(image, path).toHaveAttribute('content', `${product.url}/cards/${card}.png`);
    await expect(page.locator('meta[name="twitter:card"]')).toHaveAttribute('content', 'summary_large_image');
    await expect(page.locator('meta[property="og:image:width"]')).toHaveAttribute('content', '1200');
    await expect(page.locator('meta[property="og:image:height"]')).toHaveAttribute('content', '630');
    await expect(page.locator('meta[property="og:image:alt"]')).toHaveAttribute('content', /\w+/);
    const answer = await page.request.get(`/cards/${card}.png`);
    expect(answer.headers()['content-type'], card).toBe('image/png');
    const bytes = await answer.body();
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], card).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(100_000);
  }
  await product.query(`delete from services where id = 'added-later'`);
  await product.query('notify pages');
});

test.describe('on paper', () => {
  test.beforeEach(({ page }) => page.emulateMedia({ media: 'print' }));

  test('the FAQ shows every answer, without header, footer and buttons', async ({ page }) => {
    await page.goto('/faq');
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    const answers = page.locator('details > p');
    const heights = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(15);
    expect(Math.min(...heights)).toBeGreaterThan(20);
  });

  test('a service and the contact details are read without what is pressed', async ({ page }) => {
    for (const path of ['/service/grief', '/contact']) {
      await page.goto(path);
      for (const frame of [page.getByRole('banner'), page.getByRole('contentinfo')])
        await expect(frame).toBeHidden();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    }
    await expect(page.getByRole('link', { name: 'support@italk.example' })).toBeVisible();
    await expect(page.getByRole('main').getByText('988').first()).toBeVisible();
  });

  test('a client’s list of appointments stands there with its times', async ({ page }) => {
    await signIn(page, 'client');
    await page.goto('/home');
    const place = page.getByRole('region', { name: 'Upcoming Appointments' });
    await expect(place.getByRole('listitem').first()).toBeVisible();
    await expect(place.locator('time').first()).toBeVisible();
    await expect(page.getByRole('banner')).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Quick navigation' })).toBeHidden();
  });

  test('a confirmed appointment is printed alone, whole', async ({ page }) => {
    await page.emulateMedia({ media: 'screen' });
    await signIn(page, someone('paper'));
    await page.goto('/service/individuals');
    await page.getByRole('button', { name: 'Book Session with Dr. Naomi Bennett' }).click();
    await fill(bookingDialog(page), { monthsOn: 4 });
    await confirm(bookingDialog(page));
    await expect(confirmedDialog(page)).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(confirmedDialog(page)).toBeVisible();
    await expect(page.locator('main')).toBeHidden();
    const cut = await confirmedDialog(page).evaluate((dialog) =>
      [dialog, ...dialog.querySelectorAll('*')].some(
        (one) => one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible',
      ),
    );
    expect(cut).toBe(false);
  });
});

/** Opens the crisis lines from within a dialog by keyboard, and closes them: the dialog is still there. */
async function helpIn(page: Page, dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  const help = dialog.getByRole('button', { name: 'Need help now?' });
  await help.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator(':popover-open').getByRole('link', { name: /988/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator(':popover-open')).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await expect(help).toBeFocused();
}

async function shut(page: Page): Promise<string[]> {
  const text = await (await page.request.get('/robots.txt')).text();
  return [...text.matchAll(/^Disallow: (\S+)$/gm)]
    .map(([, path]) => path!)
    .filter((path) => !path.includes('*'));
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}
