import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Product } from '../../scripts/product.ts';
import { becomeSpecialist, toast } from './support/booking.ts';
import { call, expect, password, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { press, typeInto } from './support/keyboard.ts';
import { desktop, expectNoViolation, phone } from './support/look.ts';

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
  expectNoise(/40[09]|412/);
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
  const joined = main.getByRole('columnheader', { name: 'Joined' });
  await expect(joined).toHaveAttribute('aria-sort', 'none');
  await joined.getByRole('button').click();
  await expect(joined).toHaveAttribute('aria-sort', 'descending');
  await expect(rows.first()).toContainText(`${word} 001`);
  await joined.getByRole('button').click();
  await expect(joined).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).toContainText(`${word} 060`);
  await main.getByLabel('Role').selectOption('doctor');
  await expect(main.getByRole('heading', { name: 'No user fits' })).toBeVisible();
  // The choices stand in the address, but nobody's name.
  expect(new URL(page.url()).searchParams.toString()).toBe('tab=users&sort=joined&role=doctor');
  await main.getByRole('button', { name: 'Show all users' }).click();
  await expect(main.getByLabel('Search users')).toHaveValue('');
  await expect(main.getByLabel('Role')).toHaveValue('');

  const name = `Crowd ${word} 042`;
  const row = await find(page, `${word}.42@`, name);
  await choose(page, row, 'Edit User');
  const dialog = page.getByRole('dialog', { name: 'Edit User' });
  const field = dialog.getByLabel('Name');
  await expect(field).toHaveValue(name);
  await field.fill('');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(field).toBeFocused();
  await expect(dialog.getByText('Please enter a name.')).toBeVisible();
  await field.fill(`Renamed ${word}`);
  await dialog.getByLabel('Email').fill('admin@italk.example');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  // An open session alone changes nobody's account; what was typed waits, and goes on by itself.
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirm.getByLabel('Your password').fill('not the password');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirm.getByText('This password isn’t right.')).toBeVisible();
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByText('Nothing changed, because you didn’t confirm it’s you.')).toBeVisible();
  await expect(field).toHaveValue(`Renamed ${word}`);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  for (const size of [desktop, phone, desktop]) {
    await page.setViewportSize(size);
    await expectNoViolation(page, `confirming who one is at ${size.width}`);
  }
  await confirm.getByLabel('Your password').fill(password);
  await page.keyboard.press('Enter');
  await expect(confirm).toBeHidden();
  await expect(dialog.getByText('Another account has this address.')).toBeVisible();
  await expect(dialog.getByLabel('Email')).toBeFocused();
  // Somebody else saves meanwhile: nothing of theirs is overwritten, and nothing that was typed is lost.
  await product.query(`update profiles set full_name = 'Other ' || $1 where full_name = $2`, [word, name]);
  await dialog.getByLabel('Email').fill(`${word}@new.example`);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByText('Somebody changed this user meanwhile.')).toBeVisible();
  await expect(field).toHaveValue(`Renamed ${word}`);
  await dialog.getByRole('button', { name: 'Show what is stored' }).click();
  await expect(field).toHaveValue(`Other ${word}`);
  await dialog.getByLabel('Email').fill(`${word}@new.example`);
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
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
  await expect(dialog.getByRole('radio', { name: /Administrator/ })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Change Role' }).click();
  await expect(dialog.getByText('Please choose a role.')).toBeVisible();
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

test('an account is deleted once its address is typed, by keyboard alone', async ({
  page,
  product,
  open,
}) => {
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
  const trigger = row.getByRole('button', { name: /^Actions for/ });
  await press(page, trigger);
  await expect(page.getByRole('menuitem', { name: 'Edit User' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete User' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Delete/ });
  const field = dialog.getByLabel(`Type ${email} to confirm`);
  await typeInto(page, field, 'somebody@else.example');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This isn’t the address of this account.')).toBeVisible();
  await expect(field).toBeFocused();
  await typeInto(page, field, email);
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

test('User Management can be read and used by everybody, on every screen', async ({ page, product }) => {
  await signIn(page, 'admin');
  // Their rows stand on the first page, however many others were here of late.
  await product.query(
    `update profiles set last_active_at = now() from users where users.id = profiles.id
       and email in ('client@italk.example', 'admin@italk.example')`,
  );
  await openDesk(page, '&sort=-lastActive');
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await expectNoViolation(page, `the directory at ${size.width}`);
    const row = page.getByRole('row').filter({ hasText: 'client@italk.example' });
    for (const [item, role] of [
      ['Edit User', 'dialog'],
      ['Change Role', 'dialog'],
      ['Suspend', 'alertdialog'],
      ['Delete User', 'dialog'],
    ] as const) {
      await choose(page, row, item);
      const dialog = page.getByRole(role);
      // The last of what a dialog needs to be used.
      await expect(
        dialog.getByRole('button', { name: /^(Save Changes|Change Role|Suspend|Delete User)$/ }),
      ).toBeEnabled();
      await expectNoViolation(page, `${item} at ${size.width}`);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toBeHidden();
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  // With their own account nobody does what could shut them out.
  const own = page.getByRole('row').filter({ hasText: 'admin@italk.example' });
  await own.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit User']);
});

test('what can’t be loaded says so, and is tried again', async ({ page, expectNoise }) => {
  expectNoise(/500|Failed to load/);
  await signIn(page, 'admin');
  let broken = true;
  await page.route('**/api/admin/users/list', (route) =>
    broken ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  );
  await page.goto('/admin/settings?tab=users');
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  broken = false;
  await again.click();
  await expect(page.getByRole('table', { name: 'User directory' })).toBeVisible();
});
