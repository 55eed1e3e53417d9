import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  chooseTime,
  moveInDatabase,
  offeredTimes,
  storedAppointments,
  toast,
  words,
} from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

const sessionsTab = '/profile?tab=sessions';

test('without a session the tab says so and leads to booking one', async ({ page }) => {
  await signIn(page, someone('fresh'));
  await page.goto(sessionsTab);
  await expect(page.getByRole('heading', { name: 'No upcoming sessions' })).toBeVisible();
  await expect(page.getByText('Sessions that lie behind you will be kept here.')).toBeVisible();
  await expectFair(page, 'sessions, empty', { dark: true });
  await page.getByRole('button', { name: 'Book a Session' }).click();
  await expect(bookingDialog(page)).toBeVisible();
});

test('a session is moved and cancelled in the tab, and stands among the past ones then, from where it is booked again', async ({
  page,
  product,
  open,
}) => {
  test.slow();
  const theirs = await open();
  const specialist = await becomeSpecialist(theirs, product, { name: 'Dr. Paul Ash' });
  const client = someone('mover');
  await signIn(page, client);
  const starts = await offeredTimes(page, product, specialist);
  await bookDirectly(page, specialist, starts.at(-1)!);
  await page.goto(sessionsTab);
  const card = page.getByRole('article', { name: 'Dr. Paul Ash' });
  await expect(card).toContainText(words(starts.at(-1)!).date);
  await expect(card).toContainText('Dr. Paul Ash calls you at +1 617 555 0100');
  await expectFair(page, 'sessions to come', { dark: true });

  await card.getByRole('button', { name: 'Actions for the appointment with Dr. Paul Ash' }).click();
  await page.getByRole('menuitem', { name: 'Reschedule' }).click();
  const move = page.getByRole('dialog', { name: 'Reschedule' });
  const start = await chooseTime(move, { monthsOn: 1 });
  await move.getByRole('button', { name: 'Move appointment' }).click();
  await expect(move).toHaveCount(0);
  await expect(card).toContainText(words(start).date);
  expect(await storedAppointments(product, { client })).toMatchObject([
    { startsAt: new Date(start).toISOString(), status: 'confirmed' },
  ]);

  await card.getByRole('button', { name: 'Actions for the appointment with Dr. Paul Ash' }).click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'No upcoming sessions' })).toBeVisible();
  const past = page.getByRole('region', { name: 'Past sessions' });
  await expect(past).toContainText('Cancelled');
  await expect(past.getByRole('button', { name: /^Review/ })).toHaveCount(0);
  await past.getByRole('button', { name: 'Book again with Dr. Paul Ash' }).click();
  await expect(bookingDialog(page)).toContainText('Dr. Paul Ash');
  await expect(bookingDialog(page)).toContainText('Individual Healing');
});

test('a session in person has its address and the way to a map, in a page of its own', async ({
  page,
  product,
  open,
}) => {
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Ruth Hill' });
  await signIn(page, someone('visitor'));
  const starts = await offeredTimes(page, product, specialist);
  const id = await bookDirectly(page, specialist, starts[0]!);
  await product.query(`update appointments set session_type = 'in-person' where id = $1`, [id]);
  await page.goto(sessionsTab);
  const card = page.getByRole('article', { name: 'Dr. Ruth Hill' });
  await expect(card).toContainText('Boston, MA');
  const map = card.getByRole('link', { name: 'Show on a map (opens in a new tab)' });
  await expect(map).toHaveAttribute('href', 'https://www.openstreetmap.org/search?query=Boston%2C%20MA');
  await expect(map).toHaveAttribute('rel', 'noreferrer');
});

test('past sessions come page by page, each with its review', async ({ page, product, open }) => {
  test.slow();
  const theirs = await open();
  const specialist = await becomeSpecialist(theirs, product, { name: 'Dr. Otto Lake' });
  await signIn(page, someone('regular'));
  const starts = await offeredTimes(page, product, specialist);
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const id = await bookDirectly(page, specialist, starts[index * 3]!);
    await moveInDatabase(product, id, new Date(Date.now() - (index + 1) * 26 * 3_600_000));
    await call(theirs, `/api/appointments/${id}/complete`, {});
    ids.push(id);
  }
  await call(page, `/api/appointments/${ids[11]}/review`, { rating: 5 });
  await page.goto(sessionsTab);
  const past = page.getByRole('region', { name: 'Past sessions' });
  const items = past.getByRole('listitem');
  await expect(items).toHaveCount(10);
  await expect(past.getByText('Review waits for approval')).toHaveCount(0);
  await past.getByRole('button', { name: 'Show earlier sessions' }).click();
  await expect(items).toHaveCount(12);
  await expect(past.getByText('Review waits for approval')).toHaveCount(1);
  await expect(past.getByRole('button', { name: /^Review of the session/ })).toHaveCount(11);
  await expectFair(page, 'sessions that are over', { dark: true });

  // The same stands on the client's own dashboard.
  await page.goto('/home');
  await page.getByText('Past sessions').click();
  await expect(page.getByRole('button', { name: /^Review of the session/ })).toHaveCount(10);
  await expect(page.getByRole('button', { name: /^Book again/ })).toHaveCount(10);
  await expect(toast(page, 'Thank you for your review')).toHaveCount(0);
});

test('who has no sessions of their own is told what the tab needs; a provider finds theirs', async ({
  page,
  open,
}) => {
  await signIn(page, 'admin');
  await page.goto(sessionsTab);
  await expect(page.getByRole('tabpanel', { name: 'Sessions' })).toContainText('view_own_appointments');
  await expectFair(page, 'sessions of an administrator');
  const doctor = await open();
  await signIn(doctor, 'doctor');
  await doctor.goto(sessionsTab);
  await expect(
    doctor.getByRole('region', { name: 'Upcoming sessions' }).getByRole('article').first(),
  ).toBeVisible();
  await expect(
    doctor.getByRole('region', { name: 'What your clients say' }).getByRole('listitem').first(),
  ).toBeVisible();
  await expect(doctor.getByRole('button', { name: /^(Review|Book again)/ })).toHaveCount(0);
  await expectFair(doctor, 'sessions of a provider', { dark: true });
});
