import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import {
  becomeSpecialist,
  offeredTimes,
  openBooking,
  openDays,
  openTimes,
  readToast,
  type Specialist,
} from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const zone = 'America/New_York';
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const field = (page: Page | Locator, name: string) => page.getByLabel(name, { exact: true });
const preview = (page: Page) => page.getByRole('region', { name: 'What clients would see' });
const day = (page: Page, name: string) => page.getByRole('switch', { name: `${name}, open for sessions` });

/** Opens the editor as a new specialist, who has the usual hours in New York. */
async function openEditor(page: Page, product: Product): Promise<Specialist> {
  const specialist = await becomeSpecialist(page, product, { timeZone: zone });
  await page.goto('/home');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Availability Settings/ })
    .click();
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
  await preview(page).getByRole('button', { name: 'Later week' }).click();
  await expect(preview(page).getByRole('button', { name: /^Monday, .*, 5 free times$/ })).toBeVisible();
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

test('dates off and extra dates count at once, and what is removed can be had back', async ({
  page,
  product,
}) => {
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
  await dialog.getByLabel('Date', { exact: true }).fill(date);
  await dialog.getByLabel('Note').fill('With my mother');
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
