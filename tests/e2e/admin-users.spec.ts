import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, toast } from './support/booking.ts';
import { call, expect, password, reauthenticate, signIn, someone, test } from './support/fixtures.ts';

/** Makes so many accounts whose names share a word of their own, the first of them joined last. */
async function crowd(product: Product, word: string, count: number): Promise<void> {
  await product.query(
    `with made as (
       insert into users (id, name, email, created_at)
       select gen_random_uuid(), 'Crowd ' || $1 || ' ' || lpad(number::text, 3, '0'),
              $1 || '.' || number || '@crowd.example', now()
         from generate_series(1, $2::integer) number returning id, name)
     insert into profiles (id, full_name, created_at)
     select id, name, timestamptz '2025-06-01' - right(name, 3)::integer * interval '1 day' from made`,
    [word, count],
  );
}

/** The person's row, found by the search field. */
async function find(page: Page, words: string, name: string): Promise<Locator> {
  const search = page.getByRole('main').getByLabel('Search users');
  await expect(search).toBeVisible();
  await search.fill(words);
  await expect(page.getByText('Users found: 1', { exact: true })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toHaveCount(1);
  return row;
}

/** Chooses from a person's menu. */
async function choose(page: Page, row: Locator, item: string): Promise<void> {
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function openDesk(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/settings?tab=users${query}`);
  await expect(page.getByRole('table', { name: 'User directory' })).toBeVisible();
}

test('an administrator finds a person among many, edits them, and both addresses are told', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(/status of 412/);
  const word = someone('q').split('@')[0]!;
  await crowd(product, word, 60);
  await signIn(page, 'admin');
  await openDesk(page);
  const main = page.getByRole('main');
  const figures = await product.query<{ role: string; count: number }>(
    `select role, count(*)::integer as count from profiles where erased_at is null group by role`,
  );
  const of = (role: string) => figures.find((row) => row.role === role)?.count ?? 0;
  const total = figures.reduce((sum, { count }) => sum + count, 0);
  for (const [label, count] of [
    ['Total Users', total],
    ['Doctors', of('doctor')],
    ['Pastors', of('pastor')],
    ['Clients', of('client')],
  ] as const) {
    const card = main
      .locator('div')
      .filter({ has: page.getByRole('term').getByText(label, { exact: true }) });
    await expect(card.last().getByRole('definition')).toHaveText(count.toLocaleString('en-US'));
  }

  await main.getByLabel('Search users').fill(word);
  await expect(main.getByText('Users found: 60', { exact: true })).toBeVisible();
  const rows = main.getByRole('row').filter({ hasText: `Crowd ${word}` });
  await expect(rows).toHaveCount(25);
  await expect(rows.first()).toContainText(`${word} 001`);
  await main.getByRole('button', { name: 'Show more' }).click();
  await expect(rows).toHaveCount(50);
  const name = `Crowd ${word} 042`;
  const row = await find(page, `${word}.42@`, name);
  await choose(page, row, 'Edit User');
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  const field = dialog.getByLabel('Name');
  await expect(field).toHaveValue(name);
  await field.fill(`Other ${word}`);
  await dialog.getByLabel('Email').fill(`${word}@new.example`);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  // An open session alone changes nobody's account; what was typed waits, and goes on by itself.
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirm.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  await expect(toast(page, 'User Updated')).toBeVisible();
  await expect(dialog).toBeHidden();
  await find(page, `${word}@new`, `Other ${word}`);
  await expect
    .poll(() => product.query(`select recipient from mails where recipient like $1 order by 1`, [`${word}%`]))
    .toEqual([{ recipient: `${word}.42@crowd.example` }, { recipient: `${word}@new.example` }]);
});

test('who is suspended is out at once and can’t sign in, until they are reactivated', async ({
  page,
  open,
  expectNoise,
}) => {
  expectNoise(/401|403|no valid credentials available/);
  const email = someone('suspended');
  const theirs = await open();
  await signIn(theirs, email);
  await theirs.goto('/home');
  await expect(theirs.getByRole('button', { name: 'Book Appointment' })).toBeVisible();
  await signIn(page, 'admin');
  await reauthenticate(page);
  await openDesk(page);
  const row = await find(page, email, email);
  await expect(row).toContainText('Active');
  await choose(page, row, 'Suspend');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').selectOption('safety');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect(toast(page, 'User Suspended')).toBeVisible();
  await expect(row).toContainText('Suspended');

  await expect(theirs.getByRole('button', { name: 'Book Appointment' })).toBeHidden();
  await theirs.goto('/?auth=1');
  const form = theirs.getByRole('main');
  const submit = form.getByRole('button', { name: 'Sign In', exact: true }).last();
  await expect(submit).toBeEnabled();
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await submit.click();
  await expect(theirs.getByText('This account is suspended.').first()).toBeVisible();

  await choose(page, row, 'Reactivate');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivate' }).click();
  await expect(toast(page, 'User Reactivated')).toBeVisible();
  await signIn(theirs, email);
  await theirs.goto('/home');
  await expect(theirs.getByRole('button', { name: 'Book Appointment' })).toBeVisible();
});

test('another role signs the person out, and their listing follows', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  // What the page was just asking for as its role went.
  expectNoise(/status of 403/);
  const theirs = await open();
  const { id, email } = await becomeSpecialist(theirs, product, { name: 'Dr. Role Winter' });
  await theirs.goto('/home');
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Welcome, Dr. Role Winter');
  await expect(theirs.getByRole('button', { name: 'Book Appointment' })).toHaveCount(0);
  await signIn(page, 'admin');
  await reauthenticate(page);
  await openDesk(page);
  const row = await find(page, email, email);
  await choose(page, row, 'Change Role');
  const dialog = page.getByRole('dialog', { name: /Change the role/ });
  await dialog.getByRole('radio', { name: /Client/ }).check();
  await dialog.getByRole('button', { name: 'Change Role' }).click();
  await expect(toast(page, 'Role Changed')).toBeVisible();
  await expect(toast(theirs, 'You have been signed out')).toBeVisible();
  await signIn(theirs, email);
  await theirs.goto('/home');
  await expect(theirs.getByRole('button', { name: 'Book Appointment' })).toBeVisible();
  const answer = await theirs.request.get(`/therapists/specialist-${id}`);
  expect(answer.status()).toBe(404);
});

test('every page that stands open hears that its session has ended', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  // What a page was just asking for as its session ended.
  expectNoise(/status of 40[13]|no valid credentials available/);
  const theirs = await open();
  const { id, email } = await becomeSpecialist(theirs, product, { name: 'Dr. Open Pages' });
  const pages = [
    { path: '/about', here: theirs },
    { path: '/clients', here: await theirs.context().newPage() },
    { path: '/availability', here: await theirs.context().newPage() },
  ];
  const answered = new Set<Page>();
  const expectLine = async (here: Page) => {
    answered.delete(here);
    // Whoever looks at the page again tests its line.
    const beat = () => here.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(() => beat().then(() => answered.has(here))).toBe(true);
  };
  for (const { path, here } of pages) {
    here.on('websocket', (line) => line.on('framereceived', () => answered.add(here)));
    await here.goto(`${product.url}${path}`);
    await expect(here.getByRole('banner').getByRole('link', { name: 'Availability' })).toBeVisible();
    await expectLine(here);
  }
  await signIn(page, 'admin');
  await reauthenticate(page);
  await call(page, `/api/admin/users/${id}/role`, { from: 'doctor', to: 'pastor' });
  for (const { here } of pages) await expect(toast(here, 'You have been signed out')).toBeVisible();
  await signIn(theirs, email);
  for (const { path, here } of pages) {
    await here.goto(`${product.url}${path}`);
    await expect(here.getByRole('banner').getByRole('link', { name: 'Availability' })).toBeVisible();
    await expectLine(here);
  }
  await call(page, `/api/admin/users/${id}/suspend`, { reason: 'safety' });
  for (const { here } of pages) {
    await expect(toast(here, 'You have been signed out')).toBeVisible();
  }
  await expect(theirs.getByRole('banner').getByRole('link', { name: 'Log In' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Sign Out' })).toHaveCount(0);
});

test('an account is deleted once its address is typed', async ({ page, product, open }) => {
  const email = someone('deleted');
  const theirs = await open();
  await signIn(theirs, email);
  const [{ id }] = (await product.query<{ id: string }>(`select id from users where email = $1`, [
    email,
  ])) as [{ id: string }];
  await signIn(page, 'admin');
  await reauthenticate(page);
  await openDesk(page);
  const row = await find(page, email, email);
  await choose(page, row, 'Delete User');
  const dialog = page.getByRole('dialog', { name: /^Delete/ });
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'User Deleted')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No user fits' })).toBeVisible();
  await expect
    .poll(() => product.query(`select erased_at is not null as erased from profiles where id = $1`, [id]))
    .toEqual([{ erased: true }]);
  expect(await (await theirs.request.get('/api/me')).json()).toBeNull();
});

test('the directory is exported as it is narrowed down', async ({ page, product }) => {
  const word = someone('e').split('@')[0]!;
  await crowd(product, word, 3);
  await signIn(page, 'admin');
  await reauthenticate(page);
  await openDesk(page);
  await page.getByRole('main').getByLabel('Search users').fill(word);
  await expect(page.getByText('Users found: 3', { exact: true })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('users.csv');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.startsWith('\ufeffid,name,email,role,status,joinDate,lastActive\r\n')).toBe(true);
  // In the order of joining: the first of the crowd came last.
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[1]),
  ).toEqual(['003', '002', '001'].map((number) => `Crowd ${word} ${number}`));
  await expect(toast(page, 'Export ready')).toBeVisible();
});
