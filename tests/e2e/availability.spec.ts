import { becomeSpecialist, openBooking, openDays, openTimes, readToast } from './support/booking.ts';
import { expect, test } from './support/fixtures.ts';
import { becomeClient } from './support/people.ts';

const zone = 'America/New_York';
function shown(instant: string) {
  const at = new Date(instant);
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options }).format(at);
  return {
    weekday: part({ weekday: 'long' }),
    time: part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  };
}

test(
  'shows a specialist’s edited week, with a break, to a client in another browser at once',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const specialist = await becomeSpecialist(page, product, { timeZone: zone });
    const client = await open();
    await becomeClient(client, product);
    const before = await openBooking(client, specialist);
    await before.getByRole('button', { name: 'Next month' }).click();
    await (await openDays(before)).nth(1).click();
    expect(await (await openTimes(before)).count()).toBeGreaterThan(10);

    await page.goto('/home');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Availability Settings/ })
      .click();
    const hours = (name: string) => page.getByRole('gridcell', { name, exact: true });
    for (const name of ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'])
      await page.getByRole('switch', { name: `${name}, open for sessions` }).uncheck();
    const morning = hours('Monday, 9:00 AM – 1:00 PM');
    // The lower edge of the morning, to eleven.
    await morning.locator('[data-edge="to"]').dragTo(morning, { targetPosition: { x: 20, y: 80 } });
    await hours('Monday, 2:00 PM – 7:00 PM').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit hours' });
    await dialog.getByLabel('From', { exact: true }).fill('11:30');
    await dialog.getByLabel('To', { exact: true }).fill('13:00');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(hours('Monday, 9:00 AM – 11:00 AM')).toBeVisible();
    await expect(hours('Monday, 11:30 AM – 1:00 PM')).toBeFocused();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await readToast(page, 'Availability saved');

    const booking = await openBooking(client, specialist);
    // The first Monday's earliest hours may fall inside the lead time.
    await booking.getByRole('button', { name: 'Next month' }).click();
    await (await openDays(booking)).nth(1).click();
    const offered = await (
      await openTimes(booking)
    ).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(new Set(offered.map((start) => shown(start).weekday))).toEqual(new Set(['Monday']));
    expect(offered.map((start) => shown(start).time)).toEqual(['09:00', '09:30', '10:00', '11:30', '12:00']);
  },
);
