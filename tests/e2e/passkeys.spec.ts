import { spawnSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { databaseFolder, type Product } from '../../scripts/product.ts';
import { giveAuthenticator } from './support/authenticator.ts';
import { expect, forgetSession, reauthenticate, signIn, someone, test } from './support/fixtures.ts';

async function signInByPasskey(page: Page): Promise<void> {
  await page.goto('/?auth=1');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/home$/);
}

test(
  'adds a passkey, signs in with it from the card, and removes it',
  { tag: '@long' },
  async ({ page, expectNoise }) => {
    // Removing asks for a confirmation first, and the removed passkey is refused.
    expectNoise(/status of (401|412)/);
    const held = await giveAuthenticator(page);
    const email = someone('passkey');
    await signIn(page, email);
    await reauthenticate(page);
    await page.goto('/profile?tab=settings');
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Name your passkey' });
    await dialog.getByLabel('Name').fill('Ruth’s phone');
    await dialog.getByRole('button', { name: 'Save name' }).click();
    const row = card.getByRole('listitem').filter({ hasText: 'Ruth’s phone' });
    await expect(row).toContainText('Not used yet');
    expect(await held()).toBe(1);

    await test.step('signs in without typing anything', async () => {
      await forgetSession(page);
      await signInByPasskey(page);
    });

    await page.goto('/profile?tab=settings');
    await expect(row).toContainText('Last used');
    await row.getByRole('button', { name: 'Remove' }).click();
    const alert = page.getByRole('alertdialog');
    await alert.getByRole('button', { name: 'Remove' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await confirm.getByRole('button', { name: 'Use a passkey instead' }).click();
    await expect(page.getByText('Passkey removed').first()).toBeVisible();
    await expect(card.getByRole('listitem')).toHaveCount(0);

    await test.step('no longer signs in with it', async () => {
      await forgetSession(page);
      await page.goto('/?auth=1');
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await expect(page.getByText('That passkey doesn’t work here.').first()).toBeVisible();
    });
  },
);

test(
  'signs in with a passkey from the email field’s suggestions alone',
  { tag: '@long' },
  async ({ page }) => {
    const held = await giveAuthenticator(page, { suggests: true });
    await signIn(page, someone('suggested'));
    await reauthenticate(page);
    await page.goto('/profile?tab=settings');
    const card = page.getByRole('region', { name: 'Passkeys' });
    await card.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click();
    await expect(card.getByRole('listitem')).toHaveCount(1);
    expect(await held()).toBe(1);
    await forgetSession(page);
    await page.goto('/?auth=1&next=/growth');
    await expect(page).toHaveURL('/growth');
    await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
  },
);

/** Writes an entry, adds a passkey in the same session, and signs out. */
async function writeAndAddPasskey(page: Page): Promise<{ email: string; facts: string }> {
  const email = someone('author');
  await signIn(page, email);
  await page.goto('/growth?tab=journal');
  await page.getByLabel('What’s on your heart?').fill('Only for me.');
  await page.getByRole('button', { name: 'Save entry' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Only for me.' })).toBeVisible();
  await reauthenticate(page);
  await page.goto('/profile?tab=settings');
  const card = page.getByRole('region', { name: 'Passkeys' });
  await card.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click();
  const facts = await card.getByRole('listitem').innerText();
  await forgetSession(page);
  return { email, facts };
}

test(
  'opens a journal with a passkey: by signing in, and later in place',
  { tag: '@long' },
  async ({ page, expectNoise, product }) => {
    expectNoise(/status of 412/);
    await giveAuthenticator(page, { hasPrf: true });
    const { email, facts } = await writeAndAddPasskey(page);
    expect(facts).toContain('Opens your journal and private notes');
    await signInByPasskey(page);
    await page.goto('/growth?tab=journal');
    const entry = page.getByRole('listitem').filter({ hasText: 'Only for me.' });
    await expect(entry).toBeVisible();

    // As after signing in by an emailed code.
    await product.query(
      'update sessions set author_key = null where user_id = (select id from users where email = $1)',
      [email],
    );
    await page.reload();
    const locked = page.getByRole('region', { name: 'Your journal is locked' });
    const unlocking = page.waitForRequest((request) => request.url().endsWith('/api/me/words/unlock'));
    await locked.getByRole('button', { name: 'Unlock with passkey' }).click();
    await expect(entry).toBeVisible();

    // The text and the passkey's secret are in no file of the product, including its database and log.
    const { passkey } = (await unlocking).postDataJSON() as { passkey: { prf: string } };
    expect(passkey.prf).toHaveLength(43);
    expect(filesHolding(product, email)).not.toEqual([]);
    for (const secret of ['Only for me.', passkey.prf]) {
      expect(filesHolding(product, secret)).toEqual([]);
      expect(product.written()).not.toContain(secret);
    }
  },
);

/** What is committed is at least in the transaction log. */
function filesHolding({ dataDir }: Product, text: string): string[] {
  const folders = [dataDir, databaseFolder(dataDir)];
  const { stdout } = spawnSync('grep', ['-rlaF', '--', text, ...folders], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

test(
  'leaves a journal locked when signing in with a passkey that can’t open it',
  { tag: '@long' },
  async ({ page, expectNoise }) => {
    expectNoise(/status of 412/);
    await giveAuthenticator(page);
    const { facts } = await writeAndAddPasskey(page);
    expect(facts).not.toContain('Opens');
    await signInByPasskey(page);
    await page.goto('/growth?tab=journal');
    const locked = page.getByRole('region', { name: 'Your journal is locked' });
    await expect(locked).toBeVisible();
    await expect(locked.getByRole('button', { name: 'Unlock with passkey' })).not.toBeVisible();
    await locked.getByLabel('Password', { exact: true }).fill('peace-be-with-you');
    await locked.getByRole('button', { name: 'Unlock' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Only for me.' })).toBeVisible();
  },
);
