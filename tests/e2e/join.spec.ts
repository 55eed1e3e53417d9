import type { Page } from '@playwright/test';
import { pdf, png } from '../support/bytes.ts';
import { bookingDialog, openBooking } from './support/booking.ts';
import {
  expect,
  forgetSession,
  password,
  reauthenticate,
  signIn,
  someone,
  test,
} from './support/fixtures.ts';
import { desktop, expectFair, expectNoViolation, phone } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

/** Fills in all that the form asks for, but the documents. */
async function fillIn(page: Page, { name, specialization }: { name: string; specialization: string }) {
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Phone').fill('+1 555 010 0199');
  await page.getByRole('radio', { name: 'Doctor/Therapist' }).check();
  await page.getByLabel('Specialization').fill(specialization);
  await page.getByLabel('Experience').fill('12 years');
  await page.getByLabel('Location').fill('Boston, MA');
  await page.getByLabel('Issued by').fill('Board of Psychology');
  await page.getByLabel('Where it holds').fill('Massachusetts');
  await page.getByLabel('Number', { exact: true }).fill('PSY 4711');
  await page.getByRole('checkbox', { name: 'Individual Healing' }).check();
  await page.getByRole('checkbox', { name: 'English' }).check();
  await page.getByLabel('About you').fill('I listen first, and then we look together.');
}

const attach = (page: Page, name: string, bytes: Uint8Array) =>
  page
    .getByLabel('Add a document')
    .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) });

test('a guest reads how to join, and comes back to the form signed in', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Join as a provider' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Join as a provider' })).toBeVisible();
  await expectFair(page, 'joining as a guest');
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(someone('joins'));
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByLabel('Specialization')).toBeVisible();
});

test('a person applies with documents, is approved in the portal, stands in the directory and can be booked', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of (400|404)/);
  const email = someone('applicant');
  await signIn(page, email);
  await page.goto('/join');
  await page.getByRole('button', { name: 'Send application' }).click();
  // What is missing is said, and the first of it is focused.
  await expect(page.getByText('Please add at least one document.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Doctor/Therapist' })).toBeFocused();
  const name = `Naomi ${Date.now().toString(36)}`;
  await fillIn(page, { name, specialization: 'Grief, Trauma' });
  await attach(page, 'licence.pdf', new TextEncoder().encode('<!doctype html><script>1</script>'));
  await expect(page.getByText('This isn’t a PDF, JPEG or PNG.')).toBeVisible();
  await attach(page, 'licence.pdf', pdf());
  await expect(page.getByText('licence.pdf has been added')).toBeVisible();
  await attach(page, 'diploma.png', png);
  await expect(page.getByText('diploma.png has been added')).toBeVisible();
  await page.getByRole('button', { name: 'Remove diploma.png' }).click();
  await expect(page.getByRole('link', { name: 'diploma.png' })).toBeHidden();
  await expectFair(page, 'the application');
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect(page.getByRole('heading', { name: 'Your application is being looked at' })).toBeVisible();
  await expectFair(page, 'an application that waits');
  const path = await page.getByRole('link', { name: 'licence.pdf' }).getAttribute('href');

  const stranger = await open();
  await signIn(stranger, someone('stranger'));
  expect((await stranger.request.get(product.url + path!)).status()).toBe(404);

  const admin = await open();
  await signIn(admin, 'admin');
  await reauthenticate(admin);
  await admin.goto(`${product.url}/admin/settings?tab=providers`);
  const entry = admin.getByRole('article', { name: `the application of ${name}` });
  for (const shown of [email, 'Doctor/Therapist', 'Grief, Trauma', '12 years', 'PSY 4711', 'Pending'])
    await expect(entry).toContainText(shown);
  await entry.getByRole('button', { name: 'Approve' }).click();
  const asked = admin.getByRole('alertdialog');
  await expect(asked.getByText('You haven’t opened it yet')).toBeVisible();
  await asked.getByRole('button', { name: 'Approve' }).click();
  await expect(asked.getByText('Open every document first')).toBeVisible();
  await expectFair(admin, 'approving an application', { dialog: asked });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  const document = await admin.request.get(
    product.url + (await entry.getByRole('link', { name: 'licence.pdf' }).getAttribute('href'))!,
  );
  expect(document.headers()['content-type']).toBe('application/pdf');
  expect(document.headers()['cache-control']).toBe('private, no-store');
  for (const size of [phone, desktop]) {
    await admin.setViewportSize(size);
    await expectNoViolation(admin, `the applications at ${size.width} px`);
  }
  await entry.getByRole('button', { name: 'Approve' }).click();
  await expect(asked.getByText('You opened it on')).toBeVisible();
  await asked.getByRole('button', { name: 'Approve' }).click();
  await expect(admin.getByText('Provider Approved', { exact: true })).toBeVisible();
  await expect(
    admin.getByText('The provider has been approved and can now access the platform.', { exact: true }),
  ).toBeVisible();
  await expect(entry).toBeHidden();
  await admin.getByRole('tab', { name: /^Approved/ }).click();
  await expect(entry).toBeVisible();
  await expect(entry.getByRole('button', { name: /^Revoke approval/ })).toBeVisible();

  // The applicant's open page hears of it by itself.
  await expect(page.getByRole('heading', { name: 'You are a specialist of this site' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to your practice' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Licensed clinician');
  const mail = async () =>
    (await mailsTo(product, email)).filter(({ subject }) => subject === 'Your application');
  await expect.poll(async () => (await mail())[0]?.text ?? '').toContain('Your application is approved');

  const guest = await open();
  const [provider] = await product.query<{ id: string; slug: string }>(
    `select p.id, slug from providers p join users u on u.id = p.id where u.email = $1`,
    [email],
  );
  await guest.goto(`${product.url}/therapists/${provider!.slug}`);
  await expect(guest.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(guest.getByText('Board of Psychology')).toBeVisible();
  await signIn(guest, someone('books'));
  await expect
    .poll(
      async () =>
        (await product.query('select 1 from weekly_hours where provider_id = $1', [provider!.id])).length,
    )
    .toBe(12);
  await openBooking(guest, provider!);
  await expect(bookingDialog(guest)).toContainText(name);
});

test('an application is rejected with a reason, which its applicant reads, who applies again; or is taken back', async ({
  page,
  open,
  product,
}) => {
  await signIn(page, someone('rejected'));
  await page.goto('/join');
  const name = `Jonas ${Date.now().toString(36)}`;
  await fillIn(page, { name, specialization: 'Youth' });
  await attach(page, 'licence.pdf', pdf());
  await expect(page.getByText('licence.pdf has been added')).toBeVisible();
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect(page.getByRole('heading', { name: 'Your application is being looked at' })).toBeVisible();

  const admin = await open();
  await signIn(admin, 'admin');
  await admin.goto(`${product.url}/home`);
  const waiting = admin.getByRole('region', { name: 'Pending Provider Approvals' });
  const entry = waiting.getByRole('listitem').filter({ hasText: name });
  await expect(entry.getByRole('link', { name: 'View' })).toHaveAttribute(
    'href',
    '/admin/settings?tab=providers',
  );
  await entry.getByRole('button', { name: 'Reject' }).click();
  const dialog = admin.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByText('Please give a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The board doesn’t know this number.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(admin.getByText('Provider Rejected', { exact: true })).toBeVisible();
  await expect(admin.getByText('The provider application has been rejected.', { exact: true })).toBeVisible();
  await expect(entry).toBeHidden();

  await expect(page.getByText('Reason: The board doesn’t know this number.')).toBeVisible();
  await expectFair(page, 'an application that was rejected');
  await page.getByRole('button', { name: 'Apply again' }).click();
  await fillIn(page, { name, specialization: 'Youth' });
  await attach(page, 'licence.pdf', pdf());
  await expect(page.getByText('licence.pdf has been added')).toBeVisible();
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect(entry).toBeVisible();
  await page.getByRole('button', { name: 'Take back the application' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take back the application' }).click();
  await expect(page.getByText('Your application has been taken back', { exact: true })).toBeVisible();
  await expect(entry).toBeHidden();
});

test('whoever serves already has nothing to apply for', async ({ page }) => {
  await signIn(page, 'doctor');
  await page.goto('/join');
  await expect(page.getByRole('link', { name: 'Go to your practice' })).toHaveAttribute('href', '/practice');
  await forgetSession(page);
  await signIn(page, 'admin');
  await page.goto('/join');
  await expect(page.getByRole('heading', { name: 'This account can’t apply' })).toBeVisible();
});
