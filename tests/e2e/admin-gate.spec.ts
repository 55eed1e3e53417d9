import { startProduct } from '../../scripts/product.ts';
import { expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

const chief = 'chief@italk.example';

// A second address is configured, and roles are taken past the product.
test.use({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({
        env: { RATE_LIMIT_FACTOR: '1000', ADMIN_EMAILS: `admin@italk.example,${chief}` },
      });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('a guest signs in at the portal: what is wrong is said, noted, and nothing typed is lost', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(/401/);
  await page.goto('/admin/settings');
  const main = page.getByRole('main');
  await expect(main).toContainText(
    'restricted to authorized administrators only. All access attempts are logged and monitored.',
  );
  await expectFair(page, 'the portal’s sign-in', { dark: true });
  const secret = main.getByLabel('Password', { exact: true });
  const submit = main.getByRole('button', { name: 'Sign In' });
  await expect(submit).toBeEnabled();

  await submit.press('Enter');
  await expect(main.getByLabel('Email')).toBeFocused();
  await expect(main.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');

  await main.getByLabel('Email').fill('admin@italk.example');
  await secret.fill('not-the-password');
  await expect(secret).toHaveAttribute('type', 'password');
  await main.getByRole('button', { name: 'Show password' }).press('Enter');
  await expect(secret).toHaveAttribute('type', 'text');
  await main.getByRole('button', { name: 'Hide password' }).press('Enter');
  await expect(secret).toHaveAttribute('type', 'password');
  await secret.press('Enter');
  await expect(page.getByText('Authentication Failed', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Invalid credentials. Please check your email and password.', { exact: true }),
  ).toBeVisible();
  await expect(main.getByLabel('Email')).toHaveValue('admin@italk.example');
  await expect(secret).toHaveValue('not-the-password');
  const failed = () =>
    product.query(
      `select success from audit_entries where action = 'signed_in' and not success
       and subject_id = (select id from users where email = 'admin@italk.example')`,
    );
  expect(await failed()).toHaveLength(1);

  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/auth/sign-in/email', async (route) => {
    await held;
    await route.continue();
  });
  await secret.fill(password);
  await secret.press('Enter');
  await expect(main.getByRole('button', { name: 'Authenticating...' })).toBeDisabled();
  answer();
  await expect(page.getByText('Welcome to iTalk Admin', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Successfully logged in to the admin dashboard.', { exact: true }),
  ).toBeVisible();
  const parts = main.getByRole('navigation', { name: 'Parts of the portal' }).getByRole('link');
  await expect(parts).toHaveText([
    'Overview',
    'User Management',
    'Provider Approval',
    'Service Management',
    'Feature Flags',
    'Site Settings',
    'Audit Logs',
  ]);
  await expect(parts.first()).toHaveAttribute('aria-current', 'page');

  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/home');
  await expect(header.getByRole('link', { name: 'Admin Dashboard' })).toHaveAttribute(
    'href',
    '/admin/settings',
  );
  await header.getByRole('button', { name: 'Logout' }).click();
  // Whom /home leads on, being a guest again.
  await expect(page).toHaveURL(/:\d+\/$/);
  await expect(page.getByText('Signed out successfully', { exact: true })).toBeVisible();
  await expect(page.getByText('May peace be with you until we meet again.', { exact: true })).toBeVisible();
});

test('the portal says that it is loading, under both of its addresses', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/');
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/assets/overview-tab*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('banner').getByRole('link', { name: 'Admin Dashboard' }).first().click();
  await expect(page.getByText('Loading admin portal...', { exact: true })).toBeVisible();
  answer();
  await expect(page.getByText('Loading admin portal...', { exact: true })).toBeHidden();
  await page.goto('/adminsettings');
  await expect(page.getByRole('navigation', { name: 'Parts of the portal' })).toBeVisible();
});

test('an address that isn’t an administrator’s is turned away, masked, whatever its role, and it is noted', async ({
  page,
  product,
}) => {
  const stranger = someone('zebedee');
  await signIn(page, stranger);
  const turnedAway = async () => {
    await page.goto('/admin/settings');
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(main).toContainText('ze***');
    await expect(main).toContainText('Access level: Unauthorized');
    await expect(main).not.toContainText('zebedee');
    expect((await page.request.get(`${product.url}/api/buckets`)).status()).toBe(403);
  };
  await turnedAway();
  await expectFair(page, 'who is turned away', { dark: true });
  const noted = () =>
    product.query(
      `select 1 from audit_entries where action = 'portal_opened' and not success
       and actor_id = (select id from users where email = $1)`,
      [stranger],
    );
  expect(await noted()).toHaveLength(1);
  await product.query(
    `update profiles set role = 'super_admin' where id = (select id from users where email = $1)`,
    [stranger],
  );
  await turnedAway();
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Super Admin Dashboard' })).toBeHidden();
});

test('an administrator’s address without the role waits, until Refresh Page finds that it was given', async ({
  page,
  product,
}) => {
  await signIn(page, chief);
  const setRole = (role: string) =>
    product.query('update profiles set role = $2 where id = (select id from users where email = $1)', [
      chief,
      role,
    ]);
  await setRole('client');
  await page.goto('/admin/settings');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Setting up your admin access...' })).toBeVisible();
  await expect(main).toContainText('Current role: client');
  await expectFair(page, 'who waits for the role', { dark: true });
  // A role that was removed by hand isn't restored by signing in anew.
  await forgetSession(page);
  await signIn(page, chief);
  await page.goto('/admin/settings');
  // Until the page comes anew, the one before says the same.
  const anew = page.waitForEvent('load');
  await main.getByRole('button', { name: 'Refresh Page' }).click();
  await anew;
  await expect(main).toContainText('Current role: client');
  await setRole('super_admin');
  await main.getByRole('button', { name: 'Refresh Page' }).click();
  await expect(main.getByRole('navigation', { name: 'Parts of the portal' })).toBeVisible();
});
