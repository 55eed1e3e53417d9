import type { Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, bookingDialog, chooseTime, openBooking, toast } from './support/booking.ts';
import { expect, signIn, someone, test } from './support/fixtures.ts';
import { expectNoViolation, phone } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ reducedMotion: 'reduce' });

/** A specialist with their own page open, and the address of what everybody sees. */
async function atPractice(page: Page, product: Product, name: string) {
  const specialist = await becomeSpecialist(page, product, { name });
  await page.goto('/practice');
  await expect(page.getByRole('heading', { level: 1, name: 'Your practice' })).toBeVisible();
  return { ...specialist, path: `/therapists/specialist-${specialist.id}` };
}

/** The number of mails to an address, by a part of their text. */
async function countMails(product: Product, email: string, words: string): Promise<number> {
  return (await mailsTo(product, email)).filter(({ text }) => text.includes(words)).length;
}

test('the page of a specialist says who they are, what binds them, what they offer, and when there is time', async ({
  page,
}) => {
  await page.goto('/therapists/dr-sarah-whitfield');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dr. Sarah Whitfield');
  await expect(page).toHaveTitle(/^Dr\. Sarah Whitfield, Clinical Psychologist/);
  await expect(page.getByText('Licensed clinicians are bound by the law')).toBeVisible();
  const main = page.getByRole('main');
  for (const said of [
    'Clinical Psychologist',
    'Doctor of Psychology (PsyD)',
    'Cognitive and trauma-informed therapy',
    'English, Spanish',
    'Anglican, Non-denominational',
    'As much or as little as you wish',
    'Online, by video',
    '60 minutes · $120',
    'Licence: New York State Board for Psychology, New York',
    'Valid until December',
  ])
    await expect(main.getByText(said, { exact: false }).first()).toBeVisible();
  await expect(main).not.toContainText('PSY-DEMO');
  await expect(main.getByText(/^Next open time/)).toBeVisible();
  await main.getByText('What clients say').click();
  await expect(main.getByRole('region', { name: 'Reviews' }).getByRole('listitem').first()).toBeVisible();
  const head = await page.evaluate(() => ({
    canonical: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
    card: document.querySelector<HTMLMetaElement>('meta[property="og:image"]')?.content,
    structured: JSON.parse(
      document.querySelector('script[type="application/ld+json"]')!.textContent,
    ) as object,
  }));
  expect(head.canonical).toMatch(/\/therapists\/dr-sarah-whitfield$/);
  expect(head.card).toMatch(/\/cards\/therapists\.png$/);
  expect(head.structured).toMatchObject({ '@type': 'Person', name: 'Dr. Sarah Whitfield' });
  const map = await (await page.request.get('/sitemap.xml')).text();
  expect(map).toContain('/therapists/dr-sarah-whitfield</loc>');
  await main.getByRole('button', { name: 'Book Session with Dr. Sarah Whitfield' }).click();
  await expect(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
});

test('an address without a specialist is answered as one that isn’t there', async ({ page }) => {
  for (const path of ['/therapists/nobody-at-all', '/therapists/Not%20An%20Address', '/therapists/%00']) {
    const answer = await page.request.get(path);
    expect(answer.status()).toBeLessThan(500);
    expect(answer.status()).toBeGreaterThanOrEqual(400);
  }
});

test('what a specialist writes stands on their page at once, for guests too', async ({
  page,
  product,
  open,
}) => {
  const { path } = await atPractice(page, product, 'Dr. Edith Moor');
  const guest = await open();
  await guest.goto(path);
  await expect(guest.getByRole('main')).toContainText('Their credentials are being checked');
  await page.getByLabel('Title', { exact: true }).fill('Family Therapist');
  await page.getByLabel('About you').fill('Takes her time.\nAnd asks.');
  const specialties = page.getByRole('group', { name: 'Specialties' });
  await specialties.getByRole('textbox').fill('Sleep');
  await specialties.getByRole('textbox').press('Enter');
  await specialties.getByRole('button', { name: 'Remove Grief' }).click();
  await page.getByRole('group', { name: 'How you meet' }).getByLabel('By phone').uncheck();
  await page.getByRole('radio', { name: /At the centre/ }).check();
  await page.getByRole('button', { name: 'Save Your Page' }).click();
  await expect(toast(page, 'Your page is saved')).toBeVisible();
  await guest.goto(path);
  const shown = guest.getByRole('main');
  for (const said of ['Family Therapist', 'Takes her time.', 'Sleep', 'At the centre'])
    await expect(shown).toContainText(said);
  for (const gone of ['Psychologist', 'Grief', 'By phone']) await expect(shown).not.toContainText(gone);
  await page.getByRole('link', { name: 'See your page' }).click();
  await expect.poll(() => page.context().pages().length).toBe(2);
});

test('a change of licence data waits for an administrator, and what was approved stays until then', async ({
  page,
  product,
  open,
}) => {
  const { path, email } = await atPractice(page, product, 'Dr. Clara Voss');
  const admin = await open();
  await signIn(admin, 'admin');
  const guest = await open();
  const credentials = page.getByRole('tabpanel', { name: 'Credentials' });
  const send = async (number: string, region: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Issued by').fill('Board of Psychology');
    await dialog.getByLabel('Where it holds').fill(region);
    await dialog.getByLabel('Number').fill(number);
    await dialog.getByLabel('Valid until').fill('2099-06-30');
    await dialog.getByRole('button', { name: 'Send for approval' }).click();
    await expect(credentials.getByText('Being checked', { exact: true })).toBeVisible();
  };
  const entry = admin.getByRole('article', { name: 'the credentials of Dr. Clara Voss' });

  await page.getByRole('tab', { name: 'Credentials' }).click();
  await credentials.getByRole('button', { name: 'Add a credential' }).click();
  await send('PSY 4711', 'New York');
  await guest.goto(path);
  await expect(guest.getByRole('main')).toContainText('Their credentials are being checked');

  await admin.goto('/admin/moderation?tab=credentials');
  await expect(entry).toContainText('PSY 4711');
  await entry.getByRole('button', { name: 'Approve' }).click();
  await expect(entry).toHaveCount(0);
  await expect(credentials.getByText('Approved', { exact: true })).toBeVisible();
  await guest.goto(path);
  await expect(guest.getByRole('main')).toContainText('Licence: Board of Psychology, New York');
  await expect(guest.getByRole('main')).toContainText('Valid until June 2099');
  expect(await guest.content()).not.toContain('4711');
  await expect.poll(() => countMails(product, email, 'stand on your page now')).toBe(1);

  await credentials.getByRole('button', { name: 'Change Board of Psychology' }).click();
  await send('PSY 4712', 'Vermont');
  await guest.reload();
  await expect(guest.getByRole('main')).toContainText('Board of Psychology, New York');
  await expect(entry).toContainText('Vermont');
  await entry.getByRole('button', { name: 'Reject' }).click();
  const why = admin.getByRole('alertdialog');
  await why.getByLabel('Reason').fill('The board of Vermont doesn’t know this number.');
  await why.getByRole('button', { name: 'Reject' }).click();
  await expect(entry).toHaveCount(0);
  await expect(credentials).toContainText('The board of Vermont doesn’t know this number.');
  await expect.poll(() => countMails(product, email, 'can’t be approved')).toBe(1);
  await guest.reload();
  await expect(guest.getByRole('main')).toContainText('Board of Psychology, New York');

  await credentials.getByRole('button', { name: 'Change and send again' }).click();
  await send('PSY 4713', 'Maine');
  await entry.getByRole('button', { name: 'Approve' }).click();
  await expect(entry).toHaveCount(0);
  await guest.goto(path);
  await expect(guest.getByRole('main')).toContainText('Board of Psychology, Maine');
  await expect(guest.getByRole('main')).not.toContainText('New York');
});

test('a specialist keeps their places, of which everybody reads the town alone', async ({
  page,
  product,
  open,
}) => {
  const { path } = await atPractice(page, product, 'Dr. Nora Falk');
  await page.getByRole('tab', { name: 'Places' }).click();
  const places = page.getByRole('tabpanel', { name: 'Places' });
  const add = async (name: string, town: string) => {
    await places.getByRole('button', { name: 'Add a place' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a place' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Address').fill('12 Elm Street');
    await dialog.getByLabel('Town').fill(town);
    await dialog.getByLabel('Latitude').fill('42.36');
    await dialog.getByLabel('Longitude').fill('-71.06');
    await dialog.getByRole('button', { name: 'Save the place' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(places.getByRole('article', { name })).toBeVisible();
  };
  await add('The practice', 'Boston, MA');
  await add('The parish house', 'Salem, MA');
  await places.getByRole('button', { name: 'Move up The parish house' }).click();
  await expect(places.getByRole('article').first()).toContainText('The parish house');
  const guest = await open();
  await guest.goto(path);
  await expect(guest.getByRole('main')).toContainText('In person in Salem, MA; Boston, MA.');
  expect(await guest.content()).not.toContain('Elm Street');
  await places.getByRole('button', { name: 'Close The practice' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await expect(places.getByRole('heading', { name: 'Closed places' })).toBeVisible();
  await guest.goto(path);
  await expect(guest.getByRole('main')).toContainText('In person in Salem, MA.');
  await places.getByRole('button', { name: 'Open again The practice' }).click();
  await expect(places.getByRole('heading', { name: 'Closed places' })).toHaveCount(0);
});

test('the booking dialog offers what the specialist offers, and says what binds them before the summary is confirmed', async ({
  page,
  product,
  open,
}) => {
  const own = await open();
  const specialist = await becomeSpecialist(own, product, { name: 'Dr. Mara Lind' });
  await product.query(`update providers set session_types = '{phone,in-person}' where id = $1`, [
    specialist.id,
  ]);
  await signIn(page, someone('reader'));
  await page.setViewportSize(phone);
  const dialog = await openBooking(page, specialist);
  await expect(dialog.getByText('Licensed clinician').first()).toBeVisible();
  await chooseTime(dialog, { monthsOn: 1 });
  const types = dialog.getByRole('radiogroup', { name: 'Session type' }).getByRole('radio');
  await expect(types).toHaveCount(2);
  await dialog.getByRole('radio', { name: /In-Person/ }).check();
  const means = dialog.getByRole('region', { name: 'Confidentiality' });
  await expect(means).toContainText('professional confidentiality');
  await means.scrollIntoViewIfNeeded();
  const summary = dialog.getByRole('region', { name: 'Appointment Summary' });
  await expect(means).toBeInViewport({ ratio: 1 });
  await expect(summary).toBeInViewport({ ratio: 1 });
  await expectNoViolation(page, 'the booking dialog with what binds the specialist');
  await dialog.getByRole('button', { name: 'Confirm Appointment' }).click();
  await expect(bookingDialog(page)).toHaveCount(0);
  // The server decides, whatever a screen sends.
  const [start] = await product.query<{ at: Date }>(
    `select starts_at + interval '7 days' as at from appointments where provider_id = $1`,
    [specialist.id],
  );
  const refused = await page.request.post('/api/bookings', {
    headers: { origin: product.url },
    data: {
      idempotencyKey: crypto.randomUUID(),
      providerId: specialist.id,
      serviceId: 'individuals',
      startsAt: new Date(start!.at).toISOString(),
      durationMinutes: 60,
      sessionType: 'online',
      contact: { name: 'R', email: 'r@italk.example' },
      timeZone: 'America/New_York',
    },
  });
  expect(await refused.json()).toMatchObject({ code: 'invalid', reason: 'not_offered' });
});
