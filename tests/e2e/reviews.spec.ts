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
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { tabTo } from './support/keyboard.ts';
import { expectFair } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

const hour = 3_600_000;

/** Lets the client of `page` have a session that took place so many days ago, and its specialist note that. */
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

/** Names the client of a page, past the screens. */
async function named(product: Product, email: string, name: string): Promise<void> {
  await product.query(
    'update profiles set full_name = $2 where id = (select id from users where email = $1)',
    [email, name],
  );
}

const sessionsTab = '/profile?tab=sessions';

test('a story on the landing page tells whose it is, where from, and of which service', async ({
  page,
  product,
}) => {
  await product.query('notify pages');
  const answer = await page.request.get('/api/reviews/featured');
  const told = (await answer.json()) as {
    name: string;
    place: string;
    service: { title: string };
    rating: number;
    text: string;
  }[];
  expect(told.length).toBeGreaterThanOrEqual(6);
  await page.goto('/');
  for (const { name, place, service, rating, text } of told.slice(0, 6)) {
    const story = page.getByRole('listitem').filter({ hasText: text });
    await expect(story).toContainText(`${rating} out of 5 stars`);
    await expect(story).toContainText(name);
    await expect(story).toContainText(`${place} · ${service.title}`);
  }
});

test('a client reviews a completed session; once an administrator approves it, a guest sees it on the card, with count and mean', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const specialist = await specialistOf(open, product, 'Dr. Lena Frost');
  const [guest, admin, second] = [await open(), await open(), await open()];
  const email = someone('reviewer');
  await signIn(page, email);
  await named(product, email, 'Miriam Stone');
  await completedSession(page, product, specialist);

  const card = guest.getByRole('article').filter({ hasText: specialist.name });
  await guest.goto('/therapists');
  await expect(card).toContainText('New here, no reviews yet');
  await expect(card.getByText('What clients say')).toHaveCount(0);

  await signIn(admin, 'admin');
  await admin.goto('/admin/moderation');
  await expect(admin.getByRole('heading', { name: 'Reviews that wait' })).toBeVisible();

  await page.goto(sessionsTab);
  await page.getByRole('button', { name: 'Review of the session with Dr. Lena Frost' }).click();
  const dialog = page.getByRole('dialog', { name: 'How was your session?' });
  await dialog.getByRole('button', { name: 'Send review' }).click();
  await expect(dialog.getByText('Please choose from one to five stars.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: '1 star, Poor' })).toBeFocused();
  await dialog.getByRole('radio', { name: '5 stars, Excellent' }).check();
  await dialog.getByLabel('Your words').fill('She asked the one question that mattered.');
  await expect(dialog.getByRole('radio', { name: /Miriam S\./ })).toBeChecked();
  await expect(dialog.getByRole('radio', { name: /Miriam Stone/ })).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /A client/ })).toBeVisible();
  await dialog.getByLabel('Where you live').fill('Albany, NY');
  await dialog.getByRole('button', { name: 'Send review' }).click();
  await expect(toast(page, 'Thank you for your review')).toBeVisible();
  await expect(page.getByText('Review waits for approval')).toBeVisible();
  await guest.goto('/therapists');
  await expect(card).toContainText('New here, no reviews yet');

  const review = admin.getByRole('article', { name: 'the review by Miriam S. about Dr. Lena Frost' });
  await expect(review).toContainText('She asked the one question that mattered.');
  await review.getByRole('button', { name: /^Approve and feature/ }).click();
  await expect(review).toHaveCount(0);
  await expect(page.getByText('Review published')).toBeVisible();

  await guest.goto('/therapists');
  await expect(card).toContainText('5.0 out of 5 stars');
  await expect(card).toContainText('1 review');
  await card.getByText('What clients say').click();
  await expect(card.getByRole('figure')).toContainText('She asked the one question that mattered.');
  await expect(card.getByRole('figure')).toContainText('Miriam S.');
  await expect(card.getByRole('figure')).toContainText('Albany, NY');
  for (const path of ['/', '/service/individuals']) {
    await guest.goto(path);
    await expect(guest.getByText('She asked the one question that mattered.')).toBeVisible();
  }

  // Another client rates without words: it counts, too.
  await signIn(second, someone('silent'));
  const id = await completedSession(second, product, specialist, 2);
  await call(second, `/api/appointments/${id}/review`, { rating: 4, named: 'anonymous' });
  const silent = admin.getByRole('article', { name: 'the review by A client about Dr. Lena Frost' });
  await silent.getByRole('button', { name: /^Approve/ }).click();
  await expect(silent).toHaveCount(0);
  await guest.goto('/therapists');
  await expect(card).toContainText('4.5 out of 5 stars');
  await expect(card).toContainText('2 reviews');
  await specialist.page.goto(sessionsTab);
  const received = specialist.page.getByRole('region', { name: 'What your clients say' });
  await expect(received.getByRole('listitem')).toHaveCount(2);
  await expect(received).toContainText('Miriam S.');

  // What is withdrawn is gone everywhere.
  await page.getByRole('button', { name: 'Your review of the session with Dr. Lena Frost' }).click();
  const own = page.getByRole('dialog', { name: 'Your review' });
  await expect(own).toContainText('Your review is published, and counts.');
  await expectFair(page, 'one’s published review', { dialog: own, dark: true });
  await own.getByRole('button', { name: 'Withdraw review' }).click();
  const question = page.getByRole('alertdialog', { name: 'Withdraw your review?' });
  await expectFair(page, 'the question before withdrawing', { dialog: question });
  await question.getByRole('button', { name: 'Withdraw review' }).click();
  await expect(toast(page, 'Your review is withdrawn')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review of the session with Dr. Lena Frost' })).toBeVisible();
  await guest.goto('/therapists');
  await expect(card).toContainText('4.0 out of 5 stars');
  await expect(card).toContainText('1 review');
  await guest.goto('/');
  await expect(guest.getByText('She asked the one question that mattered.')).toHaveCount(0);
});

test('a review is written by keyboard alone', async ({ page, product, open }) => {
  test.slow();
  const specialist = await specialistOf(open, product, 'Dr. Iris Vale');
  await signIn(page, someone('keys'));
  await completedSession(page, product, specialist);
  await page.goto(sessionsTab);
  const write = page.getByRole('button', { name: /^Review of the session/ });
  await tabTo(page, write);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'How was your session?' });
  await tabTo(page, dialog.getByRole('radio', { name: '1 star, Poor' }));
  for (let star = 1; star < 4; star += 1) await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: '4 stars, Very good' })).toBeChecked();
  await tabTo(page, dialog.getByLabel('Your words'));
  await page.keyboard.type('Written without a mouse.');
  await tabTo(page, dialog.getByRole('radio', { name: /First name and initial/ }));
  await page.keyboard.press('ArrowUp');
  await expect(dialog.getByRole('radio', { name: /A client/ })).toBeChecked();
  await tabTo(page, dialog.getByRole('button', { name: 'Send review' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Review waits for approval')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Edit review of the session/ })).toBeFocused();
});

test('a refused review tells its reason, is changed and waits again; decisions can be taken back', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/ERR_FAILED/);
  const specialist = await specialistOf(open, product, 'Dr. Nora Bloom');
  await signIn(page, someone('refused'));
  const id = await completedSession(page, product, specialist);
  await call(page, `/api/appointments/${id}/review`, { rating: 2, text: 'Ask Mary Miller.', named: 'full' });
  const admin = await open();
  await signIn(admin, 'admin');
  await admin.goto('/home');
  await admin.getByRole('link', { name: /^Moderation .*\d+ reviews? waits? for you/ }).click();
  const review = admin.getByRole('article', { name: /about Dr\. Nora Bloom/ });
  const tab = (name: RegExp) => admin.getByRole('tab', { name });
  const waiting = Number(/\d+/.exec((await tab(/^Reviews \(/).textContent())!)![0]);

  await review.getByRole('button', { name: /^Reject/ }).click();
  const question = admin.getByRole('alertdialog', { name: 'Reject this review?' });
  await question.getByLabel('Reason').fill('It names somebody.');
  await question.getByRole('button', { name: 'Reject' }).click();
  await expect(toast(admin, 'The review is refused')).toBeVisible();
  if (waiting > 1) await expect(tab(/^Reviews/)).toHaveText(`Reviews (${waiting - 1})`);
  await admin.getByRole('button', { name: 'Undo' }).click();
  await expect(review).toBeVisible();
  await expect(tab(/^Reviews/)).toHaveText(`Reviews (${waiting})`);
  await review.getByRole('button', { name: /^Reject/ }).click();
  await question.getByLabel('Reason').fill('It names somebody.');
  await question.getByRole('button', { name: 'Reject' }).click();
  await expect(review).toHaveCount(0);
  await tab(/^Refused/).click();
  await expect(review).toContainText('Your reason: It names somebody.');
  await expectFair(admin, 'refused reviews', { dark: true });

  await page.goto(sessionsTab);
  await expect(page.getByText('Review not published')).toBeVisible();
  await page.getByRole('button', { name: /^Edit review/ }).click();
  const dialog = page.getByRole('dialog', { name: 'How was your session?' });
  await expect(dialog).toContainText('“It names somebody.” You can change it and send it again.');
  await expectFair(page, 'a refused review', { dialog, dark: true });

  // The network is gone for a moment: what was typed stays.
  await dialog.getByLabel('Your words').fill('It helped.');
  await page.route('**/api/appointments/*/review', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t reach iTalk');
  await expect(dialog.getByLabel('Your words')).toHaveValue('It helped.');
  await expectFair(page, 'a review that couldn’t be sent', { dialog });
  await page.unroute('**/api/appointments/*/review');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Review waits for approval')).toBeVisible();

  await tab(/^Reviews/).click();
  await expect(review).toContainText('It helped.');
  await review.getByRole('button', { name: /^Approve the review/ }).click();
  await expect(review).toHaveCount(0);
  await tab(/^Resources/).click();
  await expect(
    admin.getByRole('tabpanel', { name: /^Resources/ }).getByRole('heading', { level: 2 }),
  ).toBeVisible();
  await tab(/^Published/).click();
  await expect(review).toBeVisible();
  await expectFair(admin, 'published reviews', { dark: true });
  await review.getByRole('button', { name: /^Feature/ }).click();
  await expect(review.getByText('Featured', { exact: true })).toBeVisible();
  await review.getByRole('button', { name: /^Unpublish/ }).click();
  const unpublish = admin.getByRole('alertdialog', { name: 'Unpublish this review?' });
  await unpublish.getByLabel('Reason').fill('The client asked for it.');
  await unpublish.getByRole('button', { name: 'Unpublish' }).click();
  await expect(review).toHaveCount(0);
  await expect(page.getByText('Review not published')).toBeVisible();
});

test('what clients say can be read where it was opened before the page’s script ran', async ({ page }) => {
  let go = () => {};
  const opened = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto('/therapists', { waitUntil: 'commit' });
  const reviews = page.locator('details').filter({ hasText: 'What clients say' }).first();
  await reviews.getByText('What clients say').click();
  go();
  await expect(reviews.getByRole('figure').first()).toBeVisible();
});
