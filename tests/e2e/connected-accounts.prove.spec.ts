import type { Page } from '@playwright/test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startProduct } from '../../scripts/product.ts';
import { openRealProvider, type RealProvider } from '../support/openid-server.ts';
import { openSamlPages } from '../support/saml.ts';
import { test as base, expect, forgetSession, reauthenticate, signIn } from './support/fixtures.ts';

const test = base.extend<object, { provider: RealProvider }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const provider = await openRealProvider();
      await use(provider);
      await provider.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ provider }, use) => {
      const clinic = await openSamlPages();
      const OIDC_PROVIDERS = JSON.stringify([provider.config]);
      const SAML_PROVIDERS = JSON.stringify([clinic.config]);
      const product = await startProduct({
        env: { RATE_LIMIT_FACTOR: '1000', OIDC_PROVIDERS, SAML_PROVIDERS, WALLET_SIGN_IN: 'true' },
      });
      provider.sendBackTo(`${product.url}/continue/church`);
      await use(product);
      await product.stop();
      await clinic.close();
    },
    { scope: 'worker' },
  ],
});

/** The provider's own pages, which ask for a name and for consent. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** The provider's pages ask for a font that tests can't reach. */
const fonts = /fonts\.googleapis\.com/;

const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue with Grace Church' });

test('signs up and in with another provider’s account, on the way to a page', async ({
  page,
  expectNoise,
}) => {
  expectNoise(fonts);
  await page.goto('/?auth=1&mode=sign-up&next=/growth');
  await continueButton(page).click();
  await signInThere(page, 'naomi');
  await expect(page).toHaveURL(/\/growth$/);
  await expect(page.getByText('Your account is ready.').first()).toBeVisible();

  await forgetSession(page);
  await page.goto('/?auth=1');
  await continueButton(page).click();
  await signInThere(page, 'naomi');
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/profile?tab=settings');
  const row = page.getByRole('region', { name: 'Connected accounts' }).getByRole('listitem');
  await expect(row).toContainText('naomi@grace.test');
  await expect(row).toContainText('Last used');
});

test('connects another provider’s account only for the signed-in owner, and disconnects it', async ({
  page,
  expectNoise,
}) => {
  expectNoise(fonts);
  // The provider's address belongs to an account that isn't connected yet.
  expectNoise(/status of 409/);
  await signIn(page, 'ruth@grace.test');
  await forgetSession(page);
  await page.goto('/?auth=1');
  await continueButton(page).click();
  await signInThere(page, 'ruth');
  await expect(page.getByText('This email already has an account.')).toBeVisible();

  await signIn(page, 'ruth@grace.test');
  await reauthenticate(page);
  await page.goto('/profile?tab=settings');
  const card = page.getByRole('region', { name: 'Connected accounts' });
  await card.getByRole('button', { name: 'Connect Grace Church' }).click();
  // The provider still knows this browser.
  await expect(page.getByText('Grace Church connected').first()).toBeVisible();
  await expect(card.getByRole('listitem')).toContainText('Not used yet');

  await card.getByRole('button', { name: 'Disconnect Grace Church' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Grace Church disconnected').first()).toBeVisible();
  await expect(card.getByRole('listitem')).toHaveCount(0);
});

test('signs up and in with an organization’s account, by a post from another site', async ({
  page,
  expectNoise,
}) => {
  // The answer that came without our cookie.
  expectNoise(/status of 412/);
  const atClinic = async () => {
    await page.getByLabel('Name').fill('miriam');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await page.goto('/?auth=1&next=/growth');
  await page.getByRole('button', { name: 'Continue with Grace Clinic' }).click();
  await atClinic();
  await expect(page).toHaveURL(/\/growth$/);
  await expect(page.getByText('Your account is ready.').first()).toBeVisible();

  // Repeating the post, as a stranger's page could, signs nobody in.
  await forgetSession(page);
  await page.goto('/?auth=1');
  await page.getByRole('button', { name: 'Continue with Grace Clinic' }).click();
  await page.getByLabel('Name').fill('miriam');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('This took too long or was already used.')).toBeVisible();

  await page.getByRole('button', { name: 'Continue with Grace Clinic' }).click();
  await atClinic();
  await expect(page).toHaveURL(/\/home$/);
  await page.goto('/profile?tab=settings');
  const row = page.getByRole('region', { name: 'Connected accounts' }).getByRole('listitem');
  await expect(row).toContainText('miriam@grace.test');
});

/** A wallet extension with its own key, which approves everything. */
async function addWallet(page: Page): Promise<void> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const answer = (method: string, [raw]: readonly string[]) =>
    method === 'eth_requestAccounts'
      ? [wallet.address]
      : wallet.signMessage({ message: { raw: raw as `0x${string}` } });
  await page.exposeFunction('askWallet', answer);
  await page.addInitScript(() => {
    const { askWallet } = window as unknown as { askWallet: typeof answer };
    const detail = {
      info: { uuid: 'a', name: 'A wallet' },
      provider: {
        request: async (asked: { method: string; params: readonly string[] }) =>
          askWallet(asked.method, asked.params),
      },
    };
    window.addEventListener('eip6963:requestProvider', () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
    );
  });
}

test('connects a wallet, signs in with it, and disconnects it', async ({ page, expectNoise }) => {
  // The wallet isn't connected yet.
  expectNoise(/status of 403/);
  await addWallet(page);
  await page.goto('/?auth=1&next=/growth');
  const enter = page.getByRole('button', { name: 'Continue with a wallet' });
  await enter.click();
  await expect(page.getByText('No account here has this wallet.').first()).toBeVisible();

  await signIn(page, 'wallet.owner@grace.test');
  await reauthenticate(page);
  await page.goto('/profile?tab=settings');
  const card = page.getByRole('region', { name: 'Connected accounts' });
  await card.getByRole('button', { name: 'Connect a wallet' }).click();
  await expect(card.getByRole('listitem')).toContainText('Not used yet');

  await forgetSession(page);
  await page.goto('/?auth=1&next=/growth');
  await enter.click();
  await expect(page).toHaveURL(/^[^?]*\/growth$/);
  await signIn(page, 'wallet.owner@grace.test');
  await reauthenticate(page);
  await page.goto('/profile?tab=settings');
  await expect(card.getByRole('listitem')).toContainText('Last used');
  await card.getByRole('button', { name: /^Disconnect Wallet 0x/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(card.getByRole('listitem')).toHaveCount(0);
});
