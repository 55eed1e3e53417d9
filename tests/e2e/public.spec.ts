import { expect, test } from './support/fixtures.ts';
import { watchScripts } from './support/weight.ts';

const services = ['individuals', 'couples', 'families', 'teens', 'grief', 'spiritual'];

const shared: readonly { path: string; card: string; types: readonly string[] }[] = [
  { path: '/', card: 'site', types: ['Organization+MedicalBusiness', 'WebSite'] },
  { path: '/services', card: 'services', types: ['ItemList'] },
  { path: '/therapists', card: 'therapists', types: ['ItemList'] },
  ...services.map((id) => ({ path: `/service/${id}`, card: `service-${id}`, types: ['Service'] })),
  { path: '/resources', card: 'resources', types: ['ItemList'] },
  { path: '/devotional', card: 'devotional', types: ['Article'] },
  { path: '/devotional/03-02', card: 'devotional', types: ['Article'] },
  { path: '/about', card: 'about', types: ['AboutPage'] },
  { path: '/faq', card: 'faq', types: ['FAQPage'] },
  { path: '/contact', card: 'contact', types: ['ContactPage'] },
  { path: '/join', card: 'site', types: [] },
];

test('serves public pages to guests, search engines and link previews without script or cookies', async ({
  open,
  product,
}) => {
  const page = await open({ javaScriptEnabled: false });
  const cookies: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['set-cookie']) cookies.push(response.url());
  });
  const sitemap = await page.request.get(`${product.url}/sitemap.xml`);
  const listed = [...(await sitemap.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc!);
  const titles = new Set<string>();
  const descriptions = new Set<string>();
  for (const { path, card, types } of shared) {
    const url = `${product.url}${path}`;
    expect(listed, 'the sitemap').toContain(url);
    expect((await page.goto(url))!.status(), path).toBe(200);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
    await expect(page.getByRole('contentinfo'), path).toContainText('All rights reserved.');
    titles.add(await page.title());
    expect(await page.title()).toContain('iTalk Health');
    descriptions.add((await page.locator('meta[name=description]').getAttribute('content')) ?? '');
    await expect(page.locator('link[rel=canonical]'), path).toHaveAttribute('href', url);
    await expect(page.locator('meta[name=robots]'), path).toHaveCount(0);
    const structured = await page.locator('script[type="application/ld+json"]').allTextContents();
    const found = structured.map((json) => JSON.parse(json) as Record<string, unknown>);
    for (const data of found) expect(data['@context'], path).toBe('https://schema.org');
    expect(
      found.map((data) => [data['@type']].flat().join('+')),
      path,
    ).toEqual(types);
    const image = page.locator('meta[property="og:image"]');
    await expect(image, path).toHaveAttribute('content', `${product.url}/cards/${card}.png`);
    const answer = await page.request.get(`${product.url}/cards/${card}.png`);
    expect(answer.headers()['content-type'], card).toBe('image/png');
    const bytes = await answer.body();
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], card).toEqual([1200, 630]);
    expect(bytes.length).toBeLessThan(100_000);
  }
  expect([titles.size, descriptions.size]).toEqual([shared.length, shared.length]);
  expect([...descriptions].every((one) => one.length > 50)).toBe(true);
  expect(cookies).toEqual([]);

  await test.step('describes the questions as structured data', async () => {
    await page.goto(`${product.url}/faq`);
    const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!) as {
      mainEntity: { name: string; acceptedAnswer: { text: string } }[];
    };
    expect(data.mainEntity.map(({ name }) => name)).toEqual(
      await page.locator('main details summary').allTextContents(),
    );
    expect(data.mainEntity.every(({ acceptedAnswer }) => acceptedAnswer.text.length > 20)).toBe(true);
  });
  await test.step('shows every story on phones', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(product.url);
    const stories = page.getByRole('region', { name: 'Stories of healing and hope' });
    await expect(stories.locator('li figure:visible')).toHaveCount(await stories.locator('li').count());
    await expect(stories.getByRole('button')).toHaveCount(0);
  });
  await test.step('opens the crisis lines', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Need help now?' }).click();
    await expect(page.getByRole('link', { name: /988/ }).first()).toBeVisible();
  });
});

const specialist = '/therapists/dr-sarah-whitfield';

test('loads no script on pages to read until it is wanted', async ({ page }) => {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  const read = ['/services', '/service/individuals', '/about', '/faq', '/resources', '/'];
  for (const path of [...read, '/therapists', '/therapists?kind=pastor', specialist]) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.mouse.wheel(0, 600);
  }
  expect([...scripts]).toEqual([]);
});

for (const [path, max] of [
  ['/', 116_000],
  ['/therapists', 134_000],
  [specialist, 130_000],
] as const)
  test(`loads at most ${max / 1000} kB of script on ${path} once it is wanted`, async ({ page }) => {
    const scripts = watchScripts(page);
    await page.goto(path);
    await page.getByRole('banner').getByRole('link').first().hover();
    await expect(page.locator('html')).toHaveAttribute('data-ready');
    const { bytes } = await scripts();
    expect(bytes).toBeGreaterThan(60_000);
    expect(bytes).toBeLessThanOrEqual(max);
  });

type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

test.describe('far from the server’s zone', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' });

  for (const path of ['/therapists', specialist])
    test(`shows ${path} in the visitor’s time zone before and after its script, and moves nothing`, async ({
      page,
      expectNoise,
    }) => {
      // Their arrival moves text where no local face stands in for them.
      await page.route('**/*.woff2', (route) => route.abort());
      expectNoise(/woff2/);
      await page.addInitScript(() => {
        const shifts: string[] = [];
        Object.assign(window, { shifts });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as Shift[])
            shifts.push(`${entry.value} ${entry.sources.map(({ node }) => node?.textContent).join()}`);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(path);
      const time = page.getByRole('button', { name: /^Book \w+, / }).first();
      const { date, clock } = wordsIn(
        'Pacific/Kiritimati',
        (await time.locator('time').getAttribute('datetime'))!,
      );
      const expectOwn = async () => {
        await expect(time).toHaveAccessibleName(new RegExp(`^Book ${date}, ${clock} with `));
        await expect(time).toHaveText(new RegExp(`${date}\\s+${clock}`));
        await expect(page.getByText('Times are in your time zone, Kiritimati.')).toBeVisible();
      };
      await expectOwn();
      await page.getByRole('banner').getByRole('link').first().hover();
      await expect(page.locator('html')).toHaveAttribute('data-ready');
      await expectOwn();
      expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
    });
});

test('keeps what a specialist’s page has shown in place while the rest arrives', async ({ page }) => {
  await page.goto(specialist);
  const about = page.getByRole('region', { name: 'About Dr. Sarah Whitfield' });
  const { x, y } = (await about.boundingBox())!;
  await about.evaluate((part) => {
    while (part.nextElementSibling) part.nextElementSibling.remove();
    while (part.childElementCount > 1) part.lastElementChild!.remove();
  });
  expect(await about.boundingBox()).toMatchObject({ x, y });
});

/** A start's date and time as the page shows them. */
function wordsIn(timeZone: string, start: string): { date: string; clock: string } {
  const words = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(new Date(start)).replace(/\s/g, ' ');
  return {
    date: words({ weekday: 'short', month: 'short', day: 'numeric' }),
    clock: words({ hour: '2-digit', minute: '2-digit' }),
  };
}

for (const path of ['/', '/therapists', specialist])
  test(`runs an early press once, as soon as ${path} accepts input`, async ({ page }) => {
    let release = () => {};
    const loaded = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/*.js', async (route) => {
      await loaded;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    const book = page.getByRole('button', { name: /^Book / }).first();
    await book.click();
    await book.click();
    const help = page.getByRole('banner').getByRole('button', { name: 'Need help now?' });
    await help.click();
    await expect(page.getByRole('link', { name: /988/ }).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.locator('html')).not.toHaveAttribute('data-ready');
    release();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.locator('html')).toHaveAttribute('data-ready');
  });

test('runs an early press on a part that arrives late', async ({ page }) => {
  let release = () => {};
  const loaded = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/auth-card-*.js', async (route) => {
    await loaded;
    await route.continue();
  });
  await page.addInitScript(() => {
    document.addEventListener('page-late', () => (document.documentElement.dataset.late = ''));
  });
  await page.goto('/about');
  await page.goto('/?auth=1', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Back to Home' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-late');
  await expect(page).toHaveURL('/?auth=1');
  release();
  await expect(page).toHaveURL('/about');
});
