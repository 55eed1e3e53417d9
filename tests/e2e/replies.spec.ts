import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, bookDirectly, moveInDatabase, offeredTimes, toast } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { press } from './support/keyboard.ts';
import { expectFair } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const said = 'I was heard, and I slept again.';

/** A specialist on `page`, with one published review by a client. */
async function reviewed(page: Page, product: Product, open: () => Promise<Page>, name: string) {
  const specialist = await becomeSpecialist(page, product, { name });
  const client = await open();
  await signIn(client, someone('reviewer'));
  const [start] = await offeredTimes(client, product, specialist);
  const appointmentId = await bookDirectly(client, specialist, start!);
  await moveInDatabase(product, appointmentId, new Date(Date.now() - 24 * 3_600_000));
  await call(page, `/api/appointments/${appointmentId}/complete`, {});
  await call(client, `/api/appointments/${appointmentId}/review`, {
    rating: 5,
    text: said,
    named: 'anonymous',
  });
  const admin = await open();
  await signIn(admin, 'admin');
  const [review] = await product.query<{ id: string }>('select id from reviews where appointment_id = $1', [
    appointmentId,
  ]);
  await call(admin, `/api/reviews/${review!.id}/approve`, { revision: 1, featured: false });
  return { specialist, client, admin, reviewId: review!.id };
}

/** What a guest reads under the reviews on a specialist's own page. */
async function guestReads(guest: Page, id: string) {
  await guest.goto(`/therapists/specialist-${id}`);
  await guest.locator('summary', { hasText: 'What clients say' }).click();
  const review = guest.getByRole('listitem').filter({ hasText: said });
  await expect(review).toBeVisible();
  return review;
}

test('a specialist answers a review by the keyboard; once an administrator approves it, a guest reads it under the review', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const name = 'Dr. Lois Amaro';
  const { specialist, admin } = await reviewed(page, product, open, name);
  await page.goto('/home');
  await press(
    page,
    page.getByRole('navigation', { name: 'Your rooms' }).getByRole('link', { name: 'Your reviews' }),
  );
  await expect(page).toHaveURL('/reviews');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your reviews');
  const review = page.getByRole('listitem').filter({ hasText: said });
  await expect(review).toBeVisible();
  await expectFair(page, 'a review without an answer', { dark: true });
  await press(page, review.getByRole('button', { name: /^Reply/ }));
  const field = review.getByLabel('Your reply');
  await expect(field).toBeFocused();
  await press(page, review.getByRole('button', { name: 'Send for approval' }));
  await expect(review.getByText('Please write your reply.')).toBeVisible();
  await expect(field).toBeFocused();
  await expectFair(page, 'an answer that is being written', { dark: true });
  await page.keyboard.type('Thank you. Peace be with you.');
  await press(page, review.getByRole('button', { name: 'Send for approval' }));
  await expect(toast(page, 'Your reply waits for approval')).toBeVisible();
  await expect(review.getByText('Waits for approval')).toBeVisible();
  await expect(review.getByRole('button', { name: /^Change/ })).toBeFocused();
  await expectFair(page, 'an answer that waits', { dark: true });

  const guest = await open();
  await expect(await guestReads(guest, specialist.id)).not.toContainText('Peace be with you');

  await admin.goto('/admin/moderation');
  await admin.getByRole('tab', { name: /^Replies \(\d+\)$/ }).click();
  await expect(admin).toHaveURL(/tab=replies/);
  const waiting = admin.getByRole('article', { name: `the reply of ${name} to A client` });
  await expect(waiting).toContainText(said);
  await expectFair(admin, 'replies that wait', { dark: true });
  await press(admin, waiting.getByRole('button', { name: /^Approve/ }));
  await expect(toast(admin, 'The reply is published')).toBeVisible();

  await expect(review.getByText('Published', { exact: true })).toBeVisible();
  const shown = await guestReads(guest, specialist.id);
  await expect(shown).toContainText(`${name} replies`);
  await expect(shown).toContainText('Thank you. Peace be with you.');
  await expectFair(guest, 'an answer under its review', { dark: true });
  await guest.goto('/therapists');
  const card = guest.getByRole('article').filter({ hasText: name });
  await card.locator('summary', { hasText: 'What clients say' }).click();
  await expect(card.getByText('Thank you. Peace be with you.')).toBeVisible();
});

test('a changed answer waits while the approved one stays, a refusal is told with its reason, and it can be withdrawn', async ({
  page,
  product,
  open,
}) => {
  const { specialist, admin, reviewId } = await reviewed(page, product, open, 'Dr. Tirzah Bloom');
  await call(page, `/api/reviews/${reviewId}/reply`, { text: 'Thank you.' });
  await call(admin, `/api/review-replies/${reviewId}/approve`, { revision: 1 });
  await page.goto('/reviews');
  const review = page.getByRole('listitem').filter({ hasText: said });
  await review.getByRole('button', { name: /^Change/ }).click();
  const field = review.getByLabel('Your reply');
  await expect(field).toHaveValue('Thank you.');
  await field.fill('See you on Monday at nine.');
  await review.getByRole('button', { name: 'Cancel' }).click();
  await review.getByRole('button', { name: /^Change/ }).click();
  await expect(field).toHaveValue('See you on Monday at nine.');
  await review.getByRole('button', { name: 'Send for approval' }).click();
  await expect(review.getByText('Until then everybody reads what was approved before:')).toBeVisible();
  const guest = await open();
  await expect(await guestReads(guest, specialist.id)).toContainText('Thank you.');

  await admin.goto('/admin/moderation?tab=replies');
  const waiting = admin.getByRole('article', { name: /^the reply of Dr. Tirzah Bloom/ });
  await waiting.getByRole('button', { name: /^Reject/ }).click();
  const reason = admin.getByRole('alertdialog', { name: 'Reject this reply?' });
  await reason.getByLabel('Reason').fill('It tells when a session is.');
  await expectFair(admin, 'why a reply is refused', { dialog: reason });
  await reason.getByRole('button', { name: 'Reject' }).click();
  await expect(toast(admin, 'The reply is refused')).toBeVisible();

  await expect(review.getByText('Not published')).toBeVisible();
  await expect(review.getByText('Why it wasn’t published: It tells when a session is.')).toBeVisible();
  await expectFair(page, 'an answer that was refused', { dark: true });
  await press(page, review.getByRole('button', { name: /^Withdraw/ }));
  await press(
    page,
    page.getByRole('alertdialog', { name: 'Withdraw your reply?' }).getByRole('button', { name: 'Withdraw' }),
  );
  await expect(toast(page, 'Your reply is withdrawn')).toBeVisible();
  await expect(review.getByRole('button', { name: /^Reply/ })).toBeFocused();
  await expect(await guestReads(guest, specialist.id)).not.toContainText('Thank you.');
});

test('a client finds no room of reviews, and a guest the way to sign in', async ({ page, open }) => {
  await page.goto('/reviews');
  await expect(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  const client = await open();
  await signIn(client, 'client');
  await client.goto('/reviews');
  await expect(client.getByText('Access denied. Required permission: view_own_analytics')).toBeVisible();
});
