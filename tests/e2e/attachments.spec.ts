import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Product } from '../../scripts/product.ts';
import { pdf, silence } from '../support/bytes.ts';
import { becomeSpecialist } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const picture = (width = 800, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#5b8a72' } })
    .jpeg()
    .toBuffer();

/** A second of an MP3 recording, in frames of silence. */
const mp3 = Buffer.concat(
  Array.from({ length: 38 }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])),
);

/** A client on this page and a counsellor on the other, each with their conversation before them. */
async function pair(page: Page, other: Page, product: Product): Promise<string> {
  const { id } = await becomeSpecialist(other, product, { name: 'Dr. Ann Keller' });
  await signIn(page, someone('sender'));
  const conversationId = crypto.randomUUID();
  await call(page, '/api/conversations', {
    conversationId,
    messageId: crypto.randomUUID(),
    withId: id,
    subject: 'The nights',
    text: 'May I show you something?',
    attachmentIds: [],
  });
  for (const one of [page, other]) {
    await one.goto(`${product.url}/messages/${conversationId}`);
    await expect(history(one).getByText('May I show you something?')).toBeVisible();
    await one.waitForLoadState('networkidle');
  }
  return conversationId;
}

const history = (page: Page) => page.getByRole('group', { name: /^Messages with/ });
const field = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const chips = (page: Page) => page.getByRole('list', { name: 'Files for this message' });
const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').setInputFiles(files);
const send = (page: Page) => page.getByRole('button', { name: /^Send/ }).click();

test('files go with a message, and the other one sees them at once: a picture to look at, a recording, a document', async ({
  page,
  open,
  product,
}) => {
  const other = await open();
  await pair(page, other, product);
  const sent = await picture();
  await choose(
    page,
    { name: 'garden.jpg', mimeType: 'image/jpeg', buffer: sent },
    { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf(120_000)) },
    { name: 'what-i-said-to-myself.mp3', mimeType: 'audio/mpeg', buffer: mp3 },
  );
  await expect(chips(page).getByRole('listitem')).toHaveCount(3);
  await expect(chips(page).getByText('117 kB')).toBeVisible();
  await expectFair(page, 'files that wait to be sent', { dark: true });
  await field(page).fill('My garden, and what I plan.');
  await send(page);
  await expect(chips(page)).toHaveCount(0);

  for (const one of [page, other]) {
    const shown = history(one).getByRole('button', { name: 'Show garden.jpg larger' });
    await expect(shown).toBeVisible();
    // Its place is kept before it is there.
    await expect(shown.locator('img')).toHaveAttribute('width', '288');
    await expect
      .poll(() => shown.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(800);
    await expect(history(one).getByRole('link', { name: /^Open plan\.pdf, 117 kB/ })).toBeVisible();
    await expect(history(one).locator('audio')).toHaveAttribute('aria-label', 'what-i-said-to-myself.mp3');
  }
  // Each has room, also on phones.
  await other.setViewportSize(phone);
  const recording = history(other).getByRole('link', { name: /^Download what-i-said/ });
  const { x, width } = (await recording.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(phone.width);
  await expectFair(other, 'a message with files', { dark: true });
  await history(other).getByRole('button', { name: 'Show garden.jpg larger' }).click();
  const large = other.getByRole('dialog', { name: 'garden.jpg' });
  await expect(large.getByRole('img', { name: 'Picture: garden.jpg' })).toBeVisible();
  await expectFair(other, 'a picture at its largest', { dialog: large });
  const download = other.waitForEvent('download');
  await large.getByRole('link', { name: /^Download garden\.jpg/ }).click();
  expect((await download).suggestedFilename()).toBe('garden.jpg');
  await other.keyboard.press('Escape');
  await expect(large).toHaveCount(0);
  await expect(history(other).getByRole('button', { name: 'Show garden.jpg larger' })).toBeFocused();
});

test('what can’t be sent is refused in words, and what was typed and chosen beside it stays', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 4\d\d|ERR_/);
  const other = await open();
  await pair(page, other, product);
  await field(page).fill('What I wrote');
  await choose(
    page,
    { name: 'cat.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>alert(1)</script>') },
    { name: 'voice.wav', mimeType: 'audio/wav', buffer: silence() },
    { name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf(10 * 1024 * 1024 + 1)) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Words.') },
  );
  const chip = (name: string) => chips(page).getByRole('listitem').filter({ hasText: name });
  for (const name of ['cat.jpg', 'voice.wav'])
    await expect(chip(name).getByRole('alert')).toContainText('Files of this kind can’t be sent');
  await expect(chip('large.pdf').getByRole('alert')).toContainText('It is larger than 10 MB');
  await expect(chip('notes.txt').getByRole('alert')).toHaveCount(0);
  await expectFair(page, 'files that weren’t taken', { dark: true });
  await expect(field(page)).toHaveValue('What I wrote');
  for (const name of ['cat.jpg', 'voice.wav', 'large.pdf']) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await expect(page.getByRole('button', { name: 'Add files' })).toBeFocused();
  }
  await send(page);
  await expect(history(other).getByRole('link', { name: /^Download notes\.txt/ })).toBeVisible();
  await expect(history(other).getByText('What I wrote')).toBeVisible();
});

test('an upload that breaks off says so, is tried again, and can be stopped; five files are the most', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/ERR_/);
  await page.setViewportSize(phone);
  await pair(page, await open(), product);
  await page.route('**/api/conversations/attachments?**', (route) => route.abort());
  await choose(page, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Words.') });
  await expect(chips(page).getByRole('alert')).toContainText('The upload broke off');
  await page.unroute('**/api/conversations/attachments?**');
  await page.getByRole('button', { name: 'Try again to upload a.txt' }).click();
  await expect(chips(page).getByText('1 kB')).toBeVisible();

  // Nobody answers.
  await page.route('**/api/conversations/attachments?**', () => undefined);
  await choose(page, { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('Words.') });
  await page.getByRole('button', { name: 'Stop uploading b.txt' }).click();
  await expect(chips(page).getByRole('listitem')).toHaveCount(1);
  await page.unroute('**/api/conversations/attachments?**');

  const many = [1, 2, 3, 4, 5].map((one) => ({
    name: `${one}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from('Words.'),
  }));
  await choose(page, ...many);
  await expect(chips(page).getByRole('listitem')).toHaveCount(5);
  await expect(page.getByText('A message brings at most 5 files. One of yours wasn’t added')).toBeVisible();
});

test('a picture is pasted or dropped where one writes', async ({ page, open, product }) => {
  await pair(page, await open(), product);
  const base64 = (await picture(40, 40)).toString('base64');
  await field(page).evaluate((element, data) => {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'pasted.jpg', { type: 'image/jpeg' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, base64);
  await expect(page.getByRole('button', { name: 'Remove pasted.jpg' })).toBeVisible();
  await history(page).evaluate((element, data) => {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }));
    for (const type of ['dragenter', 'dragover', 'drop'])
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  }, base64);
  await expect(page.getByRole('button', { name: 'Remove dropped.jpg' })).toBeVisible();
  await expect(page.getByText('Let go to add the files')).toHaveCount(0);
});
