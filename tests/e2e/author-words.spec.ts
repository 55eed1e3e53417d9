import { call, expect, forgetSession, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';

test(
  'opens a journal after a reset by email only with the recovery key',
  { tag: '@long' },
  async ({ page, expectNoise, product }) => {
    expectNoise(/status of (401|412)/);
    const address = someone('author');
    await signIn(page, address);
    await page.goto('/growth?tab=journal');
    await page.getByLabel('What’s on your heart?').fill('Only for me.');
    await page.getByRole('button', { name: 'Save entry' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Only for me.' });
    await expect(entry).toBeVisible();
    await reauthenticate(page);
    await page.goto('/profile?tab=settings');
    await page.getByRole('button', { name: 'Create recovery key' }).click();
    const recoveryKey = await page
      .getByRole('dialog', { name: 'Recovery key' })
      .getByText(/^(?:\w{4}-){7}\w{4}$/)
      .innerText();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await forgetSession(page);

    await call(page, '/api/auth/request-password-reset', { email: address });
    const link = /\/reset-password\?\S+#\S+/;
    await expect
      .poll(async () => (await mailsTo(product, address)).some(({ text }) => link.test(text)))
      .toBe(true);
    const mail = (await mailsTo(product, address)).find(({ text }) => link.test(text))!;
    await page.goto(link.exec(mail.text)![0]);
    await expect(page.getByText(/will stay locked until you enter it/)).toBeVisible();
    await page.getByLabel('New Password').fill('a-better-one-46');
    await page.getByRole('button', { name: 'Save and Sign In' }).click();
    await expect(page).toHaveURL('/home');

    await page.goto('/growth?tab=journal');
    const locked = page.getByRole('region', { name: 'Your journal is locked' });
    await expect(locked).toBeVisible();
    await expect(entry).not.toBeVisible();
    expect(await (await page.request.get('/growth?tab=journal')).text()).not.toContain('Only for me.');
    await locked.getByRole('button', { name: 'Use recovery key' }).click();
    await locked.getByLabel('Recovery key').fill(recoveryKey.toLowerCase());
    await locked.getByLabel('Current password').fill('a-better-one-46');
    await locked.getByRole('button', { name: 'Unlock' }).click();
    await expect(entry).toBeVisible();

    // The new password opens it from now on.
    await forgetSession(page);
    await call(page, '/api/auth/sign-in/email', { email: address, password: 'a-better-one-46' });
    await page.goto('/growth?tab=journal');
    await expect(entry).toBeVisible();
  },
);
