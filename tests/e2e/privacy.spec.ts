import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

async function openPrivacy(page: Page, email: string): Promise<void> {
  await signIn(page, email);
  await page.goto('/profile?tab=privacy');
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
}

async function entriesOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await promisify<Buffer, object, ZipFile>(fromBuffer)(bytes, { lazyEntries: true });
  const entries = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          entries.set(entry.fileName, Buffer.concat(chunks).toString());
          zip.readEntry();
        });
      }),
    );
    zip.readEntry();
  });
}

test(
  'exports an archive of all personal data, to its owner only',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    expectNoise(/status of (404|412)/);
    const email = someone('private');
    await openPrivacy(page, email);
    await page.getByRole('button', { name: 'Request Export' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByLabel('Your password').fill(password);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(question).toHaveCount(0);
    const link = page.getByRole('button', { name: 'Download' });
    await expect(link).toBeVisible();
    const coming = page.waitForEvent('download');
    await link.click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^italk-export-\d{4}-\d\d-\d\d\.zip$/);
    const archive = await entriesOf(await readFile(await download.path()));
    expect([...archive.keys()]).toEqual(
      expect.arrayContaining([
        'index.html',
        'left-out.html',
        'data/accounts/users.json',
        'data/accounts/users.csv',
      ]),
    );
    expect(JSON.parse(archive.get('data/accounts/users.json')!)).toMatchObject([{ email }]);
    expect(archive.get('left-out.html')).toContain('Your password');

    // The archive's HTML page makes no network requests.
    const reader = await open();
    const asked: string[] = [];
    reader.on('request', ({ url }) => asked.push(url()));
    await reader.setContent(archive.get('index.html')!);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Your iTalk data');
    await expectFair(reader, 'the page in the archive', { dark: true });
    expect(asked).toEqual([]);

    const stranger = await open();
    await signIn(stranger, someone('curious'));
    expect((await stranger.request.get(download.url())).status()).toBe(404);
    expect((await (await open()).request.get(download.url())).status()).toBe(401);
    // Once reauthentication expires, an open page can't download either.
    await product.query(
      `update sessions set reauthenticated_at = null where user_id = (select id from users where email = $1)`,
      [email],
    );
    expect((await page.request.get(download.url())).status()).toBe(412);
  },
);

test(
  'deletes an account with its password, ends other sessions, and allows undo for 14 days',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const email = someone('leaving');
    const other = await open();
    await signIn(other, email);
    await openPrivacy(page, email);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await expect(dialog).toHaveCount(0);
    const banner = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /Your account will be deleted on \w+ \d+, \d{4}\./ });
    await expect(banner).toBeVisible();
    const { deleteAfter } = (await (await page.request.get('/api/me')).json()) as { deleteAfter: string };
    expect(Math.round((Date.parse(deleteAfter) - Date.now()) / 86_400_000)).toBe(14);
    expect(await (await other.request.get(`${product.url}/api/me`)).json()).toBeNull();

    // Signing in alone doesn't cancel the deletion.
    await signIn(page, email);
    await page.goto('/home');
    await banner.getByRole('button', { name: 'Keep my account' }).click();
    await expect(banner).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
    await expect(banner).toHaveCount(0);
    await page.goto('/dev/mail');
    const mail = page.getByRole('link').filter({ hasText: email }).filter({ hasText: 'will be deleted on' });
    await expect(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(mail).toHaveCount(1, { timeout: 500 });
    }).toPass();
  },
);
