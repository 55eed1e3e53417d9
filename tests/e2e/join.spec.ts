import type { Page } from '@playwright/test';
import { pdf } from '../support/bytes.ts';
import { bookingDialog, openBooking, toast } from './support/booking.ts';
import { expect, password, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { becomeAdministrator } from './support/people.ts';

async function apply(page: Page, name: string): Promise<void> {
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Phone').fill('+1 555 010 0199');
  await page.getByRole('radio', { name: 'Doctor/Therapist' }).check();
  await page.getByLabel('Specialization').fill('Grief, Trauma');
  await page.getByLabel('Experience').fill('12 years');
  await page.getByLabel('Location').fill('Boston, MA');
  await page.getByLabel('Issued by').fill('Board of Psychology');
  await page.getByLabel('Valid in').fill('Massachusetts');
  await page.getByLabel('Number', { exact: true }).fill('PSY 4711');
  await page.getByRole('checkbox', { name: 'Individual Healing' }).check();
  await page.getByRole('checkbox', { name: 'English' }).check();
  await page.getByLabel('About you').fill('I listen first, and then we look together.');
  await page
    .getByLabel('Add a document')
    .setInputFiles({ name: 'license.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf()) });
  await expect(page.getByText('license.pdf has been added')).toBeVisible();
  await page.getByRole('button', { name: 'Send application' }).click();
  await expect(page.getByRole('heading', { name: 'Your application is under review' })).toBeVisible();
}

test(
  'takes an application through rejection with a reason, approval and first bookings',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const email = someone('applicant');
    await page.goto('/join');
    await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click();
    const prompt = page.getByRole('dialog', { name: "You're almost there!" });
    await prompt.getByLabel('Email').fill(email);
    await prompt.getByLabel('Password', { exact: true }).fill(password);
    await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
    const name = `Naomi ${Date.now().toString(36)}`;
    await apply(page, name);

    const admin = await open();
    await becomeAdministrator(admin, product);
    await reauthenticate(admin);
    await admin.goto('/home');
    const waiting = admin
      .getByRole('region', { name: 'Pending Provider Approvals' })
      .getByRole('listitem')
      .filter({ hasText: name });
    await expect(waiting.getByRole('button', { name: 'Approve' })).toBeVisible();
    await expect(waiting.getByRole('link', { name: 'View' })).toHaveAttribute(
      'href',
      /^\/admin\/applications\/[\da-f-]{36}$/,
    );
    await waiting.getByRole('button', { name: 'Reject' }).click();
    const asked = admin.getByRole('alertdialog');
    await asked.getByLabel('Reason').fill('The board doesn’t know this number.');
    await asked.getByRole('button', { name: 'Reject' }).click();
    await expect(toast(admin, 'Provider Rejected')).toBeVisible();
    await expect(waiting).toBeHidden();
    await expect(page.getByText('Reason: The board doesn’t know this number.')).toBeVisible();
    await page.getByRole('button', { name: 'Apply again' }).click();
    await apply(page, name);
    await expect(waiting).toBeVisible();

    const path = await page.getByRole('link', { name: 'license.pdf' }).getAttribute('href');
    const guest = await open();
    await signIn(guest, someone('books'));
    expect((await guest.request.get(product.url + path!)).status()).toBe(404);
    await admin.goto('/admin/settings?tab=providers');
    const entry = admin.getByRole('article', { name: `${name}’s application` });
    for (const shown of [email, 'Doctor/Therapist', 'Grief, Trauma', '12 years', 'PSY 4711', 'Pending'])
      await expect(entry).toContainText(shown);
    const link = await entry.getByRole('link', { name: 'license.pdf' }).getAttribute('href');
    const document = await admin.request.get(product.url + link!);
    expect(document.headers()).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
    });
    await entry.getByRole('button', { name: 'Approve' }).click();
    await expect(asked.getByText('You opened it on')).toBeVisible();
    await asked.getByRole('button', { name: 'Approve' }).click();
    await expect(toast(admin, 'Provider Approved')).toBeVisible();
    await expect(entry).toBeHidden();

    await expect(page.getByRole('heading', { name: 'You’re already a provider' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to your practice' }).click();
    await expect(page.getByLabel('Title')).toHaveValue('Licensed clinician');
    const [provider] = await product.query<{ id: string; slug: string }>(
      `select p.id, slug from providers p join users u on u.id = p.id where u.email = $1`,
      [email],
    );
    await guest.goto(`/therapists/${provider!.slug}`);
    await expect(guest.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(guest.getByText('Board of Psychology')).toBeVisible();
    await openBooking(guest, provider!);
    await expect(bookingDialog(guest)).toContainText(name);
  },
);
