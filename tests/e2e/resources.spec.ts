import type { Page } from '@playwright/test';
import { call, expect, password, signIn, someone, test } from './support/fixtures.ts';
import { cards, idOf } from './support/library.ts';

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search resources' });

test('searches with typos before the script runs, and keeps the search on reload and back', async ({
  page,
}) => {
  let go = () => {};
  const typed = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await typed;
    await route.continue();
  });
  await page.goto('/resources', { waitUntil: 'commit' });
  await search(page).fill('forgivness');
  go();
  await expect(page).toHaveURL('/resources?q=forgivness');
  await expect(cards(page).first()).toContainText('Forgiving in Small Steps');
  await page.reload();
  await expect(search(page)).toHaveValue('forgivness');
  await expect(cards(page).first()).toContainText('Forgiving in Small Steps');
  await page.goto('/services');
  await page.goBack();
  await expect(search(page)).toHaveValue('forgivness');
});

test('asks a guest to sign in for a resource, counts it once, and keeps their rating and like', async ({
  page,
  product,
}) => {
  const title = 'When Worry Will Not Leave';
  const id = await idOf(page, title);
  const count = async () => {
    const answer = await page.request.get(`/api/resources/${id}`);
    return ((await answer.json()) as { downloadCount: number }).downloadCount;
  };
  const before = await count();
  const html = await (await page.request.get(`/resources/${id}`)).text();
  expect(html).not.toContain('brought its relatives');
  expect(html).toContain(`href="${product.url}/resources/${id}"`);
  const [data] = /(?<=<script type="application\/ld\+json"[^>]*>)[^<]+/.exec(html)!;
  expect(JSON.parse(data)).toMatchObject({ name: title, '@type': 'Article' });
  expect((await page.request.get('/resources/nothing')).status()).toBe(404);

  await page.goto('/resources?q=worry+will+not+leave');
  await cards(page).first().getByRole('button', { name: 'Get' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(someone('reader'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(`/resources/${id}`);
  await expect(page.getByRole('heading', { name: 'Tonight: four steps' })).toBeVisible();
  expect(await count()).toBe(before + 1);
  const rating = page.getByRole('group', { name: 'Rate this resource' });
  await rating.getByRole('radio', { name: '1 star', exact: true }).check();
  await page.getByRole('button', { name: 'Save rating' }).click();
  await expect(page.getByText('Rating saved', { exact: true })).toBeVisible();
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/favourite') && answer.ok());
  await page
    .getByRole('button', { name: /favorites/ })
    .first()
    .click();
  await kept;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Tonight: four steps' })).toBeVisible();
  await expect(rating.getByRole('radio', { name: '1 star', exact: true })).toBeChecked();
  expect(await count()).toBe(before + 1);

  await page.goto('/profile?tab=resources');
  const got = page.getByRole('region', { name: 'Your resources' });
  await expect(got.getByRole('heading', { name: title })).toBeVisible();
  const favourites = page.getByRole('region', { name: 'Your favorites' });
  await expect(favourites.getByRole('heading', { name: title })).toBeVisible();
});

test('opens files and plays recordings by signed links, and renews expired ones', async ({
  page,
  expectNoise,
}) => {
  // A PDF opened in its own window has no icon.
  expectNoise(/favicon\.ico/);
  await signIn(page, someone('listener'));
  const sheet = await idOf(page, 'Ten Questions Before You Marry');
  const recording = await idOf(page, 'Breathing and Prayer: A Short Practice');
  for (const id of [sheet, recording]) await call(page, `/api/resources/${id}/take`, {});
  const asked = (id: string) => page.waitForRequest((request) => request.url().includes(`/${id}/content`));
  await page.clock.install();
  await page.goto(`/resources/${sheet}`);
  const button = page.getByRole('link', { name: 'Open the PDF' });
  const file = await page.request.get((await button.getAttribute('href'))!);
  expect(file.headers()['content-type']).toBe('application/pdf');
  expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await page.clock.fastForward('12:00:01');
  const [renewed, opened] = [asked(sheet), page.context().waitForEvent('page')];
  await button.click();
  await renewed;
  await (await opened).close();

  await page.goto(`/resources/${recording}`);
  const player = page.locator('audio');
  await expect(player).toHaveAccessibleName('Audio: Breathing and Prayer: A Short Practice');
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => Math.round(audio.duration))).toBe(60);
  const path = (await player.getAttribute('src'))!;
  const part = await page.request.get(path, { headers: { range: 'bytes=0-99' } });
  expect(part.status()).toBe(206);
  expect(part.headers()['content-range']).toMatch(/^bytes 0-99\/\d+$/);
  expect((await page.request.get(path.split('?')[0]!)).status()).toBe(404);
  await player.evaluate((audio: HTMLAudioElement) => (audio.currentTime = 20));
  await page.clock.fastForward('12:00:01');
  const played = asked(recording);
  await player.evaluate((audio: HTMLAudioElement) => audio.play().catch(() => undefined));
  await played;
  const place = () => player.evaluate((audio: HTMLAudioElement) => audio.currentTime);
  await expect.poll(place).toBeGreaterThanOrEqual(20);
  await expect(page.getByText('We couldn’t play this')).toBeHidden();
});
