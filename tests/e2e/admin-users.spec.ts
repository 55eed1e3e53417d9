import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { becomeSpecialist, bookDirectly, offeredTimes, toast } from './support/booking.ts';
import { expect, password, reauthenticate, signIn, test } from './support/fixtures.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

async function openDesk(page: Page): Promise<void> {
  await page.goto('/admin/settings?tab=users');
  await expect(page.getByRole('table', { name: 'User directory' })).toBeVisible();
}

/** Finds a person's row by search. */
async function find(page: Page, words: string): Promise<Locator> {
  await page.getByRole('main').getByLabel('Search users').fill(words);
  await expect(page.getByText('Users found: 1', { exact: true })).toBeVisible();
  return page.getByRole('table', { name: 'User directory' }).getByRole('row').nth(1);
}

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name, exact: true }).click();
}

test(
  'finds, exports, edits and deletes a client, notifying both addresses',
  { tag: '@long' },
  async ({ page, product, open, expectNoise }) => {
    // The page looks again when its person is deleted.
    expectNoise(/status of (404|412)/);
    const theirs = await open();
    const email = await becomeClient(theirs, product, 'Ruth Mistyped');
    await becomeAdministrator(page, product);
    await openDesk(page);
    await expect(await find(page, email)).toContainText('Ruth Mistyped');

    // Exporting needs reauthentication, then continues automatically.
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await confirm.getByLabel('Your password').fill(password);
    await page.keyboard.press('Enter');
    const download = await saved;
    expect(download.suggestedFilename()).toBe('users.csv');
    const [head, line, ...others] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(head).toBe('\ufeffid,name,email,role,status,joinDate,lastActive');
    expect(line).toContain(`,Ruth Mistyped,${email},client,active,`);
    expect(others).toEqual([]);

    await (await find(page, email)).getByRole('link').click();
    await expect(page).toHaveURL(/\/admin\/people\/[\da-f-]{36}$/);
    await act(page, 'Edit User');
    const dialog = page.getByRole('dialog', { name: 'Edit User' });
    await expect(dialog.getByLabel('Name')).toHaveValue('Ruth Mistyped');
    await dialog.getByLabel('Name').fill('Ruth Amsel');
    await dialog.getByLabel('Email').fill(`new.${email}`);
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toast(page, 'User Updated')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect
      .poll(() =>
        product.query(
          `select recipient from mails where kind = 'address_change' and recipient = any($1) order by 1`,
          [[email, `new.${email}`]],
        ),
      )
      .toEqual([{ recipient: email }, { recipient: `new.${email}` }]);

    await act(page, 'Delete User');
    const deletion = page.getByRole('dialog', { name: /^Delete/ });
    await deletion.getByLabel(/^Type .+ to confirm$/).fill(`new.${email}`);
    await page.keyboard.press('Enter');
    await expect(toast(page, 'User Deleted')).toBeVisible();
    await expect(page).toHaveURL('/admin/settings?tab=users');
    expect(await (await theirs.request.get('/api/me')).json()).toBeNull();
  },
);

test(
  'ends sessions in every open page on role change or suspension, until reactivation',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    // Requests in flight when the session ends.
    expectNoise(/status of 40[13]|no valid credentials available/);
    const theirs = await open();
    const { id, email } = await becomeSpecialist(theirs, product, { name: 'Dr. Open Pages' });
    const pages = [
      { path: '/about', here: theirs },
      { path: '/clients', here: await theirs.context().newPage() },
      { path: '/availability', here: await theirs.context().newPage() },
    ];
    const answered = new Set<Page>();
    const openAll = async (link: string) => {
      for (const { path, here } of pages) {
        await here.goto(`${product.url}${path}`);
        await expect(here.getByRole('banner').getByRole('link', { name: link, exact: true })).toBeVisible();
        answered.delete(here);
        // Returning to the page checks its connection.
        const beat = () => here.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await expect.poll(() => beat().then(() => answered.has(here))).toBe(true);
      }
    };
    // Waits on all pages at once, since toasts close after some seconds.
    const expectSignedOut = () =>
      Promise.all(pages.map(({ here }) => expect(toast(here, 'You were signed out')).toBeVisible()));
    for (const { here } of pages)
      here.on('websocket', (line) => line.on('framereceived', () => answered.add(here)));
    await openAll('Availability');

    await becomeAdministrator(page, product);
    await reauthenticate(page);
    await openDesk(page);
    await (await find(page, email)).getByRole('link').click();
    await act(page, 'Change Role');
    const role = page.getByRole('dialog', { name: /^Change .+’s role$/ });
    await role.getByRole('radio', { name: /Client/ }).check();
    await Promise.all([
      expectSignedOut(),
      expect(toast(page, 'Role Changed')).toBeVisible(),
      role.getByRole('button', { name: 'Change Role' }).click(),
    ]);
    expect((await theirs.request.get(`/therapists/specialist-${id}`)).status()).toBe(404);

    await signIn(theirs, email);
    await openAll('Home');
    await act(page, 'Suspend');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('Reason').selectOption('safety');
    await Promise.all([
      expectSignedOut(),
      expect(toast(page, 'User Suspended')).toBeVisible(),
      dialog.getByRole('button', { name: 'Suspend' }).click(),
    ]);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Suspended');

    await theirs.goto(`${product.url}/?auth=1`);
    const form = theirs.getByRole('main');
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Password', { exact: true }).fill(password);
    await form.getByRole('button', { name: 'Sign In', exact: true }).last().click();
    await expect(theirs.getByText('This account is suspended.').first()).toBeVisible();

    await act(page, 'Reactivate');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivate' }).click();
    await expect(toast(page, 'User Reactivated')).toBeVisible();
    await signIn(theirs, email);
    await theirs.goto(`${product.url}/home`);
    await expect(theirs.getByRole('button', { name: 'Book Appointment' })).toBeVisible();
  },
);

test(
  'leads from a user to their appointment and to the person who changed it, and back',
  { tag: '@long' },
  async ({ page, open, product, expectNoise }) => {
    expectNoise(/status of 404/);
    const [client, provider] = [await open(), await open()];
    const specialist = await becomeSpecialist(provider, product, { name: 'Dr. Page Walker' });
    const email = await becomeClient(client, product, 'Ruth Walked');
    const [start] = await offeredTimes(client, product, specialist);
    await bookDirectly(client, specialist, start!);

    await becomeAdministrator(page, product);
    await openDesk(page);
    const name = page.getByRole('heading', { level: 1 });
    await (await find(page, email)).getByRole('link').click();
    await expect(name).toContainText('Ruth Walked');
    await page
      .getByRole('region', { name: 'Appointments' })
      .getByRole('link', { name: /20\d\d/ })
      .click();
    await expect(page).toHaveURL(/\/admin\/appointments\/[\da-f-]{36}$/);
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await expect(history.filter({ hasText: 'Ruth Walked' })).toHaveCount(1);
    await page
      .getByRole('group', { name: 'Actions' })
      .getByRole('button', { name: 'Cancel appointment' })
      .click();
    const question = page.getByRole('alertdialog');
    await question.getByLabel('Reason').fill('The house is closed.');
    await question.getByRole('button', { name: 'Cancel appointment' }).click();
    await expect(name).toContainText('Canceled');
    const canceled = history.filter({ hasText: 'cancel' }).first();
    await expect(canceled).toBeVisible();
    // What anyone wrote stays out.
    await expect(page.getByText('The house is closed.')).toHaveCount(0);
    await canceled.getByRole('link').first().click();
    await expect(
      page
        .getByRole('region', { name: 'Activity' })
        .getByRole('link', { name: /^Appointment/ })
        .first(),
    ).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/admin\/appointments\//);
    await page.goBack();
    await expect(name).toContainText('Ruth Walked');
    await page.goBack();
    await expect(page.getByLabel('Search users')).toHaveValue(email);
    await page.goto('/admin/people/0190a0a0-0000-7000-8000-000000000000');
    await expect(name).toHaveText('We couldn’t find this person');
  },
);
