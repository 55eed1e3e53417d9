import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  bookingDialog,
  offeredTimes,
  openBooking,
  readToast,
  storedAppointments,
  toast,
  words,
  type Specialist,
} from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ reducedMotion: 'reduce' });

const day = 86_400_000;

/** A specialist with one hour a week, which begins in three days at ten in New York; answers its next starts. */
async function oneHourAWeek(page: Page, product: Product, name: string) {
  const specialist = await becomeSpecialist(page, product, { name });
  const inThreeDays = new Date(Date.now() + 3 * day);
  const weekday = inThreeDays.getUTCDay() || 7;
  await product.query('delete from weekly_hours where provider_id = $1', [specialist.id]);
  await product.query(
    `insert into weekly_hours (provider_id, weekday, from_time, to_time) values ($1, $2, '10:00', '11:00')`,
    [specialist.id, weekday],
  );
  const query = new URLSearchParams({
    from: new Date().toISOString(),
    to: new Date(Date.now() + 40 * day).toISOString(),
    durationMinutes: '60',
  });
  const answer = await page.request.get(
    `${product.url}/api/specialists/${specialist.id}/free-starts?${query}`,
  );
  const { starts } = (await answer.json()) as { starts: string[] };
  return { specialist, starts };
}

/** The date (`YYYY-MM-DD`) so many days after an instant. */
function dateAfter(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * day).toISOString().slice(0, 10);
}

/** Asks past the screens to be told of any time until a date. */
async function wait(page: Page, specialist: Specialist, untilDate: string): Promise<void> {
  await call(page, '/api/waitlist', {
    providerId: specialist.id,
    serviceId: 'individuals',
    durationMinutes: 60,
    sessionType: 'online',
    untilDate,
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    dayParts: ['morning', 'afternoon', 'evening'],
    timeZone: 'America/Chicago',
  });
}

/** What is due without a word is looked for each half minute only. */
const alarmLatest = 45_000;

/** Lets every deadline of a specialist's offers pass now, and their alarms ring at the next look. */
async function passDeadlines(product: Product, { id }: Specialist): Promise<void> {
  await product.query(
    `update wait_offers set deadline = now() where wait_id in (select id from waits where provider_id = $1)`,
    [id],
  );
  await product.query(
    `update jobs.job set start_after = now() where name = 'waitlist.turn' and state = 'created'`,
  );
}

const offers = (page: Page) => page.getByRole('region', { name: 'A time has opened for you' });
const waiting = (page: Page) => page.getByRole('region', { name: 'My waiting list' });

test('who waits is asked in the order of asking, the next after the deadline; of two clicks at once one has it and the other keeps the place', async ({
  page: first,
  open,
  product,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/status of 409/);
  const theirs = await open();
  const { specialist, starts } = await oneHourAWeek(theirs, product, 'Dr. Lena Storm');
  const holder = await open();
  await signIn(holder, someone('holder'));
  const taken = await bookDirectly(holder, specialist, starts[0]!);

  // The first asks where the dialog shows only far times.
  const firstAddress = someone('first');
  await signIn(first, firstAddress);
  const booking = await openBooking(first, specialist);
  await booking.getByRole('button', { name: 'Tell me when a time opens' }).click();
  const dialog = first.getByRole('dialog', { name: 'Tell me when a time opens' });
  await expectFair(first, 'the wishes', { dialog, dark: true });
  await dialog.getByRole('button', { name: 'Put me on the waiting list' }).click();
  await expect(dialog.getByRole('alert')).toContainText('A time that suits you is free already');
  await expectNoViolation(first, 'the wishes with a time that is free');
  await dialog.getByLabel('Until').fill(dateAfter(starts[0]!, 2));
  await dialog.getByRole('button', { name: 'Put me on the waiting list' }).click();
  await readToast(first, 'You’re on the waiting list');
  await expect(dialog).toHaveCount(0);
  await bookingDialog(first).getByRole('button', { name: 'Cancel' }).click();

  const second = await open({ viewport: phone, reducedMotion: 'reduce' });
  await signIn(second, someone('second'));
  await wait(second, specialist, dateAfter(starts[0]!, 2));
  await first.goto('/home');
  await second.goto('/home');
  await expect(waiting(first)).toContainText('Dr. Lena Storm');
  await expect(waiting(second)).toContainText('Individual Healing, 60 minutes');
  await theirs.goto('/home');
  await expect(theirs.getByText('2 people wait for a time with you.')).toBeVisible();

  await call(holder, `/api/appointments/${taken}/cancel`, {});
  await expect(offers(first)).toContainText(words(starts[0]!).date);
  await expect(offers(first)).toContainText('Yours to answer until');
  await expect(offers(second)).toHaveCount(0);
  await expectFair(first, 'a dashboard with an offer', { dark: true });
  const subjects = async () => (await mailsTo(product, firstAddress)).map(({ subject }) => subject);
  await expect.poll(async () => (await subjects()).join()).toContain('A time with iTalk Health has opened');

  await passDeadlines(product, specialist);
  await expect(offers(second)).toContainText(words(starts[0]!).date, { timeout: alarmLatest });
  // What is taken is gone from the other's page, who is to press before that.
  let pressed = 0;
  let go = () => {};
  const both = new Promise<void>((resolve) => (go = resolve));
  const press = async (page: Page) => {
    await page.route('**/api/waitlist/offers/*/take', async (route) => {
      pressed += 1;
      if (pressed === 2) go();
      await both;
      await route.continue();
    });
    await offers(page).getByRole('button', { name: 'Take this time' }).click();
  };
  await Promise.all([press(first), press(second)]);
  await expect
    .poll(async () =>
      (await storedAppointments(product, { specialist: specialist.email })).map(({ status }) => status),
    )
    .toEqual(['cancelled', 'confirmed']);
  const faster = (one: Page) => one.getByRole('alert').filter({ hasText: 'Somebody else was faster' });
  const loser = await Promise.race(
    [first, second].map(async (one) => {
      await faster(one).waitFor();
      return one;
    }),
  );
  const winner = loser === first ? second : first;
  await expect(toast(winner, 'The time is yours')).toBeVisible();
  await expect(faster(loser)).toContainText('You keep your place in the line');
  await expect(offers(winner)).toHaveCount(0);
  await expect(offers(loser)).toHaveCount(0);
  await expect(waiting(loser)).toContainText('Dr. Lena Storm');
  await expect(waiting(winner)).toHaveCount(0);
  await expect(winner.getByRole('article', { name: 'Dr. Lena Storm' })).toContainText(words(starts[0]!).date);
  await expectNoViolation(loser, 'a time that somebody else has');
});

test('an appointment moves to an earlier time with one press, asked for by keyboard on a phone', async ({
  open,
  product,
}) => {
  const theirs = await open();
  const { specialist, starts } = await oneHourAWeek(theirs, product, 'Dr. Hugo Field');
  const holder = await open();
  await signIn(holder, someone('holder'));
  const taken = await bookDirectly(holder, specialist, starts[0]!);
  const page = await open({ viewport: phone, reducedMotion: 'reduce' });
  const client = someone('mover');
  await signIn(page, client);
  await bookDirectly(page, specialist, starts[1]!);
  await page.goto('/home');
  const card = page.getByRole('article', { name: 'Dr. Hugo Field' });
  await card.getByRole('button', { name: 'Actions for the appointment with Dr. Hugo Field' }).focus();
  await page.keyboard.press('Enter');
  // The menu takes the focus once it is open.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.getByRole('menuitem', { name: 'Ask for an earlier time' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Ask for an earlier time' });
  await expect(dialog).toContainText(words(starts[1]!).date);
  // Nothing typed is lost where something is missing.
  const part = dialog.getByRole('group', { name: 'Which part of the day?' });
  for (const name of ['Morning', 'Afternoon', 'Evening']) {
    await part.getByRole('checkbox', { name }).focus();
    await page.keyboard.press('Space');
  }
  await dialog.getByRole('button', { name: 'Put me on the waiting list' }).focus();
  await page.keyboard.press('Enter');
  await expect(part).toContainText('Please choose at least one part of the day.');
  await expect(part.getByRole('checkbox', { name: 'Morning' })).toBeFocused();
  await expectNoViolation(page, 'wishes that lack something');
  for (const name of ['Morning', 'Afternoon']) await part.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Put me on the waiting list' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(waiting(page)).toContainText('Morning, Afternoon');

  await call(holder, `/api/appointments/${taken}/cancel`, {});
  await expect(offers(page)).toContainText(`would move here from ${words(starts[1]!).date}`);
  await offers(page).getByRole('button', { name: 'Take this time' }).focus();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'The time is yours')).toBeVisible();
  await expect(card).toContainText(words(starts[0]!).date);
  await expect(waiting(page)).toHaveCount(0);
  expect(await storedAppointments(product, { client })).toMatchObject([
    { startsAt: new Date(starts[0]!).toISOString(), status: 'confirmed', sequence: 1 },
  ]);
});

test('a link in the mail does nothing by itself; a time can be passed on, and waiting given up', async ({
  page,
  open,
  product,
}) => {
  const theirs = await open();
  const { specialist, starts } = await oneHourAWeek(theirs, product, 'Dr. Ida Brook');
  const holder = await open();
  await signIn(holder, someone('holder'));
  const taken = await bookDirectly(holder, specialist, starts[0]!);
  const address = someone('patient');
  await signIn(page, address);
  await wait(page, specialist, dateAfter(starts[0]!, 2));
  await call(holder, `/api/appointments/${taken}/cancel`, {});
  const mails = async () =>
    (await mailsTo(product, address)).filter(({ subject }) =>
      subject.startsWith('A time with iTalk Health has opened'),
    );
  await expect.poll(async () => (await mails()).length).toBe(1);
  const [link] = (await mails())[0]!.text.match(/https?:\/\/\S+\/home\S*/)!;
  // Whatever reads mails opens links; that books nothing, for nobody.
  await page.goto(new URL(link).pathname);
  await expect(offers(page)).toBeVisible();
  expect(await storedAppointments(product, { client: address })).toEqual([]);

  await offers(page).getByRole('button', { name: 'Not this time' }).click();
  await readToast(page, 'We’ll ask somebody else');
  await expect(offers(page)).toHaveCount(0);
  await page.goto('/profile?tab=sessions');
  await waiting(page).getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tell me when a time opens' });
  await expect(dialog.getByLabel('Until')).toHaveValue(dateAfter(starts[0]!, 2));
  await dialog.getByRole('checkbox', { name: 'Sun' }).uncheck();
  await dialog.getByRole('button', { name: 'Save my wishes' }).click();
  await readToast(page, 'Your wishes are saved');
  await expect(waiting(page)).toContainText('Mon, Tue, Wed, Thu, Fri, Sat');
  await expectFair(page, 'the sessions with a waiting list', { dark: true });
  await waiting(page).getByRole('button', { name: 'Give up' }).click();
  const question = page.getByRole('alertdialog', { name: 'Give up waiting?' });
  await expect(question).toContainText('You lose your place in the line for a time with Dr. Ida Brook.');
  await question.getByRole('button', { name: 'Give up' }).click();
  await expect(toast(page, 'You don’t wait any more')).toBeVisible();
  await expect(waiting(page)).toHaveCount(0);
});

test('a session that nobody answered until its start says so to both', async ({ page, open, product }) => {
  test.slow();
  const theirs = await open();
  const specialist = await becomeSpecialist(theirs, product, { name: 'Dr. Noa Reed', approvesFirst: true });
  await signIn(page, someone('asker'));
  const [start] = await offeredTimes(page, product, specialist);
  const id = await bookDirectly(page, specialist, start!);
  await product.query(
    `update appointments set starts_at = now() - interval '1 minute', ends_at = now() + interval '59 minutes',
       blocked_until = now() + interval '74 minutes' where id = $1`,
    [id],
  );
  await page.goto('/profile?tab=sessions');
  await theirs.goto('/profile?tab=sessions');
  for (const one of [page, theirs]) {
    await expect(one.getByText('Expired, nobody answered')).toBeVisible({ timeout: 75_000 });
  }
});
