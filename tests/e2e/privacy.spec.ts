import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { startProduct, type Product } from '../../scripts/product.ts';
import { becomeSpecialist, bookDirectly } from './support/booking.ts';
import { addressOf, expect, password, reauthenticate, signIn, someone, test } from './support/fixtures.ts';
import { expectFair, expectNoViolation } from './support/look.ts';

// It is killed and started again, so it is nobody else's.
test.use({
  screenshot: 'only-on-failure',
  reducedMotion: 'reduce',
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = { ...(await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } })) };
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

async function startAgain(product: Product): Promise<void> {
  const { port } = new URL(product.url);
  const env = { RATE_LIMIT_FACTOR: '1000' };
  Object.assign(product, await startProduct({ dataDir: product.dataDir, port: Number(port), env }));
}

/** Signs somebody in, a new client unless told, and opens their Privacy & Security. */
async function openPrivacy(page: Page, who = someone('private')): Promise<string> {
  await signIn(page, who);
  await page.goto('/profile?tab=privacy');
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
  return addressOf(who);
}

const request = (page: Page) => page.getByRole('button', { name: 'Request Export' });
const bar = (page: Page) => page.getByRole('progressbar', { name: 'Your archive is being prepared.' });
const deletion = (page: Page) => page.getByRole('dialog', { name: 'Delete your account?' });
const banner = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /Your account will be deleted on \w+ \d+, \d{4}\./ });

/** The names in a zip archive, and the bytes of each. */
async function entriesOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await promisify<Buffer, object, ZipFile>(fromBuffer)(bytes, { lazyEntries: true });
  const entries = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          entries.set(entry.fileName, Buffer.concat(chunks).toString());
          zip.readEntry();
        });
      }),
    );
    zip.readEntry();
  });
}

test('Request Export gives an archive with everything, to its person alone', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  expectNoise(/status of (404|412)/);
  const email = await openPrivacy(page);
  // An open page alone hands nothing out.
  await request(page).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabel('Your password').fill(password);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(question).toHaveCount(0);
  const link = page.getByRole('button', { name: 'Download' });
  await expect(link).toBeVisible({ timeout: 20_000 });
  const coming = page.waitForEvent('download');
  await link.click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^italk-export-\d{4}-\d\d-\d\d\.zip$/);
  const archive = await entriesOf(await readFile(await download.path()));
  expect([...archive.keys()]).toEqual(
    expect.arrayContaining([
      'index.html',
      'left-out.html',
      'data/accounts/users.json',
      'data/accounts/users.csv',
    ]),
  );
  expect(JSON.parse(archive.get('data/accounts/users.json')!)).toMatchObject([{ email }]);
  expect(archive.get('left-out.html')).toContain('Your password');

  // The page in it reads well, and asks nothing of anybody.
  const reader = await open();
  const asked: string[] = [];
  reader.on('request', ({ url }) => asked.push(url()));
  await reader.setContent(archive.get('index.html')!);
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Your iTalk data');
  await expectFair(reader, 'the page in the archive', { dark: true });
  expect(asked).toEqual([]);

  const path = new URL(download.url()).pathname + new URL(download.url()).search;
  const stranger = await open();
  await signIn(stranger, someone('curious'));
  const { origin } = new URL(page.url());
  expect((await stranger.request.get(`${origin}${path}`)).status()).toBe(404);
  expect((await (await open()).request.get(`${origin}${path}`)).status()).toBe(401);
  await expectFair(page, 'a ready archive', { dark: true });

  // Later the open page hands nothing out by itself, and what was saved needn't lie here any longer.
  await product.query(
    `update sessions set reauthenticated_at = null where user_id = (select id from users where email = $1)`,
    [email],
  );
  expect((await page.request.get(`${origin}${path}`)).status()).toBe(412);
  await link.click();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete now' }).click();
  await expect(page.getByText('Your last archive was deleted.')).toBeVisible();
  expect((await page.request.get(`${origin}${path}`)).status()).toBe(404);
});

test('an archive that is on its way shows how far it is, live; failed and expired ones can be asked for again', async ({
  page,
  product,
}) => {
  const email = await openPrivacy(page);
  await reauthenticate(page);
  const set = (state: string, progress: number) =>
    product.query(
      `with changed as (
         insert into exports (id, person_id, state, progress, requested_at)
           select '0199a000-0000-7000-8000-000000000001', id, $2, $3, now() from users where email = $1
         on conflict (id) do update set state = $2, progress = $3 returning person_id, id)
       select pg_notify('realtime', json_build_object('topics', array['person:' || person_id],
         'message', json_build_object('type', 'export.changed', 'id', id))::text) from changed`,
      [email, state, progress],
    );
  // The page may not have its line to the server yet.
  await set('running', 40);
  await expect(bar(page)).toHaveAttribute('value', '40');
  await expect(request(page)).toHaveCount(0);
  await expectFair(page, 'an archive on its way', { dark: true });
  await set('running', 80);
  await expect(bar(page)).toHaveAttribute('value', '80');
  await expect(page.getByRole('status').filter({ hasText: 'being prepared. 75 %' })).toHaveCount(1);
  await set('failed', 80);
  const failure = page.getByRole('alert').filter({ hasText: 'couldn’t be prepared' });
  await expect(failure).toContainText('Nothing of yours is lost.');
  await expectFair(page, 'a failed archive', { dark: true });
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 20_000 });
  await product.query(
    `update exports set expires_at = now() where state = 'ready' and person_id = (select id from users where email = $1)`,
    [email],
  );
  await page.reload();
  await expect(page.getByText('Your last archive was deleted.')).toBeVisible();
  await expect(request(page)).toBeVisible();
  await expectFair(page, 'an expired archive');
});

test('an export that a killed server had begun is finished by the next one', async ({
  page,
  product,
  expectNoise,
}) => {
  test.setTimeout(150_000);
  expectNoise(
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket/,
  );
  await openPrivacy(page);
  await reauthenticate(page);
  const taken = page.waitForResponse(
    (response) => response.url().endsWith('/api/me/exports') && response.request().method() === 'POST',
  );
  await request(page).click();
  await taken;
  await product.kill();
  await startAgain(product);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 90_000 });
});

test('Delete asks for the password, says what goes and what stays, and can be undone after a restart', async ({
  page,
  open,
  product,
  expectNoise,
}) => {
  test.setTimeout(150_000);
  test.slow();
  expectNoise(
    /status of 400|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket/,
  );
  const specialist = await becomeSpecialist(await open(), product, { name: 'Dr. Ada Leaving' });
  const email = someone('leaving');
  await signIn(page, email);
  const start = await product.query<{ at: Date }>(
    `select (date_trunc('week', now()) + interval '5 weeks 1 day 15 hours') at time zone 'UTC' at time zone 'America/New_York' as at`,
  );
  await bookDirectly(page, specialist, start[0]!.at.toISOString());
  const other = await open();
  await signIn(other, email);
  await openPrivacy(page, email);

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = deletion(page);
  await expect(dialog).toContainText('with Dr. Ada Leaving');
  await expect(dialog).toContainText('Your goals, journal, prayer requests, reviews and messages');
  await expect(dialog).toContainText('Care providers have to keep a record of the care that they gave.');
  await expectFair(page, 'the dialog of a deletion', { dialog, dark: true });
  const field = dialog.getByLabel('Your password');
  await field.fill('not-my-password');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(dialog).toContainText('This isn’t your password. Nothing was deleted.');
  await expect(field).toHaveValue('not-my-password');
  await expect(field).toBeFocused();
  await expectNoViolation(page, 'the dialog of a deletion with a wrong password');
  await field.fill(password);
  await field.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(banner(page)).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expectFair(page, 'the banner of a deletion', { dark: true });

  const { origin } = new URL(page.url());
  expect(await (await other.request.get(`${origin}/api/me`)).json()).toBeNull();

  await product.kill();
  await startAgain(product);
  await page.goto('/home');
  await expect(banner(page)).toBeVisible();
  await expectFair(page, 'the dashboard with the banner');
  // Signing in doesn't keep it by itself.
  await signIn(page, email);
  await page.goto('/home');
  await banner(page).getByRole('button', { name: 'Keep my account' }).click();
  await expect(banner(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expect(async () => {
    await page.goto('/dev/mail');
    const mails = page.getByRole('link').filter({ hasText: email }).filter({ hasText: 'will be deleted on' });
    await expect(mails).toHaveCount(1, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
});

test('without a network the question of a deletion waits, and the page stays; with it the question comes by itself', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/ERR_INTERNET_DISCONNECTED/);
  await openPrivacy(page);
  const ask = page.getByRole('button', { name: 'Delete', exact: true });
  await expect(ask).toBeEnabled();
  await page.context().setOffline(true);
  const refused = page.waitForEvent('requestfailed', (one) => one.url().includes('/assets/'));
  await ask.click();
  await refused;
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
  await expect(deletion(page)).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(deletion(page)).toBeVisible();
});

test('an account that is deleted can be kept for fourteen days', async ({ page, product }) => {
  const email = someone('leaving');
  await signIn(page, email);
  await page.goto('/profile?tab=privacy');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(
    page
      .getByRole('main')
      .getByText(/Your account will be deleted on/)
      .first(),
  ).toBeVisible();
  const of = 'from profiles join users using (id) where email = $1';
  const left = await product.query(
    `select round(extract(epoch from delete_after - now()) / 86400)::integer as days ${of}`,
    [email],
  );
  expect(left).toEqual([{ days: 14 }]);
  await page.getByRole('main').getByRole('button', { name: 'Keep my account' }).first().click();
  await expect(page.getByRole('main').getByText(/Your account will be deleted on/)).toHaveCount(0);
  expect(await product.query(`select delete_after ${of}`, [email])).toEqual([{ delete_after: null }]);
});

test('the only administrator is told why the account can’t go', async ({ page, expectNoise }) => {
  expectNoise(/status of 412/);
  await openPrivacy(page, 'admin');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = deletion(page);
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(dialog.getByRole('alert')).toContainText('You are the only administrator.');
  await expect(dialog.getByLabel('Your password')).toHaveValue(password);
  await expectNoViolation(page, 'the dialog of a deletion that is refused');
  await dialog.getByRole('button', { name: 'Keep my account' }).click();
  await expect(dialog).toHaveCount(0);
});
