import { becomeSpecialist } from './support/booking.ts';
import { call, expect, forgetSession, password, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

test('an administrator adds a provider, who chooses a password by the mailed link and stands in the directory', async ({
  page,
  open,
  product,
}) => {
  await signIn(page, 'admin');
  await page.goto('/admin/add-provider');
  for (const section of [
    'Basic Information',
    'Professional Details',
    'Services & Languages',
    'Professional Biography',
  ])
    await expect(page.getByRole('heading', { name: section })).toBeVisible();
  for (const language of ['English', 'Spanish', 'French', 'German', 'Mandarin', 'Portuguese'])
    await expect(page.getByRole('checkbox', { name: language })).toBeVisible();
  await expect(page.getByLabel('About the specialist')).toBeVisible();
  await page.getByRole('button', { name: 'Add Provider' }).click();
  await expect(page.getByText('Missing Information', { exact: true })).toBeVisible();
  await expect(page.getByText('Please fill in all required fields.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Full name')).toBeFocused();
  await expect(page.getByLabel('Specialization')).toHaveAttribute('aria-invalid', 'true');
  await expectFair(page, 'adding a provider');

  const email = someone('added');
  const name = `Pastor Abel ${Date.now().toString(36)}`;
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('radio', { name: 'Pastor/Counselor' }).check();
  await page.getByLabel('Specialization').fill('Youth');
  await page.getByRole('checkbox', { name: 'Individual Healing' }).check();
  await page.getByRole('checkbox', { name: 'German' }).check();
  await page.getByRole('button', { name: 'Add Provider' }).click();
  await expect(page.getByText('Provider Added Successfully', { exact: true })).toBeVisible();
  await expect(
    page.getByText(`${name} has been added as a Pastor/Counselor and will receive welcome instructions.`, {
      exact: true,
    }),
  ).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('');

  const mails = async () => (await mailsTo(product, email)).filter(({ subject }) => subject === 'Welcome');
  await expect.poll(async () => (await mails()).length).toBe(1);
  const [link] = (await mails())[0]!.text.match(/https?:\/\/\S+\/reset-password\S*/)!;
  const added = await open();
  await added.goto(link);
  await added.getByLabel('New Password').fill('a-new-password-of-mine');
  await added.getByRole('button', { name: 'Save and Sign In' }).click();
  await expect(added).toHaveURL(/\/practice$/);
  await expect(added.getByLabel('Title')).toHaveValue('Ordained pastoral counsellor');

  const [row] = await product.query<{ slug: string }>(
    'select slug from providers p join users u on u.id = p.id where u.email = $1',
    [email],
  );
  const guest = await open();
  await guest.goto(`${product.url}/therapists/${row!.slug}`);
  await expect(guest.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('an address that has an account isn’t added again; a client’s can become a specialist’s', async ({
  page,
  product,
  expectNoise,
}) => {
  expectNoise(/status of (409|412)/);
  const email = someone('known');
  await signIn(page, email);
  await forgetSession(page);
  await signIn(page, 'admin');
  await page.goto('/admin/add-provider');
  const fill = async (address: string) => {
    await page.getByLabel('Full name').fill('Dr. Ruth Kern');
    await page.getByLabel('Email').fill(address);
    await page.getByRole('radio', { name: 'Doctor/Therapist' }).check();
    await page.getByLabel('Specialization').fill('Grief');
  };
  await fill('doctor@italk.example');
  await page.getByRole('button', { name: 'Add Provider' }).click();
  await expect(page.getByText('An account with this address exists already')).toBeVisible();
  await expect(page.getByLabel('Full name')).toHaveValue('Dr. Ruth Kern');
  await fill(email);
  await page.getByRole('button', { name: 'Add Provider' }).click();
  await expect(page.getByText('has an account with this address already')).toBeVisible();
  await page.getByRole('button', { name: 'Make their account a specialist’s' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await confirmation.getByLabel('Your password').fill(password);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Provider Added Successfully', { exact: true })).toBeVisible();
  expect(
    await product.query(
      `select role, full_name from profiles p join users u on u.id = p.id where email = $1`,
      [email],
    ),
  ).toEqual([{ role: 'doctor', full_name: 'Dr. Ruth Kern' }]);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/home$/);
});

test('a licence that ends is flagged for its specialist and for administrators', async ({
  page,
  open,
  product,
}) => {
  const specialist = await becomeSpecialist(page, product, { name: 'Dr. Licensed Winter' });
  const until = async (days: number) =>
    product.query(
      'update providers set licensed_until = (now() at time zone $3)::date + $2::int where id = $1',
      [specialist.id, days, 'UTC'],
    );
  await until(61);
  await page.goto('/practice');
  await expect(page.getByLabel('Title')).toBeVisible();
  await expect(page.getByText('Your licence or ordination ends soon')).toBeHidden();
  await until(30);
  await page.reload();
  await expect(page.getByText('Your licence or ordination ends soon')).toBeVisible();
  await expectFair(page, 'a practice whose licence ends');
  const admin = await open();
  await signIn(admin, 'admin');
  await admin.goto(`${product.url}/admin/settings?tab=providers`);
  const flagged = admin
    .getByRole('region', { name: 'Licences and ordinations that run out' })
    .getByRole('listitem')
    .filter({ hasText: 'Dr. Licensed Winter' });
  await expect(flagged).toContainText('Ends on');
  await until(-1);
  await admin.reload();
  await expect(flagged).toContainText('hidden from the directory');
  await page.reload();
  await expect(page.getByText('Your licence or ordination has ended')).toBeVisible();
});

test('credentials and applications that wait are decided by buttons that look alike', async ({
  page,
  open,
  product,
}) => {
  await becomeSpecialist(page, product, { name: 'Dr. Hanna Moor' });
  await call(page, '/api/practice/credentials', {
    kind: 'licence',
    number: '1',
    issuer: 'Board',
    region: 'Ohio',
  });
  const admin = await open();
  await signIn(admin, 'admin');
  await admin.goto(`${product.url}/admin/settings?tab=providers`);
  const credentials = admin.getByRole('article', { name: 'the credentials of Dr. Hanna Moor' });
  const application = admin.getByRole('article', { name: /^the application of / }).first();
  for (const name of [/^Approve/, /^Reject/]) {
    const [one, other] = await Promise.all(
      [credentials, application].map((entry) =>
        entry.getByRole('button', { name }).evaluate((button) => {
          const { color, backgroundColor, borderColor, fontSize, padding, height } = getComputedStyle(button);
          return { color, backgroundColor, borderColor, fontSize, padding, height };
        }),
      ),
    );
    expect(one, String(name)).toEqual(other);
  }
});

test('only administrators come to the form', async ({ page }) => {
  await page.goto('/admin/add-provider');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await signIn(page, someone('client'));
  await page.goto('/admin/add-provider');
  await expect(page.getByText('Access Denied')).toBeVisible();
  await expect(page.getByLabel('Specialization')).toBeHidden();
});
