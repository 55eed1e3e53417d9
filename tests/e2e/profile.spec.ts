import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import type { Product } from '../../scripts/product.ts';
import { toast } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

test.use({ reducedMotion: 'reduce' });

/** A picture whose left half is red and whose right half is blue. */
async function halves(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const right = { create: { width: 600, height: 800, channels: 3 as const, background: '#00f' } };
  const buffer = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#f00' } })
    .composite([{ input: right, left: 600, top: 0 }])
    .jpeg()
    .withExif({ IFD0: { Make: 'Private Camera' } })
    .toBuffer();
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer };
}

async function openProfile(page: Page, tab = ''): Promise<void> {
  await page.goto(tab ? `/profile?tab=${tab}` : '/profile');
  if (tab === '') await expect(page.getByLabel('Full Name')).toBeEnabled();
}

/** Presses 'Change Photo' and answers the chooser with a file. */
async function choose(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Change Photo' }).click();
  await (await chooser).setFiles(file);
}

/** Sees that nothing is kept of a person's. */
async function expectNoFile(product: Product, email: string): Promise<void> {
  const kept = await product.query(
    'select f.id from files f join users u on u.id = f.owner_id where email = $1',
    [email],
  );
  expect(kept).toEqual([]);
}

const cropDialog = (page: Page) => page.getByRole('dialog', { name: 'Choose what is shown' });
const photoOf = (place: Locator) => place.locator('img[src^="/files/"]');

test('the profile comes with its text and compressed, and is never kept by a cache', async ({ page }) => {
  await signIn(page, 'client');
  const headers = { 'accept-encoding': 'gzip', 'sec-fetch-site': 'none' };
  const answer = await page.request.get('/profile?tab=profile', { headers });
  expect(answer.headers()).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
  const html = await answer.text();
  expect(html).toContain('>About You</h2>');
  expect(html).toMatch(/<input[^>]+value="Hannah Brooks"/);
});

test('a client fills in their profile and settings, and finds all of it after a reload', async ({
  page,
  product,
}) => {
  const email = someone('ruth');
  await signIn(page, email);
  await openProfile(page);
  await page.getByLabel('Full Name').fill('Ruth Amsel');
  await page.getByLabel('Spiritual Tradition').fill('Waldensian');
  await page.getByRole('combobox', { name: 'Time Zone' }).fill('kathmandu');
  await page.getByRole('option', { name: 'Kathmandu (Asia)' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page, 'Your changes are saved')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Focus Areas' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Focus Areas' });
  await dialog.getByLabel('In your own words').fill('Sleepless nights');
  await dialog.getByLabel('In your own words').press('Enter');
  await dialog.getByRole('button', { name: 'Save Focus Areas' }).click();
  await expect(toast(page, 'Your focus areas are saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  for (const name of ['Session Reminders', 'Daily Devotionals', 'Keep it discreet'])
    await page.getByRole('switch', { name }).click();
  await expect(toast(page, 'Keep it discreet: on')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ruth Amsel');
  await expect(page.getByRole('switch', { name: 'Session Reminders' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Daily Devotionals' })).toBeChecked();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth Amsel');
  await expect(page.getByLabel('Spiritual Tradition')).toHaveValue('Waldensian');
  await expect(page.getByRole('combobox', { name: 'Time Zone' })).toHaveValue('Kathmandu (Asia)');
  await expect(page.getByRole('tabpanel').getByText('Sleepless nights')).toBeVisible();
  const stored = await product.query(
    `select full_name, time_zone, session_reminders, daily_devotionals, community_updates, keep_discreet
     from profiles p join users u using (id) where email = $1`,
    [email],
  );
  expect(stored).toEqual([
    {
      full_name: 'Ruth Amsel',
      time_zone: 'Asia/Kathmandu',
      session_reminders: false,
      daily_devotionals: true,
      community_updates: false,
      keep_discreet: true,
    },
  ]);
});

test('Change Photo: cut, kept as a small square without its metadata, replaced and removed', async ({
  page,
  product,
}) => {
  const email = someone('ruth');
  await signIn(page, email);
  await openProfile(page);
  const main = page.getByRole('main');
  await expect(photoOf(main)).toHaveCount(0);
  await choose(page, await halves());
  const dialog = cropDialog(page);
  await dialog.getByRole('slider', { name: 'Size of the circle' }).fill('40');
  // Into the blue half.
  const area = dialog.getByLabel('The part that is shown. Use the arrow keys to move it.');
  await area.focus();
  for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('Control+ArrowRight');
  await dialog.getByRole('button', { name: 'Use This Photo' }).click();
  await expect(toast(page, 'Your photo is saved')).toBeVisible();
  await expect(photoOf(main)).toHaveCount(2);

  const path = (await photoOf(main).first().getAttribute('src'))!;
  const kept = await (await page.request.get(`${product.url}${path}`)).body();
  const { format, width, height, exif } = await sharp(kept).metadata();
  expect([format, width, height, exif]).toEqual(['webp', 512, 512, undefined]);
  const [red = 255, , blue = 0] = await sharp(kept)
    .removeAlpha()
    .extract({ left: 256, top: 256, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect(blue).toBeGreaterThan(red);

  await page.reload();
  await expect(photoOf(main).first()).toHaveAttribute('src', path);
  await choose(page, await halves());
  await cropDialog(page).getByRole('button', { name: 'Use This Photo' }).click();
  await expect(photoOf(main).first()).not.toHaveAttribute('src', path);
  expect((await page.request.get(`${product.url}${path}`)).status()).toBe(404);

  await page.getByRole('button', { name: 'Remove photo' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove your photo?' });
  await question.getByRole('button', { name: 'Remove photo' }).click();
  await expect(toast(page, 'Your photo is removed')).toBeVisible();
  await expect(photoOf(main)).toHaveCount(0);
  await expectNoFile(product, email);
});

test('a device that is signed out elsewhere is a guest’s at once; all others go together', async ({
  page,
  open,
  expectNoise,
}) => {
  // What a page was just asking for as its session ended.
  expectNoise(/status of 401/);
  const email = someone('ruth');
  await signIn(page, email);
  const phoneOf = await open({
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
  });
  await signIn(phoneOf, email);
  // What happens before its line is there, it isn't told.
  const line = phoneOf.waitForEvent('websocket');
  await phoneOf.goto('/profile');
  await expect(phoneOf.getByLabel('Full Name')).toBeVisible();
  await line;

  await openProfile(page, 'privacy');
  const devices = page.getByRole('list', { name: 'Signed-in devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1);
  await devices.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
  await expect(toast(page, 'The device is signed out')).toBeVisible();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('You are signed in on this device only.')).toBeVisible();

  // Nothing is pressed over there.
  await expect(phoneOf.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  await expect(toast(phoneOf, 'You have been signed out')).toBeVisible();
  expect((await phoneOf.request.get(new URL('/api/me/profile', page.url()).href)).status()).toBe(401);

  await signIn(phoneOf, email);
  const third = await open();
  await signIn(third, email);
  await third.goto('/home');
  await page.reload();
  await expect(devices.getByRole('listitem')).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out all other devices' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out all other devices' });
  await question.getByRole('button', { name: 'Sign them out' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await expect(third).toHaveURL(/\/$/);
});

test('another window shows a new name and photo without being asked', async ({ page, open }) => {
  const email = someone('ruth');
  await signIn(page, email);
  const other = await open();
  await signIn(other, email);
  // What happens before its line is there, it isn't told.
  const line = other.waitForEvent('websocket');
  await openProfile(other);
  await line;
  await openProfile(page);
  await page.getByLabel('Full Name').fill('Ruth Elsewhere');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Ruth Elsewhere');
  await expect(other.getByLabel('Full Name')).toHaveValue('Ruth Elsewhere');
});

test('a specialist’s photo and name stand in the directory as soon as they are changed', async ({
  page,
  open,
}) => {
  await signIn(page, 'doctor');
  await openProfile(page);
  const name = await page.getByLabel('Full Name').inputValue();
  await expect(page.getByText('No focus areas selected')).toHaveCount(0);
  await choose(page, await halves());
  await cropDialog(page).getByRole('button', { name: 'Use This Photo' }).click();
  await expect(toast(page, 'Your photo is saved')).toBeVisible();
  const guest = await open();
  await guest.goto('/therapists');
  const card = guest.getByRole('main').locator('article, section, li').filter({ hasText: name }).first();
  await expect(photoOf(card)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove photo' }).click();
  await expect(toast(page, 'Your photo is removed')).toBeVisible();
  await guest.reload();
  await expect(photoOf(card)).toHaveCount(0);
});
