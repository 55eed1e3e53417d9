import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  moveInDatabase,
  offeredTimes,
  toast,
  type Specialist,
} from './support/booking.ts';
import { call, expect, test } from './support/fixtures.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

const hour = 3_600_000;

async function completedSession(
  page: Page,
  product: Product,
  specialist: Specialist & { page: Page },
  daysAgo = 1,
): Promise<string> {
  const [start] = await offeredTimes(page, product, specialist);
  const id = await bookDirectly(page, specialist, start!);
  await moveInDatabase(product, id, new Date(Date.now() - daysAgo * 24 * hour));
  await call(specialist.page, `/api/appointments/${id}/complete`, {});
  return id;
}

async function specialistOf(open: () => Promise<Page>, product: Product, name: string) {
  const page = await open();
  return { ...(await becomeSpecialist(page, product, { name })), page };
}

async function approve(admin: Page, specialist: string): Promise<void> {
  const answer = await admin.request.get('/api/reviews?state=waiting&limit=50');
  const reviews = (await answer.json()) as { id: string; revision: number; provider: { name: string } }[];
  const { id, revision } = reviews.find(({ provider }) => provider.name === specialist)!;
  await call(admin, `/api/reviews/${id}/approve`, { revision, featured: false });
}

test(
  'lets a client revise a rejected review, and shows it to guests from approval to withdrawal',
  { tag: '@long' },
  async ({ page, product, open }) => {
    const specialist = await specialistOf(open, product, 'Dr. Lena Frost');
    const [guest, admin, second] = [await open(), await open(), await open()];
    await becomeClient(page, product, 'Miriam Stone');
    await completedSession(page, product, specialist);
    const card = guest.getByRole('article').filter({ hasText: specialist.name });
    await guest.goto(`${product.url}/therapists`);
    await expect(card).toContainText('New here, no reviews yet');
    await becomeAdministrator(admin, product);
    await admin.goto(`${product.url}/admin/moderation`);
    await expect(admin.getByRole('heading', { name: 'Pending reviews', exact: true })).toBeVisible();

    await page.goto('/profile?tab=sessions');
    await page.getByRole('button', { name: 'Review of the session with Dr. Lena Frost' }).click();
    const dialog = page.getByRole('dialog', { name: 'How was your session?' });
    await dialog.getByRole('radio', { name: '5 stars, Excellent' }).check();
    await dialog.getByLabel('Your comments').fill('Ask Mary Miller.');
    await dialog.getByLabel('Where you live').fill('Albany, NY');
    await dialog.getByRole('button', { name: 'Send review' }).click();
    await expect(page.getByText('Review pending approval')).toBeVisible();

    const review = admin.getByRole('article', { name: 'Miriam S.’s review of Dr. Lena Frost' });
    await review.getByRole('button', { name: /^Reject/ }).click();
    const question = admin.getByRole('alertdialog', { name: 'Reject this review?' });
    await question.getByLabel('Reason').fill('It names somebody.');
    await question.getByRole('button', { name: 'Reject' }).click();
    await expect(page.getByText('Review not published')).toBeVisible();
    await page.getByRole('button', { name: /^Edit review/ }).click();
    await expect(dialog).toContainText('“It names somebody.” You can edit it and send it again.');
    await dialog.getByLabel('Your comments').fill('She asked the one question that mattered.');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(review).toContainText('She asked the one question that mattered.');
    await review.getByRole('button', { name: /^Approve and feature/ }).click();
    await expect(page.getByText('Review published')).toBeVisible();

    await guest.goto(`${product.url}/therapists`);
    await expect(card).toContainText('5.0 out of 5 stars');
    await expect(card).toContainText('1 review');
    await card.getByText('About Dr. Lena Frost', { exact: true }).click();
    await card.getByRole('link', { name: /^What clients say/ }).click();
    const shown = guest.getByRole('region', { name: 'Reviews' }).getByRole('figure');
    for (const words of ['She asked the one question that mattered.', 'Miriam S.', 'Albany, NY'])
      await expect(shown).toContainText(words);
    for (const path of ['/', '/service/individuals']) {
      await guest.goto(`${product.url}${path}`);
      await expect(guest.getByText('She asked the one question that mattered.')).toBeVisible();
    }

    // Ratings without text count too.
    await becomeClient(second, product);
    const id = await completedSession(second, product, specialist, 2);
    await call(second, `/api/appointments/${id}/review`, { rating: 4, named: 'anonymous' });
    const silent = admin.getByRole('article', { name: 'A client’s review of Dr. Lena Frost' });
    await silent.getByRole('button', { name: /^Approve/ }).click();
    await expect(silent).toHaveCount(0);
    await guest.goto(`${product.url}/therapists`);
    await expect(card).toContainText('4.5 out of 5 stars');
    await expect(card).toContainText('2 reviews');

    await page.getByRole('button', { name: 'Your review of the session with Dr. Lena Frost' }).click();
    await page
      .getByRole('dialog', { name: 'Your review' })
      .getByRole('button', { name: 'Withdraw review' })
      .click();
    await page
      .getByRole('alertdialog', { name: 'Withdraw your review?' })
      .getByRole('button', { name: 'Withdraw review' })
      .click();
    await expect(toast(page, 'Review withdrawn')).toBeVisible();
    await guest.goto(`${product.url}/therapists`);
    await expect(card).toContainText('4.0 out of 5 stars');
    await guest.goto(`${product.url}/`);
    await expect(guest.getByText('She asked the one question that mattered.')).toHaveCount(0);
  },
);

test('shows client reviews without script', async ({ product, open }) => {
  const name = 'Dr. Anna Early';
  const specialist = await specialistOf(open, product, name);
  const [client, admin] = [await open(), await open()];
  await becomeClient(client, product);
  const id = await completedSession(client, product, specialist);
  await call(client, `/api/appointments/${id}/review`, {
    rating: 5,
    text: 'I slept again.',
    named: 'initial',
  });
  await becomeAdministrator(admin, product);
  await approve(admin, name);
  const page = await open({ javaScriptEnabled: false });
  await page.goto('/therapists');
  const card = page.getByRole('article').filter({ hasText: name });
  await card.getByText(`About ${name}`, { exact: true }).click();
  await card.getByRole('link', { name: /^What clients say/ }).click();
  await expect(page.getByText('I slept again.')).toBeInViewport();
});
