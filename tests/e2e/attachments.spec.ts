import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { Product } from '../../scripts/product.ts';
import { pdf } from '../support/bytes.ts';
import { becomeSpecialist } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

const picture = (width = 800, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#5b8a72' } })
    .jpeg()
    .toBuffer();

/** One second of silent MP3 frames. */
const mp3 = Buffer.concat(
  Array.from({ length: 38 }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)])),
);

/** Opens one conversation as a client on `page` and a counselor on `other`. */
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
  }
  return conversationId;
}

const history = (page: Page) => page.getByRole('group', { name: /^Messages with/ });
const field = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });
const chips = (page: Page) => page.getByRole('list', { name: 'Files for this message' });
const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('input[type=file]').setInputFiles(files);
const send = (page: Page) => page.getByRole('button', { name: /^Send/ }).click();

test(
  'sends a picture, a recording and a document, shown to the recipient immediately',
  { tag: '@long' },
  async ({ page, open, product }) => {
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
    await field(page).fill('My garden, and what I plan.');
    await send(page);
    await expect(chips(page)).toHaveCount(0);

    for (const one of [page, other]) {
      const shown = history(one).getByRole('button', { name: 'Show garden.jpg larger' });
      await expect(shown).toBeVisible();
      // Space is reserved before the image loads.
      await expect(shown.locator('img')).toHaveAttribute('width', '288');
      await expect
        .poll(() => shown.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBe(800);
      await expect(history(one).getByRole('link', { name: /^Open plan\.pdf, 117 kB/ })).toBeVisible();
      await expect(history(one).locator('audio')).toHaveAttribute('aria-label', 'what-i-said-to-myself.mp3');
    }
    // Each fits, even on phones.
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
  },
);
