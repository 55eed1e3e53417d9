import type { Page } from '@playwright/test';
import { expect, forgetSession, reauthenticate, signIn, someone, test } from './support/fixtures.ts';

/** Gives the browser an authenticator that answers at once. Returns how many passkeys it holds. */
async function giveAuthenticator(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
}

test('adds a passkey, signs in with it from the card, and removes it', async ({ page, expectNoise }) => {
  // Removing asks for a confirmation first, and the removed passkey is refused. Signing in by field and by button at
  // once ends the first one's session, whose socket is refused.
  expectNoise(/status of (401|412)|\/realtime\S* failed/);
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
    await page.goto('/?auth=1');
    // The authenticator answers the email field's suggestion at once, or else the button.
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await expect(button.or(page.getByText('Welcome back! 🙏').first())).toBeVisible();
    if (await button.isVisible()) await button.click({ timeout: 5_000 }).catch(() => undefined);
    await expect(page).toHaveURL(/\/home$/);
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
});
