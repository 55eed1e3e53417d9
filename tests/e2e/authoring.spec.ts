import type { Page } from '@playwright/test';
import { silence } from '../support/bytes.ts';
import { call, expect, signIn, test } from './support/fixtures.ts';
import { cards, idOf } from './support/library.ts';
import { expectFair } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

test('an author writes a resource, an administrator approves it, and everybody finds it', async ({
  page,
  open,
  expectNoise,
}) => {
  expectNoise(/status of 400/);
  await signIn(page, 'pastor');
  await page.goto('/author/new');
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByLabel('Title')).toBeFocused();
  await expect(page.getByText('Please choose a category.')).toBeVisible();
  await expectFair(page, 'the editor with problems', { dark: true });
  await page.getByLabel('Title').fill('Bread for the Journey');
  await page.getByRole('radio', { name: 'Devotional' }).check();
  await page.getByLabel('Category').selectOption('Spiritual Struggles');
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByText('Please describe it in one or two sentences.')).toBeVisible();
  await expect(page.getByText('Please write the text.')).toBeVisible();
  await page.getByLabel('Description').fill('For people who are on the way, and hungry.');
  await page
    .getByLabel('Text')
    .fill(`## A loaf\n\n${'Bread is broken before it is shared, and so are we. '.repeat(6)}`);
  await expect(
    page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'A loaf' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page).toHaveURL('/author');
  const own = page.getByRole('listitem').filter({ hasText: 'Bread for the Journey' });
  await expect(own).toContainText('Waiting for approval');
  await expectFair(page, 'an author’s list', { dark: true });

  const admin = await open({ baseURL: new URL(page.url()).origin });
  await signIn(admin, 'admin');
  await admin.goto('/admin/moderation?tab=resources');
  const waiting = admin.getByRole('listitem').filter({ hasText: 'Bread for the Journey' });
  await expect(admin.getByRole('tab', { name: /^Resources \(\d+\)$/ })).toBeVisible();
  // Nobody approves what nobody has read.
  await expect(waiting.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await expect(waiting.getByText('Please open it first')).toBeVisible();
  await waiting.getByText('Read it').click();
  await expect(waiting.getByText('Bread is broken before it is shared')).toBeVisible();
  await expectFair(admin, 'what waits for approval', { dark: true });
  await waiting.getByRole('button', { name: 'Approve' }).click();
  await expect(waiting).toBeHidden();
  // The author's page hears of it by itself.
  await expect(own).toContainText('Published');

  const guest = await open({ baseURL: new URL(page.url()).origin });
  await guest.goto('/resources?q=bread');
  await expect(cards(guest).filter({ hasText: 'Bread for the Journey' })).toBeVisible();
  const id = await idOf(guest, 'Bread for the Journey');
  await admin.goto(`/resources/${id}`);
  await admin.getByRole('button', { name: 'Show among the featured' }).click();
  await expect(admin.getByText('It is featured now', { exact: true })).toBeVisible();
  await guest.goto('/resources');
  await expect(
    guest
      .getByRole('region', { name: 'Featured Resources' })
      .getByRole('link', { name: 'Bread for the Journey' }),
  ).toBeVisible();
  await admin.getByRole('button', { name: 'Take it down' }).click();
  const dialog = admin.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Take it down' }).click();
  await expect(dialog.getByLabel('Why')).toBeFocused();
  await expectFair(admin, 'taking a resource down', { dialog });
  await dialog.getByLabel('Why').fill('Its source isn’t named.');
  await dialog.getByRole('button', { name: 'Take it down' }).click();
  await expect(admin).toHaveURL('/resources');
  await expect(own).toContainText('Its source isn’t named.');
  await own.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(own).toBeHidden();
});

test('an administrator approves the version that they have opened, and reads another one anew', async ({
  page,
  open,
}) => {
  await signIn(page, 'pastor');
  await page.goto('/author');
  const work = {
    title: 'Salt and light',
    author: 'Daniel Reyes',
    type: 'devotional',
    category: 'spiritual-struggles',
    description: 'On being seen.',
    form: 'article',
    body: 'The first words that were sent in. '.repeat(10),
  };
  const { id, version } = await call<{ id: string; version: number }>(
    page,
    '/api/me/authored-resources',
    work,
  );
  await call(page, `/api/me/authored-resources/${id}/submit`, {});
  const admin = await open({ baseURL: new URL(page.url()).origin });
  await signIn(admin, 'admin');
  await admin.goto('/admin/moderation?tab=resources');
  const waiting = admin.getByRole('listitem').filter({ hasText: 'Salt and light' });
  await waiting.getByText('Read it').click();
  await expect(waiting.getByText('The first words that were sent in.').first()).toBeVisible();
  await expect(waiting.getByRole('button', { name: 'Approve' })).toBeEnabled();
  await call(page, `/api/me/authored-resources/${id}/withdraw`, {});
  const body = 'Other words, which nobody has read. '.repeat(10);
  await call(page, '/api/me/authored-resources', { ...work, resourceId: id, version, body });
  await call(page, `/api/me/authored-resources/${id}/submit`, {});
  // The other version is closed again, and can't be approved unread.
  await expect(waiting.getByRole('button', { name: 'Approve' })).toBeDisabled();
  await waiting.getByText('Read it').click();
  await expect(waiting.getByText('Other words, which nobody has read.').first()).toBeVisible();
  await waiting.getByRole('button', { name: 'Approve' }).click();
  await expect(waiting).toBeHidden();
});

test('a draft that was changed in another window isn’t overwritten silently, and what was typed stays', async ({
  page,
  open,
  expectNoise,
}) => {
  expectNoise(/status of 409/);
  await signIn(page, 'doctor');
  await page.goto('/author');
  const { id } = await call<{ id: string }>(page, '/api/me/authored-resources', {
    title: 'Two windows',
    author: 'Sarah Whitfield',
    type: 'devotional',
    category: 'individual-healing',
    form: 'article',
  });
  const other = await open({ baseURL: new URL(page.url()).origin });
  await signIn(other, 'doctor');
  const title = (one: Page) => one.getByLabel('Title');
  for (const one of [page, other]) {
    await one.goto(`/author/${id}`);
    await expect(title(one)).toHaveValue('Two windows');
  }
  const saved = (one: Page) => one.getByText('Your draft is saved', { exact: true }).first();
  const save = (one: Page) => one.getByRole('button', { name: 'Save draft' }).click();
  await title(page).fill('From the first window');
  await save(page);
  await expect(saved(page)).toBeVisible();
  await title(other).fill('From the second window');
  await save(other);
  await expect(other.getByRole('alert')).toContainText('It was changed in another window');
  await expect(title(other)).toHaveValue('From the second window');
  await expectFair(other, 'a draft that was changed elsewhere', { dark: true });
  await other.getByRole('button', { name: 'Show the other version' }).click();
  await expect(title(other)).toHaveValue('From the first window');
  await title(other).fill('From the second window, again');
  await save(other);
  await expect(saved(other)).toBeVisible();
  await title(page).fill('From the first window, at last');
  await save(page);
  // Told once it is stored; what was asked for before is refused.
  const stored = page.waitForResponse(
    (answer) =>
      answer.ok() && answer.request().method() === 'POST' && answer.url().endsWith('/authored-resources'),
  );
  await page.getByRole('button', { name: 'Save what I typed' }).click();
  await stored;
  await expect(page.getByText('It was changed in another window')).toBeHidden();
  await page.reload();
  await expect(title(page)).toHaveValue('From the first window, at last');
});

test('an author uploads a file with progress; what is no such file is refused in a sentence', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/status of 400/);
  await signIn(page, 'doctor');
  await page.goto('/author/new');
  await page.getByLabel('Title').fill('A recording of rain');
  await page.getByRole('radio', { name: 'Audio', exact: true }).check();
  await page.getByLabel('Category').selectOption('Individual Healing');
  await page.getByLabel('Description').fill('A minute of rain.');
  await page.getByRole('radio', { name: 'A file' }).check();
  const field = page.getByLabel('File', { exact: true });
  await field.setInputFiles({
    name: 'rain.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from('<html><script>alert(1)</script></html>'),
  });
  await expect(page.getByText('This file is none of the kinds that can be kept here.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('A recording of rain');
  await expect(page).toHaveURL(/\/author\/[0-9a-f-]{36}$/);
  await field.setInputFiles({
    name: 'sheet.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
  });
  await expect(page.getByText('This isn’t an audio file.')).toBeVisible();
  await expectFair(page, 'a file that is refused');
  await field.setInputFiles({ name: 'rain.wav', mimeType: 'audio/wav', buffer: silence() });
  await expect(page.getByText('rain.wav was uploaded')).toBeVisible();
  await page.getByLabel('Picture').setInputFiles({
    name: 'cover.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(page.getByText('This isn’t a JPEG, PNG or WebP picture.')).toBeVisible();
  // What is too large isn't sent at all.
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.getByLabel('Picture').setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(6 * 1024 * 1024),
  });
  await expect(page.getByText('This picture is larger than 5 MB.')).toBeVisible();
  expect(sent.filter((url) => url.includes('/api/resource-files'))).toEqual([]);
  await page.reload();
  await expect(page.getByText('Now: rain.wav')).toBeVisible();
});

test('another account’s draft is not found, by any way', async ({ page, open, expectNoise }) => {
  expectNoise(/status of 404/);
  await signIn(page, 'doctor');
  await page.goto('/author');
  const edit = page.getByRole('link', { name: 'Edit Writing Through the Psalms' });
  const path = (await edit.getAttribute('href'))!;
  const id = path.split('/').at(-1)!;
  const origin = new URL(page.url()).origin;
  for (const who of ['pastor', 'admin', 'client']) {
    const other = await open({ baseURL: origin });
    await signIn(other, who);
    for (const asked of [`/api/resources/${id}`, `/api/resources/${id}/content`]) {
      expect((await other.request.get(asked)).status(), `${who} ${asked}`).toBe(404);
    }
    for (const asked of [`/api/resources/${id}/take`, `/api/resources/${id}/favourite`]) {
      const data = { favourite: true };
      const answer = await other.request.post(asked, { headers: { origin }, data });
      expect(answer.status(), `${who} ${asked}`).toBe(404);
    }
    const mine = await other.request.get(`/api/me/authored-resources/${id}`);
    expect(mine.status()).toBe(who === 'client' ? 403 : 404);
  }
  const guest = await open({ baseURL: origin });
  await guest.goto('/author');
  await expect(guest.getByRole('alert')).toContainText('Access denied');
});
