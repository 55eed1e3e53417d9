import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, toast } from './support/booking.ts';
import { expect, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ reducedMotion: 'reduce' });

/** The path of the invitation that was mailed to an address; waits until it is written. */
async function invitationFor(product: Product, email: string): Promise<string> {
  let path = '';
  await expect(async () => {
    const [mail] = await mailsTo(product, email);
    path = /\/client-invitation#[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(path).not.toBe('');
  }).toPass();
  return path;
}

test('a specialist books for a caller, who follows the invitation and has the session in their account', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/status of (404|429)/);
  const specialist = await becomeSpecialist(page, product, { name: 'Dr. Ada Winter' });
  const email = someone('caller');
  await page.goto('/schedule');
  await page.getByRole('button', { name: 'Book for a client', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Book for a client' });
  const book = dialog.getByRole('button', { name: 'Book session' });
  await dialog.getByRole('radio', { name: 'New person' }).check();
  await book.click();
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill('Ruth Lane');
  await expect(dialog.getByText('Enter an email address or a phone number.')).toBeVisible();
  await expectFair(page, 'booking for somebody new', { dialog, dark: true });
  await dialog.getByLabel('Email').fill(specialist.email);
  await dialog.getByLabel('Service').selectOption('individuals');
  await dialog.getByRole('radio', { name: 'Online Video Call' }).check();
  await dialog.getByRole('switch', { name: /Outside my hours/ }).check();
  const tomorrow = Temporal.Now.plainDateISO().add({ days: 2 }).toString();
  await dialog.getByLabel('Date').fill(tomorrow);
  await dialog.getByLabel('Time', { exact: true }).fill('10:00');
  expectNoise(/status of 400/);
  await book.click();
  await expect(dialog.getByText('This is your own email address.')).toBeVisible();
  await dialog.getByLabel('Email').fill(email);
  await book.click();
  await expect(toast(page, 'Booked for Ruth Lane.')).toBeVisible();

  // Until the invitation is accepted the specialist can correct what they entered.
  await page.goto('/clients');
  await page.getByRole('link', { name: /Ruth Lane/ }).click();
  await expect(page.getByText('No account yet')).toBeVisible();
  // Nobody is a client since a day to come.
  await expect(page.getByText(/^First session /)).toBeVisible();
  await expect(page.getByText(/^Since /)).toHaveCount(0);
  await expect(page.getByText(/hasn’t created an account yet/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /message/i })).toHaveCount(0);
  await expectFair(page, 'a client without an account', { dark: true });
  await page.getByRole('button', { name: 'Edit details' }).click();
  const details = page.getByRole('dialog', { name: 'Contact details' });
  await details.getByLabel('Phone').fill('+1 617 555 0100');
  await details.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByRole('link', { name: '+1 617 555 0100' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('alert').getByText(/Wait 10 minutes/)).toBeVisible();

  const theirs = await open();
  await theirs.goto(await invitationFor(product, email));
  await expect(
    theirs.getByRole('heading', { level: 1, name: 'Dr. Ada Winter booked a session for you' }),
  ).toBeVisible();
  await expectFair(theirs, 'the invitation of a caller', { dark: true });
  await theirs.getByRole('button', { name: 'Accept invitation' }).click();
  await expect(theirs).toHaveURL(`${product.url}/home`);
  await expect(theirs.getByRole('article').filter({ hasText: 'Dr. Ada Winter' })).toBeVisible();
  await theirs.goto('/profile?tab=sessions');
  await expect(theirs.getByText('Dr. Ada Winter').first()).toBeVisible();

  // The specialist sees at once that the client has an account now.
  await expect(page.getByText('No account yet')).toHaveCount(0);
  const late = await open();
  await late.goto(await invitationFor(product, email));
  await expect(late.getByRole('heading', { level: 1, name: 'This link no longer works' })).toBeVisible();
});

test('whoever wants no emails stops them by the link, and the specialist sees it', async ({
  page,
  open,
  product,
}) => {
  await becomeSpecialist(page, product, { name: 'Dr. Ada Winter' });
  const email = someone('stranger');
  const answer = await page.request.post('/api/bookings/for-new-client', {
    data: {
      idempotencyKey: crypto.randomUUID(),
      serviceId: 'individuals',
      startsAt: Temporal.Now.zonedDateTimeISO('UTC').add({ days: 3 }).round('hour').toInstant().toString(),
      durationMinutes: 60,
      sessionType: 'online',
      outsideHours: true,
      client: { name: 'Boaz Field', email },
    },
    headers: { origin: product.url },
  });
  expect(answer.status()).toBe(201);
  const { clientId } = (await answer.json()) as { clientId: string };
  const theirs = await open();
  await theirs.goto(await invitationFor(product, email));
  await theirs.getByRole('button', { name: 'Stop these emails' }).click();
  const asked = theirs.getByRole('alertdialog', { name: 'Stop these emails?' });
  await asked.getByRole('button', { name: 'Stop these emails' }).click();
  await expect(theirs.getByRole('heading', { level: 1, name: 'No more emails' })).toBeVisible();
  await page.goto(`/clients/${clientId}`);
  await expect(page.getByText(/asked for no more emails/)).toBeVisible();
  await expect(page.getByRole('button', { name: /Send/ })).toHaveCount(0);
});
