import type { Page } from '@playwright/test';
import { becomeSpecialist, bookDirectly, moveInDatabase, offeredTimes, toast } from './support/booking.ts';
import { call, expect, test } from './support/fixtures.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

const said = 'I was heard, and I slept again.';

async function guestReads(guest: Page, id: string) {
  await guest.goto(`/therapists/specialist-${id}`);
  const review = guest.getByRole('listitem').filter({ hasText: said });
  await expect(review).toBeVisible();
  return review;
}

test(
  'shows a specialist’s reply to guests from approval until withdrawal',
  { tag: '@long' },
  async ({ page, product, open }) => {
    const name = 'Dr. Lois Amaro';
    const specialist = await becomeSpecialist(page, product, { name });
    const [client, admin, guest] = [await open(), await open(), await open({ baseURL: product.url })];
    await becomeClient(client, product);
    const [start] = await offeredTimes(client, product, specialist);
    const id = await bookDirectly(client, specialist, start!);
    await moveInDatabase(product, id, new Date(Date.now() - 24 * 3_600_000));
    await call(page, `/api/appointments/${id}/complete`, {});
    await call(client, `/api/appointments/${id}/review`, { rating: 5, text: said, named: 'anonymous' });
    await becomeAdministrator(admin, product);
    await admin.goto(`${product.url}/admin/moderation`);
    const waiting = admin.getByRole('article', { name: `A client’s review of ${name}` });
    await waiting.getByRole('button', { name: /^Approve A client’s/ }).click();
    await expect(waiting).toHaveCount(0);

    await page.goto('/home');
    await page
      .getByRole('navigation', { name: 'Your tools' })
      .getByRole('link', { name: 'Your reviews' })
      .click();
    await expect(page).toHaveURL('/reviews');
    const review = page.getByRole('listitem').filter({ hasText: said });
    await review.getByRole('button', { name: /^Reply/ }).click();
    await review.getByLabel('Your reply').fill('Thank you. Peace be with you.');
    await review.getByRole('button', { name: 'Send for approval' }).click();
    await expect(review.getByText('Pending approval')).toBeVisible();
    await expect(await guestReads(guest, specialist.id)).not.toContainText('Peace be with you');

    await admin.getByRole('tab', { name: /^Replies \(\d+\)$/ }).click();
    const reply = admin.getByRole('article', { name: `${name}’s reply to A client` });
    await expect(reply).toContainText(said);
    await reply.getByRole('button', { name: /^Approve/ }).click();
    await expect(toast(admin, 'Reply published')).toBeVisible();
    await expect(review.getByText('Published', { exact: true })).toBeVisible();
    const shown = await guestReads(guest, specialist.id);
    await expect(shown).toContainText(`${name} replied`);
    await expect(shown).toContainText('Thank you. Peace be with you.');

    await review.getByRole('button', { name: /^Withdraw/ }).click();
    await page
      .getByRole('alertdialog', { name: 'Withdraw your reply?' })
      .getByRole('button', { name: 'Withdraw' })
      .click();
    await expect(toast(page, 'Reply withdrawn')).toBeVisible();
    await expect(await guestReads(guest, specialist.id)).not.toContainText('Peace be with you');
  },
);
