import {
  becomeSpecialist,
  bookDirectly,
  offeredTimes,
  storedAppointments,
  toast,
} from './support/booking.ts';
import { expect, reauthenticate, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

test(
  'reassigns one session and cancels another when suspending a specialist',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const colleague = await becomeSpecialist(await open(), product, { name: 'Dr. Boaz Field' });
    const leaving = await becomeSpecialist(await open(), product, { name: 'Dr. Ada Winter' });
    const client = await open();
    const email = await becomeClient(client, product);
    const times = await offeredTimes(client, product, leaving);
    const later = times.find((time) => time.slice(0, 10) > times[0]!.slice(0, 10))!;
    const [first, second] = [times[0]!, later].map((time) => new Date(time).toISOString()) as [
      string,
      string,
    ];
    await bookDirectly(client, leaving, first);
    await bookDirectly(client, leaving, second);

    await becomeAdministrator(page, product);
    await reauthenticate(page);
    await page.goto('/admin/settings?tab=users');
    await page.getByRole('main').getByLabel('Search users').fill(leaving.email);
    await expect(page.getByText('Users found: 1', { exact: true })).toBeVisible();
    await page.getByRole('table').getByRole('link').click();
    await page.getByRole('main').getByRole('button', { name: 'Suspend', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText('What happens to their upcoming sessions? (2)')).toBeVisible();
    await dialog.getByRole('radio', { name: /^Cancel all/ }).check();
    const each = dialog.getByRole('combobox', { name: /^Person|, / });
    await expect(each).toHaveCount(2);
    await each.first().selectOption({ label: 'Reassign to Dr. Boaz Field' });
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await expect(toast(page, 'User Suspended')).toBeVisible();

    await expect
      .poll(() => storedAppointments(product, { client: email, specialist: leaving.email }))
      .toMatchObject([
        { startsAt: first, status: 'cancelled' },
        { startsAt: second, status: 'cancelled' },
      ]);
    await expect
      .poll(() => storedAppointments(product, { client: email, specialist: colleague.email }))
      .toMatchObject([{ startsAt: first, status: 'confirmed' }]);
    const textWith = async (words: string) =>
      (await mailsTo(product, email)).find(({ text }) => text.includes(words))?.text ?? '';
    await expect
      .poll(() => textWith('Another specialist will meet you at the same time'))
      .toContain('same price');
    await expect.poll(() => textWith('so we had to cancel')).toContain('/therapists');
    await client.goto('/home');
    await expect(client.getByText('Dr. Boaz Field').first()).toBeVisible();
  },
);
