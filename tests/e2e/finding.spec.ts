import type { Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookingDialog,
  confirm,
  confirmedDialog,
  storedAppointments,
  words,
} from './support/booking.ts';
import type { Product } from '../../scripts/product.ts';
import { expect, password, someone, test } from './support/fixtures.ts';
import { desktop, phone } from './support/look.ts';

test.use({ timezoneId: 'America/Chicago' });

const cards = (page: Page) => page.getByRole('main').getByRole('article');
const count = (page: Page) => page.getByRole('region', { name: 'Specialists' }).getByRole('status').first();

test('applies filters chosen before the script ran, and keeps them on back and reload', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product, { name: 'Dr. Tilda Quispe' });
  await product.query(`update providers set languages = '{Quechua}' where id = $1`, [ada.id]);
  let go = () => {};
  const chosen = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await chosen;
    await route.continue();
  });
  await page.goto('/therapists?language=Quechua', { waitUntil: 'commit' });
  await page.getByLabel('Doctor or pastor').selectOption('pastor');
  go();
  await expect(page).toHaveURL('/therapists?kind=pastor&language=Quechua');
  await expect(count(page)).toHaveText('0 specialists');
  await page.getByLabel('Doctor or pastor').selectOption('doctor');
  await expect(page).toHaveURL('/therapists?kind=doctor&language=Quechua');
  await expect(cards(page)).toContainText([ada.name]);
  await page.goBack();
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('pastor');
  await expect(count(page)).toHaveText('0 specialists');
  await page.goForward();
  await page.reload();
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('doctor');
  await expect(cards(page)).toContainText([ada.name]);
});

test('filters, pages and reads specialists without script', async ({ open, product }) => {
  const ada = await becomeSpecialist(await open(), product, { name: 'Dr. Nell Ashby' });
  await product.query(`update providers set languages = '{Ladino}' where id = $1`, [ada.id]);
  await addCopies(product, ada.id, 12);
  const page = await open({ javaScriptEnabled: false, viewport: phone });
  await page.goto('/therapists/match');
  const hint = page.locator('noscript div', { hasText: 'These questions need JavaScript' });
  await expect(hint.first()).toBeVisible();
  await page.getByRole('link', { name: 'All specialists' }).click();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Doctor or pastor').selectOption('pastor');
  await page
    .getByRole('button', { name: /^Show (\d+ )?specialists?$/ })
    .filter({ visible: true })
    .click();
  await expect(page).toHaveURL(/[?&]kind=pastor(&|$)/);
  await expect(cards(page).first()).toContainText('Ordained');
  await expect(cards(page).filter({ hasText: 'Licensed clinician' })).toHaveCount(0);
  await page.setViewportSize(desktop);
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('pastor');
  await expect(
    page.getByRole('button', { name: /^Show (\d+ )?specialists?$/ }).filter({ visible: true }),
  ).toBeVisible();
  await page.getByRole('link', { name: /^Remove the filter “Doctor or pastor/ }).click();
  await expect(page).toHaveURL('/therapists');

  // The choices may be a minute old.
  await page.goto('/therapists?language=Ladino');
  await expect(count(page)).toHaveText('13 specialists');
  await expect(cards(page)).toHaveCount(12);
  expect(await page.getByRole('main').innerText()).toContain('Turn on JavaScript to book a time.');
  await page.getByRole('link', { name: 'Show more' }).click();
  await expect(cards(page)).toHaveCount(13);
  await expect(cards(page).last()).toBeInViewport();
  const card = cards(page).filter({ hasText: ada.name });
  const [site] = await product.query<{ zone: string }>('select timezone as zone from site_settings');
  const city = site!.zone.split('/').at(-1)!.replaceAll('_', ' ');
  for (const place of [card, page.getByRole('complementary')]) {
    const start = place.getByRole('button', { name: /^Book \w+, / }).first();
    const { shortDate, openTime } = words(
      (await start.locator('time').getAttribute('datetime'))!,
      site!.zone,
    );
    await expect(start).toHaveAccessibleName(`Book ${shortDate}, ${openTime} with ${ada.name}`);
    await expect(page.getByText(`All times are ${city} time.`)).toBeVisible();
    if (place === card) await card.getByRole('link', { name: ada.name, exact: true }).click();
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ada.name);
  await expect(page.getByRole('main')).toContainText('Ladino');
});

/** Adds specialists like this one to the end of the directory, without working hours. */
async function addCopies(product: Product, id: string, copies: number): Promise<void> {
  const ids = Array.from({ length: copies }, () => crypto.randomUUID());
  for (const [table, changes] of [
    ['users', `'email', copy || '@italk.test'`],
    ['profiles', `'full_name', 'Dr. Copy'`],
    ['providers', `'slug', 'copy-' || copy, 'position', 2100000000`],
  ])
    await product.query(
      `insert into ${table} select (jsonb_populate_record(old, jsonb_build_object('id', copy, ${changes}))).*
       from ${table} as old, unnest($2::uuid[]) as copy where old.id = $1`,
      [id, ids],
    );
  await product.query(
    `insert into provider_services (provider_id, service_id)
     select copy, service_id from provider_services, unnest($2::uuid[]) as copy where provider_id = $1`,
    [id, ids],
  );
}

test('keeps the time a guest chose selected after sign-in, and books it', async ({ page, open, product }) => {
  const ada = await becomeSpecialist(await open(), product, { name: 'Dr. Iris Lund' });
  await product.query(`update providers set languages = '{Aramaic}' where id = $1`, [ada.id]);
  const client = someone('lois');
  const found = '/therapists?care=grief&language=Aramaic';
  await page.goto(found);
  const card = cards(page).filter({ hasText: ada.name });
  const start = card.getByRole('button', { name: /^Book \w+, / }).nth(1);
  const startsAt = (await start.locator('time').getAttribute('datetime'))!;
  const { shortDate, time, openTime } = words(startsAt);
  await expect(start).toHaveAccessibleName(`Book ${shortDate}, ${openTime} with ${ada.name}`);
  await start.click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(client);
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  const dialog = bookingDialog(page);
  await expect(
    dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio', { name: openTime }),
  ).toBeChecked();
  await dialog.getByRole('radio', { name: /Online Video Call/ }).check();
  await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toContainText(
    `${shortDate}, ${time}`,
  );
  await confirm(dialog);
  await expect(confirmedDialog(page)).toBeVisible();
  await expect
    .poll(() => storedAppointments(product, { client }))
    .toMatchObject([{ startsAt: new Date(startsAt).toISOString() }]);
  await expect(page).toHaveURL(found);
});
