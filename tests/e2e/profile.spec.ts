import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { startProduct, type Product } from '../../scripts/product.ts';
import { bomb } from '../support/bytes.ts';
import { readToast, toast } from './support/booking.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { desktop, expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

const tabs = ['Profile', 'Settings', 'Progress', 'Sessions', 'My Resources', 'Privacy & Security'];

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

test('a guest on the profile gets the sign-in prompt for it, may stay, and goes on after signing in', async ({
  page,
}) => {
  await page.goto('/profile');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toBeVisible();
  await expect(prompt).toContainText('Sign in to access your personal profile');
  await expectFair(page, 'the prompt before the profile', { dialog: prompt });
  await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile & Settings');
  await expect(prompt).toBeHidden();
  await expectFair(page, 'the profile for a guest', { dark: true });
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  await prompt.getByLabel('Email').fill(someone('ruth'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');
});

test('the six tabs are chosen by keys and kept in the address', async ({ page }) => {
  await signIn(page, someone('ruth'));
  await page.setViewportSize(phone);
  await openProfile(page);
  await expect(page.getByRole('tab')).toHaveText(tabs);
  await tabTo(page, page.getByRole('tab', { name: 'Profile' }));
  for (const [at, name] of tabs.entries()) {
    const tab = page.getByRole('tab', { name, exact: true });
    await expect(tab).toBeFocused();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(tab).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('tabpanel', { name })).toBeVisible();
    await expect(page.getByRole('tabpanel')).toHaveCount(1);
    if (at < tabs.length - 1) await page.keyboard.press('ArrowRight');
  }
  await expect(page).toHaveURL(/\/profile\?tab=privacy$/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Privacy & Security' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.setViewportSize(desktop);
  await page.setViewportSize(phone);
  await expect(page.getByRole('tab', { name: 'Privacy & Security' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('tab', { name: 'Privacy & Security' }).press('Home');
  await expect(page).toHaveURL(/\/profile$/);
  await page.keyboard.press('ArrowLeft');
  await expect(page).toHaveURL(/tab=privacy$/);
});

test('Sign Out at the bottom of the profile signs out and goes to the landing page', async ({ page }) => {
  await signIn(page, someone('ruth'));
  await openProfile(page);
  await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).click();
  await expect(toast(page, 'Signed out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test('signing out of a page that isn’t saved asks once, wherever it is done, and again where it couldn’t be done', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/ERR_FAILED/);
  await signIn(page, someone('ruth'));
  await openProfile(page);
  await page.getByLabel('Full Name').fill('Ruth Unsaved');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  const leave = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(question).toBeHidden();
  };
  await page.route('**/api/auth/sign-out', (route) => route.abort());
  await leave();
  await expect(toast(page, 'Error signing out')).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).first().click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth Unsaved');
  await page.unroute('**/api/auth/sign-out');
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth Unsaved');
  await leave();
  await expect(toast(page, 'Signed out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(question).toBeHidden();
});

test('the profile comes with its text and compressed, and is never kept by a cache', async ({ page }) => {
  await signIn(page, 'client');
  const headers = { 'accept-encoding': 'gzip', 'sec-fetch-site': 'none' };
  const answer = await page.request.get('/profile?tab=profile', { headers });
  expect(answer.headers()).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store' });
  const html = await answer.text();
  expect(html).toContain('>About You</h2>');
  expect(html).toMatch(/<input[^>]+value="Hannah Brooks"/);
});

test('Save Changes keeps name, tradition and time zone, by keyboard alone; leaving before asks first', async ({
  page,
  product,
}) => {
  const email = someone('ruth');
  await signIn(page, email);
  await openProfile(page);
  await expect(page.getByLabel('Spiritual Tradition')).toHaveValue('SDA (Seventh-day Adventist)');
  await expect(page.getByLabel('Email')).toBeDisabled();
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await tabTo(page, page.getByLabel('Full Name'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Ruth Amsel');
  await tabTo(page, page.getByLabel('Spiritual Tradition'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Waldensian');
  await tabTo(page, page.getByRole('combobox', { name: 'Time Zone' }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('kathmandu');
  await expect(page.getByRole('option')).toHaveText(['Kathmandu (Asia)']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Time Zone' })).toHaveValue('Kathmandu (Asia)');

  // Another tab keeps what was typed; another page asks.
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth Amsel');
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).first().click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect(question).toBeVisible();
  await expectFair(page, 'the question before leaving', { dialog: question });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Sign Out' }).click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(question).toBeHidden();

  await page.getByRole('combobox', { name: 'Time Zone' }).focus();
  await tabTo(page, page.getByRole('button', { name: 'Save Changes' }));
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Your changes are saved')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ruth Amsel');
  await page.reload();
  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth Amsel');
  await expect(page.getByLabel('Spiritual Tradition')).toHaveValue('Waldensian');
  await expect(page.getByRole('combobox', { name: 'Time Zone' })).toHaveValue('Kathmandu (Asia)');
  const stored = await product.query(
    'select full_name, time_zone from profiles p join users u using (id) where email = $1',
    [email],
  );
  expect(stored).toEqual([{ full_name: 'Ruth Amsel', time_zone: 'Asia/Kathmandu' }]);
});

test('a profile that can’t be saved says why at its fields and keeps what was typed', async ({
  page,
  expectNoise,
}) => {
  await signIn(page, someone('ruth'));
  await openProfile(page);
  const name = page.getByLabel('Full Name');
  await name.fill('');
  await page.getByLabel('Spiritual Tradition').fill('x'.repeat(101));
  await page.getByRole('combobox', { name: 'Time Zone' }).fill('nowhere at all');
  await expect(page.getByText('Nothing fits what you typed.')).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription('Please enter your full name.');
  await expect(page.getByLabel('Spiritual Tradition')).toHaveAccessibleDescription(/at most 100 characters/);
  await expectFair(page, 'the profile with problems', { dark: true });
  await name.fill('x'.repeat(10_000));
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(name).toHaveAccessibleDescription(/up to 200 characters/);
  await expect(name).toHaveValue('x'.repeat(10_000));

  await name.fill('Ruth Amsel');
  await page.getByLabel('Spiritual Tradition').fill('');
  expectNoise(/ERR_FAILED|Failed to load resource/);
  await page.route('**/api/me/profile', (route) => route.abort());
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'We can’t reach the server' })).toBeVisible();
  await expect(name).toHaveValue('Ruth Amsel');
  await page.unroute('**/api/me/profile');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toast(page, 'Your changes are saved')).toBeVisible();
});

test('Change Photo: chosen, cut by keyboard, kept as a small square without its metadata, replaced and removed', async ({
  page,
  product,
}) => {
  const email = someone('ruth');
  await signIn(page, email);
  await openProfile(page);
  const main = page.getByRole('main');
  await expect(photoOf(main)).toHaveCount(0);
  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, page.getByRole('button', { name: 'Change Photo' }));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(await halves());

  const dialog = cropDialog(page);
  await expect(dialog.getByRole('img', { name: 'The picture that you chose' })).toBeVisible();
  await expectFair(page, 'the crop dialog', { dialog, dark: true });
  const size = dialog.getByRole('slider', { name: 'Size of the circle' });
  await tabTo(page, size);
  for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('ArrowLeft');
  await expect(size).toHaveValue('40');
  // Into the blue half.
  const area = dialog.getByLabel('The part that is shown. Use the arrow keys to move it.');
  await area.focus();
  for (let presses = 0; presses < 60; presses += 1) await page.keyboard.press('Control+ArrowRight');
  await tabTo(page, dialog.getByRole('button', { name: 'Use This Photo' }));
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Your photo is saved')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Change Photo' })).toBeFocused();
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
  await expectFair(page, 'the question before a photo is removed', { dialog: question });
  await question.getByRole('button', { name: 'Remove photo' }).click();
  await expect(toast(page, 'Your photo is removed')).toBeVisible();
  await expect(photoOf(main)).toHaveCount(0);
  await expectNoFile(product, email);
});

test('a file that can’t become a photo is refused in a plain sentence; what was typed stays and nothing is stored', async ({
  page,
  product,
  expectNoise,
}) => {
  const email = someone('ruth');
  await signIn(page, email);
  await openProfile(page);
  await page.getByLabel('Full Name').fill('Ruth, half typed');
  const { buffer } = await halves();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');
  const refused: [name: string, buffer: Buffer, sentence: string][] = [
    ['six.jpg', Buffer.concat([buffer, Buffer.alloc(6 * 1024 * 1024)]), 'This picture is larger than 5 MB.'],
    ['drawing.png', svg, 'This file isn’t a JPEG, PNG or WebP picture.'],
    ['page.png', html, 'This file isn’t a JPEG, PNG or WebP picture.'],
    ['bomb.png', bomb(), 'This picture is too large to open.'],
    ['empty.png', Buffer.alloc(0), 'This file is empty.'],
  ];
  for (const [name, bytes, sentence] of refused) {
    await choose(page, { name, mimeType: 'image/png', buffer: bytes });
    await expect(page.getByRole('alert').filter({ hasText: sentence }), name).toBeVisible();
    await expect(cropDialog(page)).toBeHidden();
  }
  await expectFair(page, 'the profile with a file that was refused', { dark: true });

  // What only the server can see, it says in the dialog, which stays.
  await choose(page, { name: 'me.jpg', mimeType: 'image/jpeg', buffer });
  expectNoise(/status of 400|ERR_FAILED|Failed to load resource/);
  await page.route('**/api/me/photo?*', (route) =>
    route.continue({ postData: Buffer.from('not a picture any more'), headers: route.request().headers() }),
  );
  await cropDialog(page).getByRole('button', { name: 'Use This Photo' }).click();
  await expect(cropDialog(page).getByRole('alert')).toContainText('isn’t a JPEG, PNG or WebP picture');
  await expectNoViolation(page, 'the crop dialog with a refusal');
  await page.unroute('**/api/me/photo?*');
  await cropDialog(page).getByRole('button', { name: 'Close' }).click();

  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth, half typed');
  await expectNoFile(product, email);
});

test('focus areas are chosen from what the services help with or written, and say when there are none', async ({
  page,
}) => {
  await signIn(page, someone('ruth'));
  await openProfile(page);
  await expect(page.getByText('No focus areas selected')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Edit Focus Areas' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit Focus Areas' });
  const first = dialog.getByRole('checkbox').first();
  await expect(first).toBeVisible();
  await tabTo(page, first);
  await page.keyboard.press('Space');
  await tabTo(page, dialog.getByLabel('In your own words'));
  await page.keyboard.type('Sleepless nights');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('checkbox', { name: 'Sleepless nights' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Please write a word or two first.');
  await expectFair(page, 'the focus areas', { dialog, dark: true });
  await tabTo(page, dialog.getByRole('button', { name: 'Save Focus Areas' }));
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Your focus areas are saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit Focus Areas' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('tabpanel').getByText('Sleepless nights')).toBeVisible();
});

test('the toggles take effect at once, survive a reload, and go back with a sentence when they can’t be kept', async ({
  page,
  product,
  expectNoise,
}) => {
  const email = someone('ruth');
  await signIn(page, email);
  await openProfile(page, 'settings');
  const reminders = page.getByRole('switch', { name: 'Session Reminders' });
  const devotionals = page.getByRole('switch', { name: 'Daily Devotionals' });
  const updates = page.getByRole('switch', { name: 'Community Updates' });
  await expect(reminders).toBeChecked();
  await expect(devotionals).not.toBeChecked();
  await expect(updates).not.toBeChecked();
  await expectFair(page, 'the settings', { dark: true });
  await tabTo(page, devotionals);
  await page.keyboard.press('Space');
  await expect(toast(page, 'Daily Devotionals: on')).toBeVisible();
  await tabTo(page, page.getByRole('switch', { name: 'Keep it discreet' }));
  await page.keyboard.press('Space');
  await expect(toast(page, 'Keep it discreet: on')).toBeVisible();
  await reminders.click();
  await expect(toast(page, 'Session Reminders: off')).toBeVisible();
  const stored = await product.query(
    `select session_reminders, daily_devotionals, community_updates, keep_discreet
     from profiles p join users u using (id) where email = $1`,
    [email],
  );
  expect(stored).toEqual([
    { session_reminders: false, daily_devotionals: true, community_updates: false, keep_discreet: true },
  ]);
  await page.reload();
  await expect(devotionals).toBeChecked();
  await expect(reminders).not.toBeChecked();

  expectNoise(/ERR_FAILED|Failed to load resource/);
  await page.route('**/api/me/preferences', (route) => route.abort());
  await updates.click();
  await expect(toast(page, '“Community Updates” couldn’t be changed, and is as it was')).toBeVisible();
  await expect(updates).not.toBeChecked();
});

test('profile, toggles and photo survive a restart', async ({ browser }) => {
  test.setTimeout(150_000);
  const first = await startProduct();
  const context = await browser.newContext({ baseURL: first.url });
  const page = await context.newPage();
  const email = someone('ruth');
  const origin = first.url;
  await page.request.post(`${origin}/api/auth/sign-in/email`, {
    headers: { origin },
    data: { email, password },
  });
  await openProfile(page);
  await page.getByLabel('Full Name').fill('Ruth Amsel');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await readToast(page, 'Your changes are saved');
  await choose(page, await halves());
  await cropDialog(page).getByRole('button', { name: 'Use This Photo' }).click();
  await expect(toast(page, 'Your photo is saved')).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('switch', { name: 'Community Updates' }).click();
  await expect(toast(page, 'Community Updates: on')).toBeVisible();
  await first.stop();
  const second = await startProduct({ dataDir: first.dataDir, port: Number(new URL(first.url).port) });
  await openProfile(page);
  await expect(page.getByLabel('Full Name')).toHaveValue('Ruth Amsel');
  const photo = photoOf(page.getByRole('main')).first();
  await expect(photo).toHaveJSProperty('naturalWidth', 512);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(page.getByRole('switch', { name: 'Community Updates' })).toBeChecked();
  await context.close();
  await second.stop();
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
  await expectFair(page, 'the question before others are signed out', { dialog: question });
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

for (const who of ['client', 'doctor', 'admin'] as const) {
  test(`the profile of a ${who} is fair to everyone`, async ({ page }) => {
    await signIn(page, who);
    await page.setViewportSize(desktop);
    await openProfile(page);
    await expectFair(page, `the profile of a ${who}`, { dark: true });
    // A specialist's zone is their practice's, which Availability sets.
    if (who === 'doctor') {
      await expect(page.getByRole('textbox', { name: 'Time Zone' })).toBeDisabled();
      return;
    }
    await page.getByRole('combobox', { name: 'Time Zone' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectNoViolation(page, 'the list of time zones');
  });
}
