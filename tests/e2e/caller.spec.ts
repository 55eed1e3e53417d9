import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, toast } from './support/booking.ts';
import { expect, someone, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';

async function invitationFor(product: Product, email: string): Promise<string> {
  let path = '';
  await expect(async () => {
    const [mail] = await mailsTo(product, email);
    path = /\/client-invitation#[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(path).not.toBe('');
  }).toPass();
  return path;
}

test(
  'books for a caller, who accepts the invitation and finds the session in their account',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    expectNoise(/status of 404/);
    await becomeSpecialist(page, product, { name: 'Dr. Ada Winter' });
    const email = someone('caller');
    await page.goto('/schedule');
    await page.getByRole('button', { name: 'Book for a client', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Book for a client' });
    await dialog.getByRole('radio', { name: 'New client' }).check();
    await dialog.getByLabel('Name').fill('Ruth Lane');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Service').selectOption('individuals');
    await dialog.getByRole('radio', { name: 'Online Video Call' }).check();
    await dialog.getByRole('switch', { name: /Outside my hours/ }).check();
    const tomorrow = Temporal.Now.plainDateISO().add({ days: 2 }).toString();
    await dialog.getByLabel('Date').fill(tomorrow);
    await dialog.getByLabel('Time', { exact: true }).fill('10:00');
    await dialog.getByRole('button', { name: 'Book session' }).click();
    await expect(toast(page, 'Session booked for Ruth Lane')).toBeVisible();

    // The specialist can edit contact details until the client accepts.
    await page.goto('/clients');
    await page.getByRole('link', { name: /Ruth Lane/ }).click();
    await expect(page.getByText('No account yet')).toBeVisible();
    await page.getByRole('button', { name: 'Edit details' }).click();
    const details = page.getByRole('dialog', { name: 'Contact details' });
    await details.getByLabel('Phone').fill('+1 617 555 0100');
    await details.getByRole('button', { name: 'Save details' }).click();
    await expect(page.getByRole('link', { name: '+1 617 555 0100' }).first()).toBeVisible();

    const theirs = await open();
    await theirs.goto(await invitationFor(product, email));
    await expect(
      theirs.getByRole('heading', { level: 1, name: 'Dr. Ada Winter booked a session for you' }),
    ).toBeVisible();
    await theirs.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(theirs).toHaveURL(`${product.url}/home`);
    await expect(theirs.getByRole('article').filter({ hasText: 'Dr. Ada Winter' })).toBeVisible();

    await expect(page.getByText('No account yet')).toHaveCount(0);
    const late = await open();
    await late.goto(await invitationFor(product, email));
    await expect(late.getByRole('heading', { level: 1, name: 'This link no longer works' })).toBeVisible();
  },
);
