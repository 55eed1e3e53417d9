import { startProduct } from '../../scripts/product.ts';
import {
  call,
  expect,
  forgetSession,
  password,
  reauthenticate,
  signIn,
  someone,
  test,
} from './support/fixtures.ts';

const chief = 'chief@italk.example';

// Needs its own configured address, and its role removed directly in the database.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000', ADMIN_EMAILS: chief } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
});

test(
  'signs in at the portal once the role is assigned, and admits no one else',
  { tag: '@long' },
  async ({ page, product, expectNoise }) => {
    // The role changes while sessions still load.
    expectNoise(/403 \(Forbidden\).*\/api\/appointments\?/);
    const roleOf = (email: string, role: string) =>
      product.query('update profiles set role = $2 where id = (select id from users where email = $1)', [
        email,
        role,
      ]);
    const main = page.getByRole('main');
    await test.step('requires more than the role, and logs each attempt', async () => {
      const stranger = someone('zebedee');
      await signIn(page, stranger);
      await roleOf(stranger, 'super_admin');
      await page.goto('/admin/settings');
      await expect(main.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
      await expect(main).toContainText('ze***');
      expect((await page.request.get('/api/buckets')).status()).toBe(403);
      const noted = await product.query(
        `select 1 from audit_entries where action = 'portal_opened' and not success
       and actor_id = (select id from users where email = $1)`,
        [stranger],
      );
      expect(noted).toHaveLength(1);
    });

    await test.step('keeps an address waiting until its role is assigned', async () => {
      await forgetSession(page);
      await signIn(page, chief);
      await roleOf(chief, 'client');
      await page.goto('/admin/settings');
      await expect(main).toContainText('Current role: Client');
      // Signing in doesn't restore a manually removed role.
      await forgetSession(page);
      await signIn(page, chief);
      await page.goto('/adminsettings');
      await expect(main).toContainText('Current role: Client');
      await roleOf(chief, 'super_admin');
      await main.getByRole('button', { name: 'Refresh Page' }).click();
      await expect(main.getByRole('navigation', { name: 'Portal sections' })).toBeVisible();
    });

    await forgetSession(page);
    await page.goto('/admin/settings');
    await main.getByLabel('Email').fill(chief);
    await main.getByLabel('Password', { exact: true }).fill(password);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/overview-tab*', async (route) => {
      await held;
      await route.continue();
    });
    await main.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText('Welcome to iTalk Admin', { exact: true })).toBeVisible();
    await expect(page.getByText('Loading admin portal...', { exact: true })).toBeVisible();
    release();
    await expect(page.getByText('Loading admin portal...', { exact: true })).toBeHidden();
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    // `/home` redirects guests here.
    await expect(page).toHaveURL(/:\d+\/$/);
    await expect(page.getByText('Signed out successfully', { exact: true })).toBeVisible();
  },
);

test(
  'lets an owner undo an email address change by an administrator',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    // The locked journal.
    expectNoise(/status of 412/);
    const email = someone('owner');
    const theirs = await open();
    await signIn(theirs, email);
    await call(theirs, '/api/journal', { text: 'Only I may read this.' });
    await signIn(page, chief);
    await reauthenticate(page);
    await page.goto('/admin/settings?tab=users');
    await page.getByRole('main').getByLabel('Search users').fill(email);
    await expect(page.getByText('Users found: 1', { exact: true })).toBeVisible();
    await page.getByRole('table').getByRole('link').click();
    await page.getByRole('main').getByRole('button', { name: 'Edit User', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit User' });
    await dialog.getByLabel('Email').fill(`taken.${email}`);
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toBeHidden();

    await theirs.goto(`${product.url}/dev/mail`);
    const mail = theirs
      .getByRole('navigation')
      .getByRole('link')
      .filter({ hasText: email })
      .filter({ hasText: /email address .*changed/ });
    await expect(async () => {
      await theirs.getByRole('button', { name: 'Refresh' }).click();
      await expect(mail.first()).toBeVisible({ timeout: 500 });
    }).toPass();
    await mail.first().click();
    await theirs.getByRole('link', { name: /\/address-change#/ }).click();
    await theirs.getByRole('button', { name: 'Undo this change' }).click();
    await expect(theirs).toHaveURL(/\/reset-password/);
    await theirs.getByLabel('New Password').fill('grace upon grace upon grace');
    await theirs.getByRole('button', { name: 'Save and Sign In' }).click();
    await expect(theirs.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
    await theirs.goto(`${product.url}/growth?tab=journal`);
    const locked = theirs.getByRole('region', { name: 'Your journal is locked' });
    await locked.getByLabel('Previous password').fill(password);
    await locked.getByLabel('Current password').fill('grace upon grace upon grace');
    await locked.getByRole('button', { name: 'Unlock' }).click();
    await expect(theirs.getByText('Only I may read this.')).toBeVisible();
  },
);
