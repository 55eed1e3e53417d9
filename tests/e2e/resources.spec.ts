import type { Page } from '@playwright/test';
import { addressOf, call, expect, password, signIn, someone, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { cards, idOf, library } from './support/library.ts';
import { expectFair, expectNoViolation } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search resources' });
const status = (page: Page) => page.getByRole('status').filter({ hasText: /resource/ });

test('the library shows featured resources only when the search is empty and the category is All', async ({
  page,
}) => {
  await page.goto('/resources');
  const featured = page.getByRole('heading', { name: 'Featured Resources' });
  await expect(featured).toBeVisible();
  const buttons = page.getByRole('group', { name: 'Category' }).getByRole('button');
  await expect(buttons).toHaveText([
    'All',
    'Individual Healing',
    'Family & Relationships',
    'Youth & Teen Support',
    'Grief Support',
    'Spiritual Struggles',
  ]);
  await page.getByRole('button', { name: 'Grief Support' }).click();
  await expect(page).toHaveURL('/resources?category=grief-support');
  await expect(featured).toBeHidden();
  await expect(status(page)).toHaveText(/^\d+ resources?$/);
  for (const card of await cards(page).all()) await expect(card).toContainText('Grief Support');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(featured).toBeVisible();
  await search(page).fill('worry');
  await expect(featured).toBeHidden();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(featured).toBeVisible();
  await expect(search(page)).toBeFocused();
});

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

test('a search without a result says so, and leads back to all', async ({ page }) => {
  await page.goto('/resources');
  await search(page).fill('xyzzyplugh');
  await expect(library(page).getByRole('heading', { name: 'No resources found' })).toBeVisible();
  await expect(library(page)).toContainText('Try adjusting your search or category filter');
  await expectFair(page, 'no resources', { dark: true });
  await page.getByRole('button', { name: 'Show all resources' }).click();
  await expect(search(page)).toHaveValue('');
  await expect(page.getByRole('heading', { name: 'Featured Resources' })).toBeVisible();
});

test('searching for control characters or for ten thousand letters harms nothing', async ({ page }) => {
  for (const q of ['%01%02%00', 'x'.repeat(10_000), '%27%29%3B--', '%F0%9F%99%82']) {
    const answer = await page.goto(`/resources?q=${q}`);
    expect(answer!.status()).toBe(200);
    await expect(status(page).or(page.getByText('No resources found')).first()).toBeVisible();
  }
});

test('a search that the server can’t answer keeps what was typed and can be tried again', async ({
  page,
  context,
  expectNoise,
}) => {
  expectNoise(/Failed to load resource|ERR_/);
  await page.goto('/resources');
  await context.setOffline(true);
  await search(page).fill('prayer');
  await expect(page.getByRole('alert')).toContainText('The resources couldn’t be loaded');
  await expect(search(page)).toHaveValue('prayer');
  await expectNoViolation(page, 'a search that failed');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page).first()).toBeVisible();
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
  await expectFair(page, 'an article', { dark: true });
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
  await expectFair(page, 'a resource for a guest', { dark: true });
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
  await expectFair(page, 'a resource that is not there');
});

test('getting a resource counts it, keeps it under My Resources, and survives a reload', async ({ page }) => {
  await signIn(page, someone('getter'));
  await page.goto('/profile?tab=resources');
  await expect(page.getByRole('heading', { name: 'No resources yet' })).toBeVisible();
  await expectFair(page, 'no resources of one’s own');
  await page.getByRole('link', { name: 'Explore Resources' }).click();
  await expect(page).toHaveURL('/resources');
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
  await expectFair(page, 'My Resources', { dark: true });
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
  await page.getByRole('button', { name: 'Save rating' }).click();
  await expect(page.getByText('Please choose from one to five stars.')).toBeVisible();
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
  await expectFair(page, 'a recording', { dark: true });
});

test('a sheet is opened or downloaded, and a link says that it leaves the site', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/resources');
  const sheet = await idOf(page, 'Ten Questions Before You Marry');
  await call(page, `/api/resources/${sheet}/take`, {});
  await page.goto(`/resources/${sheet}`);
  const path = (await page.getByRole('link', { name: 'Open the PDF' }).getAttribute('href'))!;
  const file = await page.request.get(path);
  expect(file.headers()['content-type']).toBe('application/pdf');
  expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await expectFair(page, 'a sheet');
  const elsewhere = await idOf(page, 'Forty Days in the Gospel of Mark');
  await call(page, `/api/resources/${elsewhere}/take`, {});
  await page.goto(`/resources/${elsewhere}`);
  await expect(page.getByText('The link leaves this site')).toBeVisible();
  const link = page.getByRole('link', { name: 'Go to ebible.org' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(link).toHaveAttribute('target', '_blank');
  await expectFair(page, 'a link elsewhere');
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

test('a card of the library says type, category, author, what it is about, length, rating and downloads', async ({
  page,
  product,
}) => {
  for (const [type, name] of Object.entries({
    book: 'Book',
    video: 'Video',
    audio: 'Audio',
    devotional: 'Devotional',
  })) {
    const [stored] = await product.query<Record<'title' | 'author' | 'description', string>>(
      `select title, author, description from resources where status = 'published' and type = $1
       order by rating_count desc limit 1`,
      [type],
    );
    await page.goto(`/resources?q=${encodeURIComponent(stored!.title)}`);
    const card = cards(page).filter({ has: page.getByRole('heading', { name: stored!.title, exact: true }) });
    await expect(card).toContainText(
      new RegExp(
        `${name} · (Individual Healing|Family & Relationships|Youth & Teen Support|Grief Support|Spiritual Struggles)`,
      ),
    );
    await expect(card).toContainText(`by ${stored!.author}`);
    await expect(card).toContainText(stored!.description);
    await expect(card).toContainText(/\d(\.\d)? out of 5 stars|Not rated yet/);
    await expect(card).toContainText(/\d+ downloads?|Not downloaded yet/);
    if (type === 'audio') await expect(card).toContainText(/\d+ min/);
    await expect(card.getByRole('button', { name: /^Get / })).toBeVisible();
  }
});

test('the page of a service leads to its related resources', async ({ page }) => {
  await page.goto('/service/grief');
  await page
    .getByRole('region', { name: 'Related Resources' })
    .getByRole('link', { name: 'The First Year: A Companion in Grief' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The First Year: A Companion in Grief');
});

test('the library is looked through, and a resource got and rated, by keyboard alone', async ({ page }) => {
  await signIn(page, someone('keys'));
  await page.goto('/resources');
  await tabTo(page, search(page));
  await page.keyboard.type('fair words');
  await expect(cards(page).first()).toContainText('Fair Words in Hard Conversations');
  await tabTo(page, page.getByRole('button', { name: 'Family & Relationships' }));
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/category=family-relationships/);
  await tabTo(
    page,
    cards(page)
      .first()
      .getByRole('button', { name: /Add .* to favourites/ }),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /Remove .* from favourites/ })).toBeFocused();
  await tabTo(page, cards(page).first().getByRole('button', { name: 'Get' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fair Words in Hard Conversations');
  await tabTo(page, page.getByRole('radio', { name: '1 star', exact: true }));
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowRight');
  await tabTo(page, page.getByRole('button', { name: 'Save rating' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Thank you for your rating', { exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: '5 stars' })).toBeChecked();
});

test('the library is fair to everyone, in light and dark, wide and narrow', async ({ page }) => {
  await page.goto('/resources');
  await expect(cards(page).first()).toBeVisible();
  await expectFair(page, 'the library', { dark: true });
  await page.goto('/resources?q=grief');
  await expectFair(page, 'a search');
  await signIn(page, addressOf('pastor'));
  await page.goto('/author');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your resources');
  await page.waitForLoadState('networkidle');
  await expectFair(page, 'a list of one’s own');
});
