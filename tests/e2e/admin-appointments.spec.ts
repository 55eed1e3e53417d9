import {
  becomeSpecialist,
  bookDirectly,
  offeredTimes,
  openDays,
  openTimes,
  storedAppointments,
  toast,
} from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

test(
  'finds, moves and cancels a session, showing and emailing both people why',
  { tag: '@long' },
  async ({ page, product, open }) => {
    const [client, provider] = [await open(), await open()];
    const specialist = await becomeSpecialist(provider, product, { name: 'Dr. Quillon Moved' });
    const email = await becomeClient(client, product, 'Ruth Moved');
    const [, start] = await offeredTimes(client, product, specialist);
    await bookDirectly(client, specialist, start!);
    const mailed = (subject: RegExp) => async () => {
      const mails = await Promise.all([email, specialist.email].map((to) => mailsTo(product, to)));
      return mails.map((sent) =>
        sent.some(
          (one) => subject.test(one.subject) && one.text.includes('An administrator made this change'),
        ),
      );
    };

    await becomeAdministrator(page, product);
    await page.goto('/home');
    await page.getByRole('link', { name: /^Appointments/ }).click();
    await expect(page).toHaveURL('/admin/appointments');
    const rows = page.getByRole('table').getByRole('row');
    const row = rows.filter({ hasText: email });
    await page.getByLabel('Name, email, or appointment ID').fill(email);
    await expect(rows).toHaveCount(2);
    await expect(row).toBeVisible();
    // The name entered in the booking stays private to the client.
    await expect(page.getByText('Somebody Else')).toHaveCount(0);

    await row.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/admin\/appointments\/[\da-f-]{36}$/);
    await page.getByRole('button', { name: 'Reschedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reschedule' });
    await openDays(dialog);
    // Late in a month, the only remaining time may be the session's own.
    await dialog.getByRole('button', { name: 'Next month' }).click();
    await (await openDays(dialog)).last().click();
    const time = (await openTimes(dialog)).last();
    await time.check();
    const chosen = (await time.getAttribute('value'))!;
    await dialog.getByLabel('Reason').fill('The specialist is at a funeral.');
    await dialog.getByRole('button', { name: 'Reschedule appointment' }).click();
    await expect(toast(page, 'Appointment rescheduled')).toBeVisible();
    expect((await storedAppointments(product, { client: email })).map(({ startsAt }) => startsAt)).toEqual([
      new Date(chosen).toISOString(),
    ]);
    await client.goto(`${product.url}/home`);
    await expect(
      client.getByText('Rescheduled by an administrator: The specialist is at a funeral.'),
    ).toBeVisible();
    await expect.poll(mailed(/session rescheduled/)).toEqual([true, true]);

    await page.getByRole('main').getByRole('button', { name: 'Cancel appointment' }).click();
    const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
    await question.getByLabel('Reason').fill('The house is closed.');
    await question.getByRole('button', { name: 'Cancel appointment' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Canceled');
    await client.goto(`${product.url}/profile?tab=sessions`);
    await expect(client.getByText('Canceled by an administrator: The house is closed.')).toBeVisible();
    await expect.poll(mailed(/session cancel/)).toEqual([true, true]);
  },
);
