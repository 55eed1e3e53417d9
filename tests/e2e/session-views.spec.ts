import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { moveInDatabase } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { becomeFamilySpecialist, bookTogether, invite } from './support/guests.ts';
import { expectFair } from './support/look.ts';

test.use({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] });

/** Lets every session of a specialist begin in so many minutes. */
async function beginsIn(product: Product, appointmentId: string, minutes: number): Promise<Date> {
  const start = new Date(Math.floor(Date.now() / 60_000) * 60_000 + minutes * 60_000);
  await moveInDatabase(product, appointmentId, start);
  return start;
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('a session by phone says who calls whom, the number to the one who calls, and what to do where nobody does', async ({
  page: client,
  open,
  product,
}) => {
  const doctor = await open();
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Phoebe Orme');
  const { appointmentId } = await bookTogether(client, product, specialist, {
    sessionType: 'phone',
    phone: '+1 555 010 0177',
  });
  await beginsIn(product, appointmentId, 5);
  await client.goto(`/session/${appointmentId}`);
  await expect(heading(client)).toHaveText('Your session by phone');
  await expect(
    client.getByRole('heading', { name: /^Dr\. Phoebe Orme calls you at \d\d:\d\d [AP]M$/ }),
  ).toBeVisible();
  await expect(client.getByText(/^If nobody has called by/)).toBeVisible();
  await expect(client.getByText('+1 555 010 0177')).toHaveCount(0);
  await expect(client.getByRole('main').getByRole('link', { name: /^Message/ })).toBeVisible();
  await expectFair(client, 'by phone, called', { dark: true });
  const file = client.waitForEvent('download');
  await client.getByRole('button', { name: 'Save to my calendar' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.ics$/);

  await doctor.goto(`/session/${appointmentId}`);
  await expect(doctor.getByRole('heading', { name: /^Please call Ruth Amsel at/ })).toBeVisible();
  const number = doctor.getByRole('link', { name: 'Call Ruth Amsel at +1 555 010 0177' });
  await expect(number).toHaveAttribute('href', 'tel:+15550100177');
  const copy = doctor.getByRole('button', { name: 'Copy number' });
  await expect(copy).toBeEnabled();
  await copy.press('Enter');
  await expect.poll(() => doctor.evaluate(() => navigator.clipboard.readText())).toBe('+1 555 010 0177');
  await expectFair(doctor, 'by phone, calling', { dark: true });

  // One who was invited hears of no number.
  const guest = await open();
  await signIn(guest, someone('naomi'));
  const path = await invite(client, product, appointmentId);
  await guest.goto(path);
  await guest.getByRole('checkbox', { name: /stays there/ }).check();
  await guest.getByRole('button', { name: 'Accept the invitation' }).click();
  await guest.getByRole('link', { name: 'Open the session' }).click();
  await expect(guest.getByRole('heading', { name: /^Dr\. Phoebe Orme calls Ruth Amsel at/ })).toBeVisible();
  await expect(guest.getByRole('main').locator('a[href^="tel:"]')).toHaveCount(0);
  await expect(guest.getByRole('main').getByText('555')).toHaveCount(0);
  await expectFair(guest, 'by phone, invited');

  await beginsIn(product, appointmentId, -180);
  await client.reload();
  await expect(client.getByText('This session is over')).toBeVisible();
  await expect(client.getByText('You find it among your past sessions.')).toBeVisible();
  await guest.reload();
  await expect(guest.getByText('Thank you for coming.', { exact: true })).toBeVisible();
  await expectFair(client, 'by phone, over');
});

test('a session by phone without a number, booked before one was required, says so to both', async ({
  page: client,
  open,
  product,
}) => {
  const doctor = await open();
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Silas Penn');
  const { appointmentId } = await bookTogether(client, product, specialist, {
    sessionType: 'phone',
    phone: '+1 555 010 0177',
  });
  await product.query('update appointments set contact_phone = null where id = $1', [appointmentId]);
  await beginsIn(product, appointmentId, 5);
  await client.goto(`/session/${appointmentId}`);
  await expect(client.getByRole('heading', { name: /^Dr\. Silas Penn calls you at/ })).toBeVisible();
  await expect(client.getByText('We have no number for you.')).toBeVisible();
  await doctor.goto(`/session/${appointmentId}`);
  await expect(doctor.getByRole('heading', { name: 'We have no number for Ruth Amsel' })).toBeVisible();
  await expectFair(client, 'by phone, no number');
});

test('a session in person shows the address, the way on a map that a person opens, the door, and when to come', async ({
  page: client,
  open,
  product,
}) => {
  const doctor = await open();
  const specialist = await becomeFamilySpecialist(doctor, product, 'Dr. Agnes Holm');
  const { appointmentId } = await bookTogether(client, product, specialist, { sessionType: 'in-person' });
  const view = async () => {
    await client.goto(`/session/${appointmentId}`);
    await expect(heading(client)).toHaveText('Your session in person');
  };
  await view();
  await expect(client.getByRole('heading', { name: 'The place is arranged between you' })).toBeVisible();
  await expect(client.getByText('Dr. Agnes Holm sees people in Boston, MA.')).toBeVisible();
  await expectFair(client, 'in person, no place');

  const [place] = await product.query<{ id: string }>(
    `insert into places (id, provider_id, position, name, address, town, directions, latitude, longitude)
     values (gen_random_uuid(), $1, 1, 'The Old Vicarage', '12 Elm Street, Boston, MA 02118', 'Boston',
             'The green door left of the bakery. Ring at Holm; second floor, there is a lift.', 42.34, -71.07)
     returning id`,
    [specialist.id],
  );
  await product.query('update appointments set place_id = $2 where id = $1', [appointmentId, place!.id]);
  const asked: string[] = [];
  client.on('request', (request) => asked.push(new URL(request.url()).host));
  await view();
  await expect(client.getByText('12 Elm Street, Boston, MA 02118')).toBeVisible();
  await expect(client.getByText(/^The green door left of the bakery/)).toBeVisible();
  await expect(client.getByText(/^It begins at \d\d:\d\d [AP]M/)).toBeVisible();
  const map = client.getByRole('link', { name: /^Open a map/ });
  await expect(map).toHaveAttribute(
    'href',
    'https://www.openstreetmap.org/?mlat=42.34&mlon=-71.07#map=17/42.34/-71.07',
  );
  await expect(map).toHaveAttribute('rel', 'noreferrer');
  await expectFair(client, 'in person', { dark: true });
  expect(new Set(asked)).toEqual(new Set([new URL(product.url).host]));
  await doctor.goto(`/session/${appointmentId}`);
  await expect(doctor.getByText(/^You are expected there at/)).toBeVisible();
});
