import type { Page } from '@playwright/test';
import { call, expect, password, signIn, someone, test } from './support/fixtures.ts';
import { cards, idOf } from './support/library.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search resources' });
const status = (page: Page) => page.getByRole('status').filter({ hasText: /resource/ });

test('a search finds mistyped words and other forms of a word, says how many, and stays in the address', async ({
  page,
}) => {
  await page.goto('/resources');
  await search(page).fill('greif');
  await expect(page).toHaveURL('/resources?q=greif');
  await expect(cards(page).filter({ hasText: 'The First Year' })).toBeVisible();
  await expect(status(page)).toHaveText(/^\d+ resources?$/);
  await search(page).fill('forgivness');
  await expect(cards(page).first()).toContainText('Forgiving in Small Steps');
  await page.reload();
  await expect(search(page)).toHaveValue('forgivness');
  await expect(cards(page).first()).toContainText('Forgiving in Small Steps');
  await page.goto('/services');
  await page.goBack();
  await expect(search(page)).toHaveValue('forgivness');
});

test('what is typed before the page’s script ran is looked for, too', async ({ page }) => {
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
  await expect(search(page)).toHaveValue('forgivness');
});

test('searching for control characters or for ten thousand letters harms nothing', async ({ page }) => {
  for (const q of ['%01%02%00', 'x'.repeat(10_000), '%27%29%3B--', '%F0%9F%99%82']) {
    const answer = await page.goto(`/resources?q=${q}`);
    expect(answer!.status()).toBe(200);
    await expect(status(page).or(page.getByText('No resources found')).first()).toBeVisible();
  }
});

test('a guest who gets a resource is asked to sign in, and goes on to read it', async ({ page }) => {
  await page.goto('/resources?q=worry+will+not+leave');
  await cards(page).first().getByRole('button', { name: 'Get' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toContainText(/growth/);
  await prompt.getByLabel('Email').fill(someone('reader'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/resources\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('When Worry Will Not Leave');
  await expect(page.getByRole('heading', { name: 'Tonight: four steps' })).toBeVisible();
});

test('a guest reads what a resource is about, not what it holds, and nothing of it is in the page', async ({
  page,
  product,
}) => {
  await page.goto('/resources');
  const id = await idOf(page, 'When Worry Will Not Leave');
  const answer = await page.goto(`/resources/${id}`);
  expect(await answer!.text()).not.toContain('three in the morning and you are awake');
  await expect(page.getByRole('heading', { name: 'Get this to read it here' })).toBeVisible();
  const structured = await page.locator('script[type="application/ld+json"]').first().textContent();
  expect(JSON.parse(structured!)).toMatchObject({ name: 'When Worry Will Not Leave', '@type': 'Article' });
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    'href',
    `${product.url}/resources/${id}`,
  );
});

test('an address without a resource says so', async ({ page, expectNoise }) => {
  expectNoise(/status of 404/);
  for (const path of ['/resources/nothing', '/resources/019a0000-0000-7000-8000-000000000001']) {
    const answer = await page.goto(path);
    expect(answer!.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Resource not found');
  }
});

test('getting a resource counts it, keeps it under My Resources, and survives a reload', async ({ page }) => {
  await signIn(page, someone('getter'));
  await page.goto('/resources');
  const id = await idOf(page, 'Blessing Your Children');
  const count = async () => {
    const answer = await page.request.get(`/api/resources/${id}`);
    return ((await answer.json()) as { downloadCount: number }).downloadCount;
  };
  const before = await count();
  await page.goto(`/resources/${id}`);
  await page.getByRole('button', { name: 'Get' }).click();
  await expect(page.getByText('My grandmother drew a small cross')).toBeVisible();
  expect(await count()).toBe(before + 1);
  await page.reload();
  await expect(page.getByText('My grandmother drew a small cross')).toBeVisible();
  expect(await count()).toBe(before + 1);
  await page.goto('/profile?tab=resources');
  const got = page.getByRole('region', { name: 'What you got' });
  await expect(got.getByRole('heading', { name: 'Blessing Your Children' })).toBeVisible();
});

test('favourites are kept: a guest is asked to sign in to save, and the heart stays', async ({ page }) => {
  await page.goto('/resources?q=rhythm');
  const heart = cards(page)
    .first()
    .getByRole('button', { name: /favourites/ });
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await heart.click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(someone('keeper'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  // The heart shows a press before it is kept.
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/favourite') && answer.ok());
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await kept;
  await page.reload();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await page.goto('/profile?tab=resources');
  const favourites = page.getByRole('region', { name: 'Your favourites' });
  await expect(
    favourites.getByRole('heading', { name: 'A Rhythm of Prayer for Ordinary Days' }),
  ).toBeVisible();
  await favourites.getByRole('button', { name: /Remove .* from favourites/ }).click();
  await expect(page.getByRole('heading', { name: 'No resources yet' })).toBeVisible();
});

test('who got a resource may rate it, and sees the new mean', async ({ page }) => {
  await signIn(page, someone('rater'));
  await page.goto('/resources');
  await page.goto(`/resources/${await idOf(page, 'Offline for a Weekend')}`);
  await expect(page.getByRole('group', { name: 'How was it for you?' })).toBeHidden();
  await page.getByRole('button', { name: 'Get' }).click();
  const rating = page.getByRole('group', { name: 'How was it for you?' });
  await rating.getByRole('radio', { name: '1 star', exact: true }).check();
  await page.getByRole('button', { name: 'Save rating' }).click();
  await expect(page.getByText('Thank you for your rating', { exact: true })).toBeVisible();
  await page.reload();
  await expect(rating.getByRole('radio', { name: '1 star', exact: true })).toBeChecked();
});

test('a recording plays in the page, from a link that is signed and takes ranges', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/resources');
  const id = await idOf(page, 'Breathing and Prayer: A Short Practice');
  await call(page, `/api/resources/${id}/take`, {});
  await page.goto(`/resources/${id}`);
  const player = page.locator('audio');
  await expect(player).toHaveAccessibleName('Player for Breathing and Prayer: A Short Practice');
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => Math.round(audio.duration))).toBe(60);
  const path = (await player.getAttribute('src'))!;
  const part = await page.request.get(path, { headers: { range: 'bytes=0-99' } });
  expect(part.status()).toBe(206);
  expect(part.headers()['content-range']).toMatch(/^bytes 0-99\/\d+$/);
  expect((await part.body()).length).toBe(100);
  const unsigned = await page.request.get(path.split('?')[0]!);
  expect(unsigned.status()).toBe(404);
});

test('a sheet opens as a PDF', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/resources');
  const sheet = await idOf(page, 'Ten Questions Before You Marry');
  await call(page, `/api/resources/${sheet}/take`, {});
  await page.goto(`/resources/${sheet}`);
  const path = (await page.getByRole('link', { name: 'Open the PDF' }).getAttribute('href'))!;
  const file = await page.request.get(path);
  expect(file.headers()['content-type']).toBe('application/pdf');
  expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a page that was left open asks for another link when one is pressed that has expired', async ({
  page,
  expectNoise,
}) => {
  // A PDF in a window of its own has no icon.
  expectNoise(/favicon\.ico/);
  await signIn(page, 'client');
  await page.goto('/resources');
  const sheet = await idOf(page, 'Ten Questions Before You Marry');
  const recording = await idOf(page, 'Breathing and Prayer: A Short Practice');
  for (const id of [sheet, recording]) await call(page, `/api/resources/${id}/take`, {});
  const asked = (id: string) => page.waitForRequest((request) => request.url().includes(`/${id}/content`));
  await page.clock.install();
  await page.goto(`/resources/${sheet}`);
  const button = page.getByRole('link', { name: 'Open the PDF' });
  const opened = page.context().waitForEvent('page');
  await button.click();
  await (await opened).close();
  await page.clock.fastForward('12:00:01');
  const [renewed, again] = [asked(sheet), page.context().waitForEvent('page')];
  await button.click();
  await renewed;
  await (await again).close();
  await page.goto(`/resources/${recording}`);
  const player = page.locator('audio');
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.readyState)).toBeGreaterThan(0);
  await player.evaluate((audio: HTMLAudioElement) => (audio.currentTime = 20));
  await page.clock.fastForward('12:00:01');
  const played = asked(recording);
  await player.evaluate((audio: HTMLAudioElement) => audio.play().catch(() => undefined));
  await played;
  const place = () => player.evaluate((audio: HTMLAudioElement) => audio.currentTime);
  await expect.poll(place).toBeGreaterThanOrEqual(20);
  await expect(page.getByText('It can’t be played right now')).toBeHidden();
});

test('the page of a service leads to its related resources', async ({ page }) => {
  await page.goto('/service/grief');
  await page
    .getByRole('region', { name: 'Related Resources' })
    .getByRole('link', { name: 'The First Year: A Companion in Grief' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The First Year: A Companion in Grief');
});
