import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, words } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { expectHoldsFocus, press, tabTo } from './support/keyboard.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const [onRecord, privately] = ['Sleeps a little better.', 'I was in a hurry today.'];

interface Pair {
  counsellor: { id: string; email: string; name: string };
  client: { id: string; email: string; name: string };
}

/** A counsellor on `page`, with a client whom they have met once and will meet again. */
async function pair(
  page: Page,
  product: Product,
  name = 'Ruth Amsel',
  timeZone = 'America/New_York',
): Promise<Pair> {
  const counsellor = await becomeSpecialist(page, product, { timeZone });
  const email = someone('served');
  await signIn(page, email);
  const [row] = await product.query<{ id: string }>(
    'update users set name = $2 where email = $1 returning id',
    [email, name],
  );
  const { id } = row!;
  await product.query('update profiles set full_name = $2 where id = $1', [id, name]);
  for (const [days, status] of [
    [-7, 'completed'],
    [7, 'confirmed'],
  ] as const)
    await addSession(product, { counsellor: counsellor.id, client: id, name, email, days, status });
  await signIn(page, counsellor.email);
  return { counsellor, client: { id, email, name } };
}

async function addSession(
  product: Product,
  of: { counsellor: string; client: string; name: string; email: string; days: number; status: string },
): Promise<void> {
  await product.query(
    `with booked as (
       insert into bookings (id, client_id, idempotency_key, fingerprint, recurrence, created_at)
       values (gen_random_uuid(), $2, gen_random_uuid(), '', 'one_time', now()) returning id)
     insert into appointments (id, booking_id, series_index, series_count, client_id, provider_id, service_id, status, kind,
         session_type, starts_at, ends_at, blocked_until, local_date, price_cents, contact_name, contact_email,
         client_time_zone, reminder_minutes, created_at, updated_at)
       select gen_random_uuid(), booked.id, 1, 1, $2, $1, 'individuals', $6, 'consultation', 'online', at,
           at + interval '1 hour', at + interval '1 hour', at::date, 9000, $3, $4, 'America/Chicago', 60, now(), now()
         from booked, (select date_trunc('hour', now()) + $5 * interval '1 day' as at) as moment`,
    [of.counsellor, of.client, of.name, of.email, of.days, of.status],
  );
}

test('a provider finds their clients, and opens one of them, by the keyboard alone', async ({
  page,
  product,
}) => {
  const { client } = await pair(page, product);
  await page.goto('/clients');
  await expect(page.getByRole('heading', { name: 'Clients', level: 1 })).toBeVisible();
  const entry = page.getByRole('link', { name: client.name });
  await expect(entry).toContainText('Next:');
  await expectFair(page, 'the clients', { dark: true });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await tabTo(page, page.getByLabel('Find a client by name'));
  await page.keyboard.type('nobody of this name');
  await expect(page.getByRole('heading', { name: 'Nobody by that name' })).toBeVisible();
  await expectFair(page, 'no such client');
  // Whom one looks for stands in no address, neither the page's nor what it asks for.
  expect([page.url(), ...asked].filter((url) => url.includes('nobody'))).toEqual([]);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('amsel');
  await expect(entry).toBeVisible();
  await tabTo(page, page.getByRole('radio', { name: 'Next session' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Last session' })).toBeChecked();
  await press(page, entry);
  await expect(page.getByRole('heading', { name: client.name, level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/^Client/);
  await expect(page.getByRole('link', { name: client.email }).first()).toBeVisible();
  await expect(page.getByRole('article', { name: client.name })).toBeVisible();
  await expectFair(page, 'a client', { dark: true });
  // From an appointment, wherever it is shown, the way leads there, too.
  const way = page
    .getByRole('article', { name: client.name })
    .getByRole('link', { name: client.name, exact: true });
  await expect(way).toHaveAttribute('href', `/clients/${client.id}`);
});

test('a session has one time on all of a specialist’s screens, that of their practice', async ({
  page,
  product,
}) => {
  // The account was told another zone by its browser before.
  const { client, counsellor } = await pair(page, product, 'Ruth Amsel', 'Asia/Tokyo');
  const [next] = await product.query<{ id: string; at: Date }>(
    `select id, starts_at as at from appointments where provider_id = $1 and status = 'confirmed'`,
    [counsellor.id],
  );
  const { time, date, day, shortDate } = words(next!.at.toISOString(), 'Asia/Tokyo');
  const elsewhere = words(next!.at.toISOString()).time;
  const isoDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(next!.at);
  const screens: [string, Locator, string[]][] = [
    [`/schedule?view=day&date=${isoDay}`, page.getByRole('button', { name: client.name }), [time]],
    ['/clients', page.getByRole('link', { name: client.name }), [shortDate, time]],
    [`/clients/${client.id}`, page.getByRole('article', { name: client.name }), [date, time]],
    [`/session/${next!.id}`, page.getByRole('main'), [date, time, 'Tokyo time']],
    ['/profile?tab=sessions', page.getByRole('article', { name: client.name }), [date, time]],
  ];
  for (const [path, place, texts] of screens) {
    await page.goto(path);
    for (const text of texts) await expect(place, path).toContainText(text);
    await expect(place, path).not.toContainText(elsewhere);
    // Its clocks aren't this device's.
    await expect(page.getByRole('main').getByText(/Tokyo/).first(), path).toBeVisible();
  }
  await page.goto('/home');
  await page.getByRole('button').filter({ hasText: day }).click();
  await expect(page.getByRole('article', { name: client.name })).toContainText(time);
  await page.goto(`/clients/${client.id}?tab=notes`);
  await expect(page.getByRole('tabpanel').getByRole('combobox')).toContainText(
    words(new Date(next!.at.getTime() - 14 * 86_400_000).toISOString(), 'Asia/Tokyo').time,
  );
});

test('a provider without clients is told what will be here', async ({ page, product }) => {
  const { email } = await becomeSpecialist(page, product);
  await signIn(page, email);
  await page.goto('/clients');
  await expect(page.getByRole('heading', { name: 'No clients yet' })).toBeVisible();
  await expectFair(page, 'no clients', { dark: true });
});

test('both kinds of notes are written, changed and deleted by the keyboard, and are there after a reload', async ({
  page,
  product,
}) => {
  // So many stops of the keyboard take their time.
  test.slow();
  const { client } = await pair(page, product);
  await page.goto(`/clients/${client.id}`);
  await press(page, page.getByRole('button', { name: /^Write a note about the session of/ }));
  await expect(page.getByRole('tab', { name: 'Session notes' })).toHaveAttribute('aria-selected', 'true');
  const note = page.getByRole('tabpanel').getByLabel('Your note');
  await expect(note).toBeFocused();
  await expectFair(page, 'no session notes', { dark: true });
  await tabTo(page, page.getByRole('button', { name: 'Save note' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Write a few words first.')).toBeVisible();
  await expect(note).toBeFocused();
  await expectNoViolation(page, 'a note with a problem');
  await page.keyboard.type(onRecord);

  // Nothing of it is kept on the device, so leaving asks first.
  await page.getByRole('link', { name: 'Clients' }).first().click();
  const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expectHoldsFocus(leave);
  await page.keyboard.press('Escape');
  await expect(leave).toBeHidden();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain(onRecord);

  await press(page, page.getByRole('button', { name: 'Save note' }));
  const saved = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: onRecord });
  await expect(saved).toContainText('Session of');
  await expect(note).toHaveValue('');

  await page.goto(`/clients/${client.id}?tab=private`);
  await note.fill(privately);
  await press(page, page.getByRole('button', { name: 'Save note' }));
  const secret = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: privately });
  await expect(secret).toBeVisible();
  await page.reload();
  await expect(secret).toBeVisible();
  await expect(page.getByText(onRecord)).toBeHidden();
  await expectFair(page, 'private notes', { dark: true });

  await press(page, secret.getByRole('button', { name: /^Edit the note/ }));
  const edited = page.getByRole('tabpanel').getByRole('listitem').getByLabel('Your note');
  await expect(edited).toBeFocused();
  await page.keyboard.type('And it showed. ');
  await press(page, page.getByRole('button', { name: 'Save changes' }));
  const changed = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: 'And it showed.' });
  await expect(changed).toContainText('Changed');
  await press(page, changed.getByRole('button', { name: /^Delete the note/ }));
  const ask = page.getByRole('alertdialog', { name: 'Delete this note?' });
  await expectHoldsFocus(ask);
  await expectNoViolation(page, 'deleting a note');
  await press(page, ask.getByRole('button', { name: 'Delete note' }));
  await expect(page.getByText('You haven’t written a private note about this client yet.')).toBeVisible();
  await page.getByRole('tab', { name: 'Session notes' }).click();
  await expect(saved).toBeVisible();
  await page.setViewportSize(phone);
  await expectNoViolation(page, 'session notes on phones');
});

test('nobody but its author finds a note: another provider and an administrator get nothing, and the log has it', async ({
  page,
  product,
  open,
  expectNoise,
}) => {
  expectNoise(/status of (404|403)/);
  const { client } = await pair(page, product);
  for (const [path, text] of [
    ['notes', onRecord],
    ['private-notes', privately],
  ] as const)
    await call(page, `/api/clients/${client.id}/${path}`, { text });

  const elsewhere = await open();
  const other = await becomeSpecialist(elsewhere, product, { name: 'Dr. Ben Other' });
  await signIn(elsewhere, other.email);
  const answer = await elsewhere.goto(`/clients/${client.id}?tab=private`);
  expect(answer?.status()).toBe(404);
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('We can’t find this client');
  await expectFair(elsewhere, 'a client who isn’t theirs');
  expect(await elsewhere.content()).not.toContain(privately);
  for (const who of ['admin', client.email]) {
    await signIn(elsewhere, who);
    await elsewhere.goto(`/clients/${client.id}?tab=private`);
    await expect(elsewhere.getByRole('alert')).toContainText('view_own_clients');
    expect(await elsewhere.content()).not.toContain(privately);
    const refused = await elsewhere.request.get(`${product.url}/api/clients/${client.id}/private-notes`);
    expect(refused.status()).toBe(403);
  }
  const noted = await product.query<{ action: string }>(
    `select action from audit_entries where actor_id = $1 and not success`,
    [other.id],
  );
  expect(noted).toEqual([{ action: 'refused.care.clients.get' }]);
});

test('a client switches on what a counsellor sees, who sees it at once, and no longer once it is off', async ({
  page,
  product,
  open,
}) => {
  const { counsellor, client } = await pair(page, product, 'Naomi Weiss');
  await page.goto(`/clients/${client.id}?tab=shared`);
  await expect(page.getByRole('heading', { name: 'Nothing is shared yet' })).toBeVisible();
  await expectFair(page, 'nothing shared', { dark: true });

  const hers = await open();
  await signIn(hers, client.email);
  await call(hers, '/api/goals', { title: 'Walk by the lake', steps: [{ text: 'Find my shoes' }] });
  await call(hers, '/api/journal', { text: 'For nobody else.' });
  await hers.goto('/profile?tab=privacy');
  const group = hers.getByRole('group', { name: counsellor.name });
  for (const part of ['Focus areas and tradition', 'Goals', 'Progress'])
    await expect(group.getByRole('switch', { name: new RegExp(`^${part}`) })).not.toBeChecked();
  await press(hers, group.getByRole('switch', { name: /^Goals/ }), 'Space');
  await expect(hers.getByText(`${counsellor.name} now sees: Goals`, { exact: true })).toBeVisible();
  await expectFair(hers, 'what my counsellors see', { dark: true });

  await expect(page.getByText('Walk by the lake')).toBeVisible();
  await expect(page.getByText('Find my shoes')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Progress' })).toBeHidden();
  await group.getByRole('switch', { name: /^Progress/ }).check();
  await group.getByRole('switch', { name: /^Focus areas/ }).check();
  await expect(page.getByRole('heading', { name: 'Progress' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Focus areas and tradition' })).toBeVisible();
  await expectFair(page, 'what is shared', { dark: true });
  expect(await page.content()).not.toContain('For nobody else.');

  await group.getByRole('switch', { name: /^Goals/ }).uncheck();
  await expect(page.getByText('Walk by the lake')).toBeHidden();
  for (const part of ['Progress', 'Focus areas and tradition'])
    await group.getByRole('switch', { name: new RegExp(`^${part}`) }).uncheck();
  await expect(page.getByRole('heading', { name: 'Nothing is shared yet' })).toBeVisible();
  const answer = await page.request.get(`${product.url}/api/clients/${client.id}/goals?state=open`);
  expect(answer.status()).toBe(404);
});

test('a client whose account is gone is shown as deleted, without their contact and without notes', async ({
  page,
  product,
}) => {
  const { client } = await pair(page, product);
  await call(page, `/api/clients/${client.id}/notes`, { text: onRecord });
  await product.query(`update profiles set delete_after = now() - interval '1 day' where id = $1`, [
    client.id,
  ]);
  // What the hourly job asks for.
  await product.query(`update profiles set erased_at = now(), full_name = 'Deleted account' where id = $1`, [
    client.id,
  ]);
  await page.goto('/clients');
  const entry = page.getByRole('link', { name: 'Deleted account' });
  await expect(entry).toContainText('Account deleted');
  await entry.click();
  await expect(page.getByText('This client has deleted their account.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Write a note/ })).toBeHidden();
  await page.getByRole('tab', { name: 'Session notes' }).click();
  await expect(page.getByLabel('Your note')).toBeHidden();
  await expectFair(page, 'a deleted account');
});

test('a guest who opens the clients is asked to sign in', async ({ page }) => {
  await page.goto('/clients');
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await expect(prompt).toBeVisible();
  await prompt.getByRole('button', { name: 'Close' }).click();
  await expectNoViolation(page, 'the clients for a guest');
});
