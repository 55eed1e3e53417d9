import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  bookDirectly,
  offeredTimes,
  openBooking,
  openDays,
  openTimes,
  readToast,
  storedAppointments,
  toast,
  words,
  type Specialist,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFocusSeen, press, tabTo } from './support/keyboard.ts';
import { desktop, expectFair, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const zone = 'America/New_York';
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true });
const preview = (page: Page) => page.getByRole('region', { name: 'What clients would see' });
const day = (page: Page, name: string) => page.getByRole('switch', { name: `${name}, open for sessions` });

/** Opens the editor as a new specialist, who has the usual hours in New York. */
async function openEditor(page: Page, product: Product): Promise<Specialist> {
  const specialist = await becomeSpecialist(page, product, { timeZone: zone });
  await page.goto('/availability');
  await expect(field(page, 'Monday, first window, from')).toBeEnabled();
  return specialist;
}

async function save(page: Page): Promise<void> {
  await saveButton(page).click();
  await readToast(page, 'Your availability is saved');
  await expect(saveButton(page)).toHaveCount(0);
}

/** A start as the clocks of New York show it: weekday, date and time. */
function shown(instant: string) {
  const at = new Date(instant);
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options }).format(at);
  return {
    weekday: part({ weekday: 'long' }),
    date: new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at),
    time: part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

async function hoursOf(product: Product, { id }: Specialist): Promise<string[]> {
  const rows = await product.query<{ text: string }>(
    `select weekday || ' ' || from_time || '-' || to_time as text from weekly_hours where provider_id = $1 order by 1`,
    [id],
  );
  return rows.map(({ text }) => text);
}

test('Availability Settings opens for who may manage their own hours, and for nobody else', async ({
  page,
  open,
}) => {
  await page.goto('/availability');
  // The way to sign in stands before it.
  await expect(page.locator('main')).toContainText('Sign in with the account that you work with.');
  await signIn(page, someone('client'));
  await page.goto('/availability');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Availability Settings');
  await expect(page.getByRole('main')).toContainText(
    'Access denied. Required permission: manage_own_availability',
  );
  await expect(page.getByRole('switch')).toHaveCount(0);
  for (const who of ['doctor', 'pastor']) {
    const provider = await open();
    await signIn(provider, who);
    await provider.goto('/home');
    await provider
      .getByRole('main')
      .getByRole('link', { name: /^Availability Settings/ })
      .click();
    await expect(provider.getByRole('heading', { level: 1 })).toHaveText('Availability Settings');
    await expect(day(provider, 'Monday')).toBeEnabled();
  }
});

test('a week that a specialist edits, with a break, is what a client in another browser sees at once', async ({
  page,
  open,
  product,
}) => {
  const specialist = await openEditor(page, product);
  const client = await open();
  await signIn(client, someone('client'));
  const before = await openBooking(client, specialist);
  await before.getByRole('button', { name: 'Next month' }).click();
  await (await openDays(before)).nth(1).click();
  expect(await (await openTimes(before)).count()).toBeGreaterThan(10);

  for (const name of ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
    await day(page, name).uncheck();
  await field(page, 'Monday, first window, to').fill('11:00');
  await field(page, 'Monday, second window, from').fill('11:30');
  await field(page, 'Monday, second window, to').fill('13:00');
  // Before anything is saved: what a client would see, in a zone that is chosen.
  await preview(page).getByLabel('In the time zone of').selectOption(zone);
  await preview(page).getByRole('button', { name: 'Later week' }).click();
  const times = preview(page).getByRole('listitem');
  await expect(preview(page).getByRole('button', { name: /^Monday, .*, 5 free times$/ })).toBeVisible();
  await expect(preview(page).getByRole('button', { name: /^Tuesday, .*, nothing free$/ })).toBeVisible();
  await expect(times).toHaveText(['09:00 AM', '09:30 AM', '10:00 AM', '11:30 AM', '12:00 PM']);
  await preview(page).getByLabel('In the time zone of').selectOption('Europe/London');
  await expect(times.first()).toHaveText(/^0[12]:00 PM$/);
  expect(await hoursOf(product, specialist)).toHaveLength(12);
  await save(page);

  const dialog = await openBooking(client, specialist);
  // Of the first Monday some hours may be too soon.
  await dialog.getByRole('button', { name: 'Next month' }).click();
  await (await openDays(dialog)).nth(1).click();
  const offered = await (
    await openTimes(dialog)
  ).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(new Set(offered.map((start) => shown(start).weekday))).toEqual(new Set(['Monday']));
  expect(offered.map((start) => shown(start).time)).toEqual(['09:00', '09:30', '10:00', '11:30', '12:00']);
});

test('hours are copied from one day to others, and a day can end at midnight', async ({ page, product }) => {
  const specialist = await openEditor(page, product);
  await page.getByRole('button', { name: 'Remove Monday, second window' }).click();
  await expect(field(page, 'Monday, first window, from')).toBeFocused();
  await field(page, 'Monday, first window, from').fill('20:00');
  await field(page, 'Monday, first window, to').fill('00:00');
  await expect(page.getByText('until the day ends at midnight')).toBeVisible();
  await page.getByRole('button', { name: 'Copy hours of Monday to other days' }).click();
  await page.getByRole('menuitem', { name: 'Every day' }).click();
  await save(page);
  expect(await hoursOf(product, specialist)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((one) => `${one} 20:00-24:00`),
  );
});

test('dates off and extra dates count at once, and what is removed can be had back', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 400/);
  const specialist = await openEditor(page, product);
  const starts = await offeredTimes(page, product, specialist);
  const { date } = shown(starts.find((start) => shown(start).weekday === 'Wednesday')!);
  const label = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(date));
  const timesThen = async () =>
    (await offeredTimes(page, product, specialist)).map(shown).filter((start) => start.date === date);

  await page.getByRole('button', { name: 'Add days off' }).click();
  const dialog = page.getByRole('dialog', { name: 'A date that differs' });
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect(dialog.getByText('Choose a date.')).toBeVisible();
  await dialog.getByLabel('Date', { exact: true }).fill('2020-01-06');
  await dialog.getByLabel('Note').fill('With my mother');
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect(dialog.getByText('This date is in the past. Choose today or a later one.')).toBeVisible();
  await expect(dialog.getByLabel('Date', { exact: true })).toBeFocused();
  await expect(dialog.getByLabel('Note')).toHaveValue('With my mother');
  await dialog.getByLabel('Date', { exact: true }).fill(date);
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await readToast(page, `${label} is kept`);
  const entry = page.getByRole('region', { name: 'Days off and extra dates' }).getByRole('listitem');
  await expect(entry).toContainText([`${label}OffWith my mother`]);
  expect(await timesThen()).toEqual([]);

  await page.getByRole('button', { name: `Remove ${label}` }).click();
  await expect(entry).toHaveCount(0);
  expect((await timesThen()).length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(entry).toHaveCount(1);
  expect(await timesThen()).toEqual([]);

  await page.getByRole('button', { name: `Change ${label}` }).click();
  const change = page.getByRole('dialog', { name: 'Change the date' });
  await change.getByRole('radio', { name: /^Other hours/ }).check();
  await field(change, `${label}, first window, from`).fill('20:00');
  await field(change, `${label}, first window, to`).fill('21:00');
  await change.getByRole('button', { name: 'Save date' }).click();
  await expect(entry).toContainText(['8:00 PM to 9:00 PM']);
  expect((await timesThen()).map(({ time }) => time)).toEqual(['20:00']);
});

test('holidays that a specialist keeps are days off', async ({ page, product }) => {
  const specialist = await openEditor(page, product);
  const holidays = page.getByRole('region', { name: 'Holidays' });
  await holidays.getByLabel('Country or state').fill('United States of America: New York');
  await page.keyboard.press('Enter');
  await holidays.getByRole('switch', { name: 'Christmas Day' }).check();
  const dates = page.getByRole('region', { name: 'Days off and extra dates' }).getByRole('listitem');
  // In some years it is made up for on another day.
  await expect(dates.filter({ hasText: 'Christmas Day' }).nth(1)).toBeVisible();
  await page.reload();
  await expect(holidays.getByRole('switch', { name: 'Christmas Day' })).toBeChecked();
  const stored = await product.query<{ date: string }>(
    `select distinct to_char(date, 'MM-DD') as date from date_exceptions where provider_id = $1`,
    [specialist.id],
  );
  expect(stored).toContainEqual({ date: '12-25' });
  await holidays.getByRole('switch', { name: 'Christmas Day' }).uncheck();
  await expect(dates).toHaveCount(0);
});

test('a Sabbath rest empties Friday evening and Saturday by itself', async ({ page, product }) => {
  const specialist = await openEditor(page, product);
  await field(page, 'Friday, second window, to').fill('00:00');
  await save(page);
  const late = async () =>
    (await offeredTimes(page, product, specialist))
      .map(shown)
      .filter(({ weekday, time }) =>
        weekday === 'Friday' ? time >= '21:00' : weekday === 'Saturday' && time < '16:00',
      );
  expect((await late()).length).toBeGreaterThan(0);

  await page.getByRole('radio', { name: /^Sabbath/ }).check();
  await saveButton(page).click();
  await expect(page.getByText('Choose your city from the list, or type its coordinates.')).toBeVisible();
  const city = page.getByRole('combobox', { name: 'Your place' });
  await expect(city).toBeFocused();
  await city.fill('Bosto');
  await page.getByRole('option', { name: /^Boston, Massachusetts/ }).click();
  const rests = page.getByRole('region', { name: 'Weekly rest' }).getByRole('listitem');
  await expect(rests).toHaveCount(3);
  await expect(rests.last()).toHaveText(
    /^Fri, \w{3} \d{1,2}, [4-8]:\d\d PM to Sat, \w{3} \d{1,2}, [4-8]:\d\d PM$/,
  );
  await save(page);
  expect(await late()).toEqual([]);
  await page.reload();
  await expect(city).toHaveValue(/^Boston, Massachusetts/);

  // The same by coordinates, which have to be on this earth.
  await page.getByRole('button', { name: 'Type coordinates instead' }).click();
  await field(page, 'Latitude').fill('99');
  await saveButton(page).click();
  await expect(page.getByText('Enter degrees from −90 to 90, such as 42.36.')).toBeVisible();
  await expect(field(page, 'Latitude')).toBeFocused();
  await field(page, 'Latitude').fill('42.36');
  await save(page);
  expect(await late()).toEqual([]);
});

test('windows that make no sense are refused in words, each at its place, and nothing is lost', async ({
  page,
  product,
}) => {
  const specialist = await openEditor(page, product);
  const before = await hoursOf(product, specialist);
  const cases = [
    [
      'second',
      '12:00',
      '19:00',
      'This window overlaps another one of the same day. Change one of them, or remove it.',
    ],
    ['first', '13:00', '09:00', 'This window ends before it begins. Swap the times, or choose a later end.'],
    [
      'second',
      '22:00',
      '02:00',
      'A window can’t go past midnight. End it at 12:00 AM, and add the rest on the next day.',
    ],
    [
      'first',
      '09:00',
      '09:15',
      'Not even your shortest session fits into this window. Make it longer, or remove it.',
    ],
    ['first', '', '13:00', 'Enter both times in full, such as 9:00 AM.'],
  ] as const;
  for (const [which, from, to, sentence] of cases) {
    await field(page, 'Monday, first window, from').fill('09:00');
    await field(page, 'Monday, first window, to').fill('13:00');
    await field(page, 'Monday, second window, from').fill('14:00');
    await field(page, 'Monday, second window, to').fill('18:00');
    const begin = field(page, `Monday, ${which} window, from`);
    await begin.fill(from);
    await field(page, `Monday, ${which} window, to`).fill(to);
    await saveButton(page).click();
    await expect(page.getByText(sentence)).toBeVisible();
    await expect(begin).toBeFocused();
    await expect(begin).toHaveAccessibleDescription(sentence);
    await expect(begin).toHaveValue(from);
    await expect(field(page, `Monday, ${which} window, to`)).toHaveValue(to);
    await expect(page.getByText('Not saved: one thing needs another look.')).toBeAttached();
  }
  expect(await hoursOf(product, specialist)).toEqual(before);
  await field(page, 'Monday, first window, from').fill('09:00');
  await expect(page.getByText('Enter both times in full')).toHaveCount(0);
  await save(page);
});

test('own terms stay within the site’s, and the site’s hold where none are typed', async ({
  page,
  product,
}) => {
  const specialist = await openEditor(page, product);
  await field(page, 'Minutes between').fill('5');
  await field(page, 'Notice in hours').fill('soon');
  await field(page, 'Most in a day').fill('99');
  await saveButton(page).click();
  const terms = page.getByRole('region', { name: 'Session terms' });
  await expect(terms.getByText('The site asks for at least 15.')).toBeVisible();
  await expect(terms.getByText('Enter a whole number, or leave it empty.')).toBeVisible();
  await expect(terms.getByText('The site allows at most 8.')).toBeVisible();
  await expect(field(page, 'Minutes between')).toBeFocused();
  await field(page, 'Minutes between').fill('30');
  await field(page, 'Notice in hours').fill('');
  await field(page, 'Most in a day').fill('4');
  await terms.getByRole('checkbox', { name: '90 minutes' }).uncheck();
  await save(page);
  const byHand = terms.getByRole('switch', { name: 'Confirm bookings by hand' });
  await byHand.check();
  await expect(page.getByText('New bookings wait for you')).toBeAttached();
  const stored = await product.query(
    `select buffer_minutes, notice_hours, daily_maximum, session_lengths @> '{90}' as long, approves_first
     from providers where id = $1`,
    [specialist.id],
  );
  expect(stored).toEqual([
    { buffer_minutes: 30, notice_hours: null, daily_maximum: 4, long: false, approves_first: true },
  ]);
});

test('a session that is booked outside the new hours is listed, stays booked, and stays listed once they are saved', async ({
  page,
  open,
  product,
}) => {
  const specialist = await openEditor(page, product);
  const client = await open();
  const email = someone('client');
  await signIn(client, email);
  const start = (await offeredTimes(client, product, specialist)).find(
    (one) => shown(one).weekday === 'Tuesday',
  )!;
  await bookDirectly(client, specialist, start);

  const clashes = preview(page).getByRole('region', { name: 'One booked session lies outside these hours' });
  await expect(clashes).toHaveCount(0);
  await day(page, 'Tuesday').uncheck();
  await expect(clashes).toContainText(`${words(start, zone).shortDate}, ${words(start, zone).time}`);
  await expect(clashes).toContainText('with Somebody Else, outside your hours');
  await expect(clashes).toContainText('They stay booked, also when you save.');
  await expect(clashes.getByRole('link', { name: /^Open in your schedule/ })).toHaveAttribute(
    'href',
    new RegExp(shown(start).date),
  );
  await save(page);
  await expect(clashes).toBeVisible();
  await page.reload();
  await expect(clashes).toBeVisible();
  expect(await storedAppointments(product, { client: email })).toMatchObject([
    { status: 'confirmed', startsAt: new Date(start).toISOString() },
  ]);
});

test('hours that another window saved meanwhile are told, and what was typed can still be saved or given up', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 409/);
  const specialist = await openEditor(page, product);
  const other = await open();
  await signIn(other, specialist.email);
  await other.goto('/availability');
  await field(page, 'Monday, first window, to').fill('12:00');
  await day(other, 'Saturday').uncheck();
  await save(other);

  await saveButton(page).click();
  const told = page
    .getByRole('alert')
    .filter({ hasText: 'Your hours were saved in another window meanwhile.' });
  await expect(told).toBeVisible();
  await expect(field(page, 'Monday, first window, to')).toHaveValue('12:00');
  await told.getByRole('button', { name: 'Save mine instead' }).click();
  await readToast(page, 'Your availability is saved');
  expect(await hoursOf(product, specialist)).toContain('6 09:00-13:00');
  expect(await hoursOf(product, specialist)).toContain('1 09:00-12:00');

  // The other window follows, since nothing is typed there; then it is this one's turn to give up.
  await expect(field(other, 'Monday, first window, to')).toHaveValue('12:00');
  await field(page, 'Monday, first window, to').fill('11:00');
  await day(other, 'Friday').uncheck();
  await save(other);
  await saveButton(page).click();
  await told.getByRole('button', { name: 'Load what was saved' }).click();
  await expect(field(page, 'Monday, first window, to')).toHaveValue('12:00');
  await expect(day(page, 'Friday')).not.toBeChecked();
  await expect(saveButton(page)).toHaveCount(0);
});

test('whoever leaves the editor with unsaved hours is asked first', async ({ page, product }) => {
  await openEditor(page, product);
  await field(page, 'Monday, first window, to').fill('12:00');
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await asked.getByRole('button', { name: 'Stay' }).click();
  await expect(field(page, 'Monday, first window, to')).toHaveValue('12:00');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(field(page, 'Monday, first window, to')).toHaveValue('13:00');
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL(/\/home$/);
});

test('sessions in person are free in the windows that name a place', async ({ page, product }) => {
  const specialist = await becomeSpecialist(page, product, { timeZone: zone });
  await product.query(
    `insert into places (id, provider_id, name, address, town) values ($1, $2, 'The House by the River', '4 River St', 'Boston, MA')`,
    [crypto.randomUUID(), specialist.id],
  );
  await page.goto('/availability');
  await preview(page).getByLabel('Session type').selectOption('in-person');
  await expect(preview(page).getByText('No time would be free', { exact: true })).toBeVisible();
  await field(page, 'Monday, first window, place').selectOption('The House by the River');
  await preview(page).getByRole('button', { name: 'Later week' }).click();
  await expect(preview(page).getByRole('button', { name: /^Monday, .*, 7 free times$/ })).toBeVisible();
  await save(page);
  await page.reload();
  await expect(field(page, 'Monday, first window, place')).toHaveValue(/.+/);
});

for (const viewport of [phone, desktop]) {
  test(`hours are edited and saved by keyboard alone, ${viewport.width} pixels wide`, async ({
    page,
    product,
  }) => {
    test.slow();
    await page.setViewportSize(viewport);
    const specialist = await openEditor(page, product);
    const keys = page.keyboard;
    await press(page, day(page, 'Monday'), 'Space');
    await expect(page.getByText('Monday is a day off now.')).toBeAttached();
    await keys.press('Space');
    await expect(day(page, 'Monday')).toBeChecked();
    const end = field(page, 'Monday, first window, to');
    await tabTo(page, end);
    await keys.type('1200PM');
    await expect(end).toHaveValue('12:00');
    await press(page, page.getByRole('button', { name: 'Add hours on Monday' }));
    await expect(field(page, 'Monday, third window, from')).toBeFocused();
    await expect(field(page, 'Monday, third window, from')).toHaveValue('20:00');
    await expectFocusSeen(page);
    await press(page, page.getByRole('button', { name: 'Remove Monday, third window' }));
    await expect(field(page, 'Monday, second window, from')).toBeFocused();
    await press(page, page.getByRole('button', { name: 'Copy hours of Monday to other days' }));
    await expect(page.getByRole('menuitem', { name: 'Monday to Friday' })).toBeFocused();
    await keys.press('Enter');
    await expect(page.getByText('The hours of Monday are copied to: Monday to Friday.')).toBeAttached();
    await tabTo(page, saveButton(page), 160);
    await keys.press('Enter');
    await expect(toast(page, 'Your availability is saved')).toBeVisible();
    expect((await hoursOf(product, specialist)).filter((one) => one.endsWith('09:00-12:00'))).toHaveLength(5);
  });
}

test('the editor, its dialogs and its refusals are fair to look at on phones and desktops, in light and dark', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  test.slow();
  expectNoise(/status of 409/);
  const specialist = await openEditor(page, product);
  const client = await open();
  await signIn(client, someone('client'));
  await bookDirectly(client, specialist, (await offeredTimes(client, product, specialist))[0]!);
  await expect(preview(page).getByRole('list')).toBeVisible();
  await expectFair(page, 'the editor', { dark: true });

  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
    await day(page, name).uncheck();
  await page.getByRole('radio', { name: /^Sabbath/ }).check();
  await expect(preview(page).getByText('No time would be free', { exact: true })).toBeVisible();
  await expectFair(page, 'no time and a clash', { dark: true });
  await day(page, 'Monday').check();
  await field(page, 'Monday, first window, to').fill('08:00');
  await saveButton(page).click();
  await expect(page.getByText('This window ends before it begins.')).toBeVisible();
  await expectFair(page, 'windows with problems', { dark: true });

  await page.getByRole('button', { name: 'Add extra hours' }).click();
  const dialog = page.getByRole('dialog', { name: 'A date that differs' });
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expectFair(page, 'the dialog of a date', { dialog, dark: true });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectFair(page, 'discarding', { dialog: page.getByRole('alertdialog'), dark: true });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();

  await field(page, 'Monday, first window, to').fill('12:00');
  await product.query('update providers set availability_version = availability_version + 1 where id = $1', [
    specialist.id,
  ]);
  await saveButton(page).click();
  await expect(page.getByText('Your hours were saved in another window meanwhile.')).toBeVisible();
  await expectFair(page, 'another window was first', { dark: true });
});
