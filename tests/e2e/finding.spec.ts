import type { Page } from '@playwright/test';
import {
  becomeSpecialist,
  bookingDialog,
  confirm,
  confirmedDialog,
  storedAppointments,
  words,
} from './support/booking.ts';
import { expect, password, signIn, someone, test } from './support/fixtures.ts';
import { press, tabTo } from './support/keyboard.ts';
import { desktop, expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce', timezoneId: 'America/Chicago' });

const cards = (page: Page) => page.getByRole('main').getByRole('article');
const count = (page: Page) => page.getByRole('region', { name: 'Specialists' }).getByRole('status').first();

test('filters stand in the address: shared, taken away one by one, and gone back to', async ({ page }) => {
  await page.goto('/therapists?kind=pastor&language=Spanish&nonsense=1&faith=much&page=zero');
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText('Pastor Daniel Reyes');
  await expect(count(page)).toHaveText('1 specialist');
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('pastor');
  await expect(page.getByLabel('Language')).toHaveValue('Spanish');

  await page.getByLabel('How to meet').selectOption('phone');
  await expect(page).toHaveURL('/therapists?kind=pastor&type=phone&language=Spanish');
  await page.getByRole('link', { name: 'Remove the filter “Doctor or pastor: Pastor' }).click();
  await expect(page).toHaveURL('/therapists?type=phone&language=Spanish');
  await expect(count(page)).toHaveText('2 specialists');
  await expect(page.getByRole('heading', { name: 'Specialists', exact: true })).toBeFocused();

  await page.goBack();
  await expect(page).toHaveURL('/therapists?kind=pastor&type=phone&language=Spanish');
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('pastor');
  await expect(count(page)).toHaveText('1 specialist');
  await page.goBack();
  await expect(page.getByLabel('How to meet')).toHaveValue('');
  await page.goForward();
  await page.reload();
  await expect(count(page)).toHaveText('1 specialist');
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/therapists');
  await expect(page.getByRole('list', { name: 'Chosen filters' })).toHaveCount(0);
});

test('an order and a time of one’s own zone can be asked for', async ({ page, product }) => {
  await page.goto('/therapists');
  await page.getByLabel('First free time').selectOption({ label: 'In the evening, after 5 PM' });
  await expect(page).toHaveURL('/therapists?time=evenings&zone=America%2FChicago');
  await expect(page.getByText('Times are in your time zone, Chicago.')).toBeVisible();
  const starts = page.getByRole('button', { name: /^Book \w+, / });
  // Until then those who stood there before still do, also who has no time in the evening.
  await expect(page.getByRole('link', { name: /^Remove the filter “First free time/ })).toBeVisible();
  await expect(count(page)).toHaveText(/specialist/);
  await expect(starts.first()).toBeVisible();
  for (const name of await starts.allTextContents()) expect(name).toMatch(/(05|06|07|08|09|10|11):\d\d PM/);
  await page.getByLabel('First free time').selectOption('');
  await page.getByLabel('Order').selectOption({ label: 'Soonest free time' });
  await expect(page).toHaveURL('/therapists?order=soonest');
  await expect(starts.first()).toBeVisible();
  const answer = await page.request.get(`${product.url}/api/find?order=soonest&limit=5`);
  const { specialists } = (await answer.json()) as { specialists: { name: string }[] };
  for (const [index, { name }] of specialists.entries())
    await expect(cards(page).nth(index).getByRole('heading', { level: 2 })).toHaveText(name);
});

test('what is chosen before the page’s script ran counts, too', async ({ page }) => {
  let go = () => {};
  const chosen = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await chosen;
    await route.continue();
  });
  await page.goto('/therapists', { waitUntil: 'commit' });
  await page.getByLabel('Doctor or pastor').selectOption('pastor');
  await page.getByLabel('Order').selectOption({ label: 'Soonest free time' });
  go();
  await expect(page).toHaveURL('/therapists?kind=pastor&order=soonest');
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('pastor');
});

test('nobody who fits: it says which wish could wait', async ({ page }) => {
  await page.goto('/therapists?kind=pastor&language=French&time=tomorrow');
  await expect(page.getByRole('heading', { name: 'Nobody fits all of that yet' })).toBeVisible();
  await expect(page.getByText('at least 24 hours ahead')).toBeVisible();
  await expect(count(page)).toHaveText('0 specialists');
  await expectFair(page, 'nobody who fits', { dark: true });
  await page.getByRole('link', { name: 'Without “First free time: Today or tomorrow”' }).click();
  await page.getByRole('link', { name: /^Without “Doctor or pastor/ }).click();
  await expect(cards(page).first()).toContainText('French');
});

test('more specialists are shown on demand, and again when one comes back', async ({ page, product }) => {
  const made = `insert into users (id, name, email)
    select gen_random_uuid(), 'Dr. Page ' || lpad(n::text, 2, '0'), 'page-' || n || '@people.example'
    from generate_series(1, 30) n returning id, name`;
  const people = await product.query<{ id: string; name: string }>(made);
  const ids = people.map(({ id }) => id);
  await product.query(
    `insert into profiles (id, role, full_name) select id, 'doctor', name from users where id = any($1)`,
    [ids],
  );
  await product.query(
    `insert into providers (id, slug, kind, title, specialties, experience, location, bio, time_zone, languages, position)
     select id, 'page-' || id, 'doctor', 'Psychologist', '{Grief}', '1 year', 'Boston, MA', 'Listens.', 'UTC',
       '{Quechua}', 2000000000 from users where id = any($1)`,
    [ids],
  );
  try {
    await page.goto('/therapists?language=Quechua');
    await expect(cards(page)).toHaveCount(12);
    await expect(count(page)).toHaveText('30 specialists');
    await page.getByRole('link', { name: 'Show more' }).click();
    await expect(cards(page)).toHaveCount(24);
    await expect(page).toHaveURL('/therapists?language=Quechua&page=2');
    await page.getByRole('link', { name: 'Show more' }).click();
    await expect(cards(page)).toHaveCount(30);
    await expect(page.getByRole('link', { name: 'Show more' })).toHaveCount(0);
    await expect(cards(page).first()).toContainText('No open times at present');
    await page.reload();
    await expect(cards(page)).toHaveCount(30);
    // Seen again from the start once it is narrowed down.
    await page.getByLabel('Doctor or pastor').selectOption('doctor');
    await expect(page).toHaveURL('/therapists?kind=doctor&language=Quechua');
    await expect(cards(page)).toHaveCount(12);
  } finally {
    await product.query(`delete from users where id = any($1)`, [ids]);
  }
});

test('filters work without script', async ({ open }) => {
  const page = await open({ javaScriptEnabled: false, viewport: desktop });
  await page.goto('/therapists');
  await page.getByLabel('Doctor or pastor').selectOption('pastor');
  await page.getByRole('button', { name: 'Show specialists' }).filter({ visible: true }).click();
  await expect(page).toHaveURL(/[?&]kind=pastor(&|$)/);
  await expect(cards(page).filter({ hasText: 'Licensed clinician' })).toHaveCount(0);
  await expect(page.getByLabel('Doctor or pastor')).toHaveValue('pastor');
  await page.getByRole('link', { name: /^Remove the filter “Doctor or pastor/ }).click();
  await expect(page).toHaveURL('/therapists');

  const small = await open({ javaScriptEnabled: false, viewport: phone });
  await small.goto('/therapists');
  await small.getByRole('button', { name: 'Filters' }).click();
  await small.getByLabel('Language').selectOption('Spanish');
  await small.getByRole('button', { name: 'Show specialists' }).filter({ visible: true }).click();
  await expect(small).toHaveURL(/[?&]language=Spanish(&|$)/);
  await expect(cards(small).first()).toContainText('Spanish');
});

test('on phones the filters are a sheet, all by keyboard', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/therapists');
  await expect(page.getByLabel('Language')).toBeHidden();
  const sheet = page.getByRole('form', { name: 'Filters' });
  await press(page, page.getByRole('button', { name: 'Filters' }));
  await expect(sheet).toBeVisible();
  await expectNoViolation(page, 'the sheet of filters');
  await tabTo(page, sheet.getByLabel('Doctor or pastor'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL('/therapists?kind=pastor');
  await press(page, sheet.getByRole('button', { name: /^Show specialists/ }));
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Filters' })).toBeFocused();
  const chip = page.getByRole('link', { name: /^Remove the filter “Doctor or pastor/ });
  await expect(chip).toBeVisible();
  await press(page, chip);
  await expect(page).toHaveURL('/therapists');
  await page.getByRole('button', { name: 'Filters' }).focus();
  await page.keyboard.press('Enter');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
});

test('a guest books from a next free start, and finds it chosen after signing in', async ({
  page,
  open,
  product,
}) => {
  const ada = await becomeSpecialist(await open(), product, { name: 'Dr. Iris Lund' });
  const client = someone('lois');
  await page.goto('/therapists?care=grief');
  const card = cards(page).filter({ hasText: ada.name });
  const start = card.getByRole('button', { name: /^Book \w+, / }).nth(1);
  const startsAt = (await start.locator('time').getAttribute('datetime'))!;
  const { shortDate, time } = words(startsAt);
  await expect(start).toHaveAccessibleName(`Book ${shortDate}, ${time} with ${ada.name}`);
  await start.click();
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByLabel('Email').fill(client);
  await prompt.getByLabel('Password', { exact: true }).fill(password);
  await prompt.getByRole('button', { name: 'Sign In', exact: true }).click();
  const dialog = bookingDialog(page);
  await expect(
    dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio', { name: time }),
  ).toBeChecked();
  await dialog.getByRole('radio', { name: /Online Video Call/ }).check();
  await expect(dialog.getByRole('region', { name: 'Appointment Summary' })).toContainText(
    `${shortDate}, ${time}`,
  );
  await confirm(dialog);
  await expect(confirmedDialog(page)).toBeVisible();
  expect(await storedAppointments(product, { client })).toMatchObject([
    { startsAt: new Date(startsAt).toISOString() },
  ]);
  await expect(page).toHaveURL('/therapists?care=grief');
});

test('what can’t be looked for is said, with the filters kept, and tried again', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/status of 5\d\d|net::ERR_FAILED/);
  await page.goto('/therapists');
  await page.route('**/api/find?*', (route) => route.abort());
  await page.getByLabel('Tradition').selectOption('Baptist');
  await expect(page.getByRole('alert')).toContainText('We couldn’t look for specialists just now');
  await expect(page.getByLabel('Tradition')).toHaveValue('Baptist');
  await page.unroute('**/api/find?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(cards(page).first()).toContainText('Pastor Samuel Adeyemi');
});

test.describe('help me choose', () => {
  const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
  const skip = (page: Page) => page.getByRole('button', { name: 'Skip' }).click();

  test('asks up to five questions and names who may fit, with a sentence why', async ({ page }) => {
    await page.goto('/therapists');
    await page.getByRole('link', { name: 'Help me choose' }).first().click();
    await expect(page).toHaveURL('/therapists/match');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help me choose');
    await page.getByRole('radio', { name: 'For me' }).check();
    await expectFair(page, 'the first question', { dark: true });
    await next(page);
    await expect(page.getByRole('heading', { name: 'What weighs most at the moment?' })).toBeFocused();
    await page.getByRole('radio', { name: /lost somebody/ }).check();
    await next(page);
    await expect(page.getByText('a licensed doctor is the wiser beginning')).toBeVisible();
    await page.getByRole('radio', { name: /^A pastor/ }).check();
    await expectFair(page, 'doctor or pastor', { dark: true });
    await next(page);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await expect(page.getByRole('radio', { name: /^A pastor/ })).toBeChecked();
    await next(page);
    await page.getByRole('radio', { name: /At the centre/ }).check();
    await next(page);
    await page.getByRole('radio', { name: 'Online Video Call' }).check();
    await page.getByRole('button', { name: 'See who fits' }).click();

    const suggested = page.getByRole('region', { name: 'People who may fit' });
    await expect(suggested.getByRole('heading', { name: 'People who may fit' })).toBeFocused();
    await expect(suggested).toContainText(
      'Pastor Daniel Reyes offers Comfort & Healing, is a pastor, as you wished, lets faith be part of it as much as you’d like, and meets by video.',
    );
    await expect(
      suggested.getByRole('button', { name: /^Book \w+, .* with Pastor Daniel Reyes$/ }),
    ).toHaveCount(3);
    await expect(suggested).not.toContainText('Licensed clinician');
    await expectFair(page, 'who may fit', { dark: true });
    await suggested.getByRole('link', { name: 'See all who fit' }).click();
    await expect(page).toHaveURL('/therapists?care=grief&kind=pastor&faith=central&type=online');
    await expect(cards(page).first()).toContainText('Pastor Daniel Reyes');
  });

  test('shows the crisis lines at once to who thinks of ending their life, and tells nobody', async ({
    page,
  }) => {
    await page.goto('/therapists/match');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    await skip(page);
    await page.getByRole('radio', { name: /ending my life/ }).check();
    const alert = page.getByRole('alert').filter({ hasText: 'Please talk to somebody now' });
    await expect(alert.getByRole('link', { name: /Call or text 988/ })).toHaveAttribute('href', 'tel:988');
    await expect(alert.getByRole('link', { name: /741741/ })).toBeVisible();
    await expectFair(page, 'the crisis lines', { dark: true });
    expect(asked.filter((one) => one.includes('/api/'))).toEqual([]);
    await next(page);
    await expect(page.getByRole('radio', { name: /^A doctor/ })).toBeVisible();
    for (let step = 3; step <= 5; step++) await skip(page);
    await expect(
      page.getByText('From what you’ve said, a licensed doctor may be the better beginning.'),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: /Call or text 988/ }).first()).toBeVisible();
    // Which service was asked for is all that is ever sent.
    expect(asked.join('\n')).not.toMatch(/life|weight|whom/);
    await expect(page).toHaveURL('/therapists/match');
  });

  test('can be skipped all through, by keyboard, and says what it needs without script', async ({
    page,
    open,
  }) => {
    await page.goto('/therapists/match');
    for (let step = 1; step <= 5; step++) await press(page, page.getByRole('button', { name: 'Skip' }));
    await expect(page.getByRole('listitem').filter({ hasText: 'has room for new people' })).toHaveCount(3);
    await press(page, page.getByRole('button', { name: 'Start again' }));
    await expect(page.getByText('Question 1 of 5')).toBeVisible();
    const bare = await open({ javaScriptEnabled: false });
    await bare.goto('/therapists/match');
    await expect(
      bare.locator('noscript div', { hasText: 'These questions need the page’s script' }).first(),
    ).toBeVisible();
    await bare.getByRole('link', { name: 'All specialists' }).click();
    await expect(cards(bare).first()).toBeVisible();
  });
});

test('the specialists page is fair with filters chosen', async ({ page }) => {
  await signIn(page, 'client');
  await page.goto('/therapists?kind=doctor&time=week&zone=America/Chicago&order=soonest');
  await expect(page.getByRole('button', { name: /^Book \w+, / }).first()).toBeVisible();
  await expectFair(page, 'the specialists page with filters', { dark: true });
});
