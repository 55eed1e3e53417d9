import type { Page } from '@playwright/test';
import { confirm, confirmedDialog, fill, openBooking, toast } from './support/booking.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';
import { becomeFamilySpecialist, invitationPath } from './support/guests.ts';

const invited = (page: Page) => page.getByRole('region', { name: 'Sessions you’re invited to' });
const guestDialog = (page: Page) => page.getByRole('dialog', { name: 'Guests' });
const agree = (page: Page) =>
  page.getByRole('checkbox', { name: /keep what’s said in this session confidential/ });

test(
  'updates everyone at once as an invited guest signs up, agrees, accepts and cancels',
  { tag: '@long' },
  async ({ page: client, open, product }) => {
    const doctor = await open();
    const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Vera Halloway');
    await signIn(client, someone('ruth'));
    const booking = await openBooking(client, specialist, 'couples');
    // The first time could fall inside the lead time before it's confirmed.
    await fill(booking, { monthsOn: 1 });
    await confirm(booking);
    const confirmed = confirmedDialog(client);
    await expect(confirmed.getByRole('heading', { name: 'Who else is coming?' })).toBeVisible();
    await confirmed.getByRole('button', { name: 'Invite others' }).click();
    const dialog = guestDialog(client);
    await expect(dialog.getByText('No one is invited yet.')).toBeVisible();

    const box = agree(client);
    await dialog.getByLabel('Name').fill('Boaz');
    const address = someone('boaz');
    await dialog.getByLabel('Email address').fill(address);
    await box.check();
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await expect(toast(client, 'Invitation sent')).toBeVisible();
    const row = dialog.getByRole('listitem').filter({ hasText: 'Boaz' });
    await expect(row.getByText('Invited', { exact: true })).toBeVisible();
    await expect(box).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await confirmed.getByRole('button', { name: 'Done' }).click();
    await client.goto('/home');
    await expect(client.getByText('Boaz (Invited)')).toBeVisible();

    const guest = await open({ timezoneId: 'Europe/Vienna' });
    const answer = await guest.goto(await invitationPath(product, address));
    // The link alone can answer, so referrers and browser caches must not keep it.
    expect(answer!.headers()).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    await expect(guest.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText(/^\w+ invited you to a session$/);
    await expect(guest.getByText('(Vienna time)')).toBeVisible();

    await guest.getByRole('button', { name: 'Sign in to accept' }).click();
    const prompt = guest.getByRole('dialog', { name: "You're almost there!" });
    await prompt.getByRole('button', { name: 'Sign Up' }).click();
    await prompt.getByLabel('Full Name').fill('Boaz Amsel');
    await prompt.getByLabel('Email').fill(someone('own'));
    await prompt.getByLabel('Password', { exact: true }).fill(password);
    await prompt
      .getByRole('button', { name: /^(Sign Up|Create Account)$/ })
      .last()
      .click();
    await expect(guest.getByLabel('Your name, as others will see it')).toHaveValue('Boaz Amsel');
    await expect(agree(guest)).not.toBeChecked();
    await agree(guest).check();
    await guest.getByRole('button', { name: 'Accept invitation' }).click();
    await expect(guest.getByRole('heading', { level: 1, name: 'You’re all set' })).toBeFocused();

    await expect(client.getByText('Boaz Amsel (Coming)')).toBeVisible();
    await expect(client.getByText(address)).toHaveCount(0);

    await guest.getByRole('link', { name: 'Go to home page', exact: true }).click();
    const card = invited(guest).getByRole('article', { name: 'Session with Dr. Vera Halloway' });
    await expect(card).toBeVisible();
    await card.getByRole('link', { name: /^Open the session/ }).click();
    await expect(guest).toHaveURL(/\/session\//);

    const [stored] = await product.query<{ day: string; name: string }>(
      `select local_date::text as day, contact_name as name from appointments where provider_id = $1`,
      [specialist.id],
    );
    await doctor.goto(`/schedule?view=day&date=${stored!.day}`);
    await doctor
      .getByRole('button', { name: new RegExp(stored!.name) })
      .first()
      .click();
    const session = doctor.getByRole('dialog', { name: `Session with ${stored!.name}` });
    await expect(session.getByText('Boaz Amsel (Coming)')).toBeVisible();
    await expect(session.getByText(address)).toHaveCount(0);

    await guest.goto('/home');
    await invited(guest).getByRole('button', { name: 'I can’t come' }).click();
    await guest.getByRole('alertdialog').getByRole('button', { name: 'I’m not coming' }).click();
    await expect(toast(guest, 'You’re no longer attending')).toBeVisible();
    await expect(invited(guest)).toHaveCount(0);
    await expect(client.getByText('Boaz Amsel (Coming)')).toHaveCount(0);
  },
);
