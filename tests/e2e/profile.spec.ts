import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { becomeSpecialist, toast } from './support/booking.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';

async function halves(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const right = { create: { width: 600, height: 800, channels: 3 as const, background: '#00f' } };
  const buffer = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#f00' } })
    .composite([{ input: right, left: 600, top: 0 }])
    .jpeg()
    .withExif({ IFD0: { Make: 'Private Camera' } })
    .toBuffer();
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer };
}

/** Opens a page and waits for its WebSocket: earlier updates aren't replayed. */
async function openWithLine(page: Page, path: string): Promise<void> {
  const line = page.waitForEvent('websocket');
  await page.goto(path);
  await line;
}

const photoOf = (place: Locator) => place.locator('img[src^="/files/"]');

test('keeps a client’s profile and settings after a reload', { tag: '@long' }, async ({ page }) => {
  await signIn(page, someone('ruth'));
  await page.goto('/profile');
  await page.getByLabel('Full Name').fill('Ruth Amsel');
  await page.getByLabel('Spiritual Tradition').fill('Waldensian');
  await page.getByRole('combobox', { name: 'Time Zone' }).fill('kathmandu');
  await page.getByRole('option', { name: 'Kathmandu (Asia)' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page, 'Changes saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  for (const name of ['Session Reminders', 'Daily Devotionals', 'Keep it discreet'])
    await page.getByRole('switch', { name }).click();
  await expect(toast(page, 'Keep it discreet: on')).toBeVisible();

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ruth Amsel');
  await expect(page.getByRole('switch', { name: 'Session Reminders' })).not.toBeChecked();
  for (const name of ['Daily Devotionals', 'Keep it discreet'])
    await expect(page.getByRole('switch', { name })).toBeChecked();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect(page.getByLabel('Spiritual Tradition')).toHaveValue('Waldensian');
  await expect(page.getByRole('combobox', { name: 'Time Zone' })).toHaveValue('Kathmandu (Asia)');

  await test.step('serves the page with its text, compressed and never cached', async () => {
    const headers = { 'accept-encoding': 'gzip', 'sec-fetch-site': 'none' };
    const answer = await page.request.get('/profile?tab=profile', { headers });
    expect(answer.headers()).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
    expect(await answer.text()).toMatch(/<input[^>]+value="Ruth Amsel"/);
  });
});

test(
  'crops a specialist’s photo, strips its metadata, shows it in the directory and removes it',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const { name } = await becomeSpecialist(page, product, { name: 'Dr. Phoebe Lens' });
    await page.goto('/profile');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Change Photo' }).click();
    await (await chooser).setFiles(await halves());
    const dialog = page.getByRole('dialog', { name: 'Crop your photo' });
    await dialog.getByRole('slider', { name: 'Size of the circle' }).fill('40');
    const area = dialog.getByLabel('Visible area. Use the arrow keys to move it.');
    await area.focus();
    for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('Control+ArrowRight');
    await dialog.getByRole('button', { name: 'Use This Photo' }).click();
    await expect(toast(page, 'Photo saved')).toBeVisible();

    const path = (await photoOf(page.getByRole('main')).first().getAttribute('src'))!;
    const kept = await (await page.request.get(path)).body();
    const { format, width, height, exif } = await sharp(kept).metadata();
    expect([format, width, height, exif]).toEqual(['webp', 512, 512, undefined]);
    const [red = 255, , blue = 0] = await sharp(kept)
      .removeAlpha()
      .extract({ left: 256, top: 256, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(blue).toBeGreaterThan(red);

    const guest = await open();
    await guest.goto(`${product.url}/therapists`);
    const card = guest.getByRole('article').filter({ has: guest.getByRole('heading', { name }) });
    await expect(photoOf(card)).toHaveAttribute('src', path);
    await page.getByRole('button', { name: 'Remove photo' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove photo' }).click();
    await expect(toast(page, 'Photo removed')).toBeVisible();
    await guest.reload();
    await expect(card).toBeVisible();
    await expect(photoOf(card)).toHaveCount(0);
    expect((await page.request.get(path)).status()).toBe(404);
  },
);

test(
  'updates a name on another device at once, and signs that device out remotely',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    // Requests in flight when the sign-in session ended.
    expectNoise(/status of 401/);
    // Ending a session asks to confirm first.
    expectNoise(/status of 412/);
    const email = someone('ruth');
    await signIn(page, email);
    const other = await open({
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
    });
    await signIn(other, email);
    await openWithLine(other, `${product.url}/profile`);
    await page.goto('/profile');
    await page.getByLabel('Full Name').fill('Ruth Elsewhere');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Ruth Elsewhere');
    await expect(other.getByLabel('Full Name')).toHaveValue('Ruth Elsewhere');

    await page.getByRole('tab', { name: 'Privacy & Security' }).click();
    const devices = page.getByRole('list', { name: 'Signed-in devices' });
    await expect(devices.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1);
    await devices.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByLabel('Your password').fill(password);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(toast(page, 'Device signed out')).toBeVisible();
    await expect(other.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
    await expect(toast(other, 'You were signed out')).toBeVisible();
    expect((await other.request.get(`${product.url}/api/me/profile`)).status()).toBe(401);
  },
);
