import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const signIn = 'POST /api/auth/sign-in/email';
const main = page.getByRole('main');
const title = main.getByRole('heading', { level: 1 });
const email = main.getByLabelText('Email');
const password = main.getByLabelText('Password', { exact: true });
const submit = main.getByRole('button', { name: 'Sign In', exact: true });
const refused = page.getByRole('listitem').filter({ hasText: 'Authentication Failed' });

test('says who the portal is for, and is accessible', async () => {
  await openPage('/admin/settings');
  await expect
    .element(main)
    .toMatchTextContent(
      'restricted to authorized administrators only. All access attempts are logged and monitored.',
    );
  await expectFair('the portal’s sign-in');
});

test('focuses the missing field, and toggles the password by keyboard', async () => {
  await openPage('/adminsettings');
  await submit.click();
  await expect.element(email).toHaveFocus();
  await expect.element(email).toHaveAttribute('aria-invalid', 'true');
  expect(askedFor(signIn)).toEqual([]);
  await password.fill('not-the-password');
  await expect.element(password).toHaveAttribute('type', 'password');
  main.getByRole('button', { name: 'Show password' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(password).toHaveAttribute('type', 'text');
  await userEvent.keyboard('{Enter}');
  await expect.element(password).toHaveAttribute('type', 'password');
});

test('rejects a wrong password, keeps the input, and clears the error on the next attempt', async () => {
  await openPage('/admin/settings', {
    answers: { [signIn]: refusal(401, 'unauthenticated', 'wrong_credentials') },
  });
  await email.fill('admin@italk.example');
  await password.fill('wrong');
  await submit.click();
  await expect
    .element(refused)
    .toMatchTextContent('Invalid credentials. Please check your email and password.');
  await expect.element(email).toHaveValue('admin@italk.example');
  await expect.element(password).toHaveValue('wrong');
  const { promise: held, resolve: letIn } = Promise.withResolvers<void>();
  answer({
    [signIn]: async () => {
      await held;
      answer(recordedFor('admin'));
      return { signedIn: true };
    },
  });
  await password.fill('right');
  await submit.click();
  await expect.element(main.getByRole('button', { name: 'Authenticating...' })).toBeDisabled();
  letIn();
  await expect
    .element(page.getByRole('listitem').filter({ hasText: 'Welcome to iTalk Admin' }))
    .toMatchTextContent('Successfully logged in to the admin dashboard.');
  // The success toast would eventually disappear by itself.
  await expect.element(refused).not.toBeInTheDocument();
});

test('denies an address that isn’t an administrator’s, and masks it', async () => {
  await openPage('/admin/settings', { as: 'client' });
  await expect.element(title).toHaveTextContent('Access Denied');
  await expect.element(main).toMatchTextContent('cl***');
  await expect.element(main).toMatchTextContent('Access level: Unauthorized');
  await expect.element(main).not.toMatchTextContent('client@');
  await expectFair('the portal for other people');
});

for (const [role, said] of [
  ['client', 'Current role: Client'],
  [null, 'Being assigned...'],
] as const)
  test(`waits for the role of an administrator’s address: ${said}`, async () => {
    await openPage('/admin/settings', {
      as: 'client',
      answers: { 'administration.portal': { state: 'waiting', address: 'ch***', role } },
    });
    await expect.element(title).toHaveTextContent('Setting up your admin access...');
    await expect.element(main).toMatchTextContent(said);
    await expect.element(main.getByRole('button', { name: 'Refresh Page' })).toBeEnabled();
    await expectFair('the portal before the role is there');
  });

for (const path of ['/admin/settings', '/adminsettings'])
  test(`shows an administrator the portal’s sections at ${path}`, async () => {
    await openPage(path, { as: 'admin' });
    const parts = main.getByRole('navigation', { name: 'Portal sections' }).getByRole('link');
    await expect
      .poll(() => parts.elements().map(({ textContent }) => textContent))
      .toEqual([
        'Overview',
        'User Management',
        'Provider Approval',
        'Service Management',
        'Feature Flags',
        'Site Settings',
        'Audit Logs',
      ]);
    await expect.element(parts.first()).toHaveAttribute('aria-current', 'page');
    const header = page.getByRole('banner');
    for (const [name, href] of [
      ['Back to Home', '/home'],
      ['Admin Dashboard', '/admin/settings'],
    ] as const)
      await expect.element(header.getByRole('link', { name })).toHaveAttribute('href', href);
    await expect.element(header.getByRole('button', { name: 'Logout' })).toBeVisible();
  });
