import type { Page } from '@playwright/test';
import { becomeSpecialist, toast } from './support/booking.ts';
import {
  addressOf,
  call,
  expect,
  forgetSession,
  password,
  signIn,
  someone,
  test,
} from './support/fixtures.ts';
import { expectFair } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ screenshot: 'only-on-failure', reducedMotion: 'reduce' });

const reason = 'She wrote to us that she is in danger tonight.';
const open = (page: Page) => page.getByRole('button', { name: 'Open the conversation' });

async function fill(page: Page, first: string, second: string): Promise<void> {
  await page.getByLabel('Email address of one of the two').fill(first);
  await page.getByLabel('Email address of the other one').fill(second);
  await page.getByLabel('Why it has to be opened').fill(reason);
  await page.getByLabel('Type “this is an emergency”').fill('this is an emergency');
  await page.getByLabel('Your password', { exact: true }).fill(password);
}

test('an administrator opens a conversation in an emergency, reads it, and both people are told', async ({
  page,
  open: openPage,
  product,
}) => {
  const [counsellor, client] = [await openPage(), await openPage()];
  const { id } = await becomeSpecialist(counsellor, product, { name: 'Dr. Ann Keller' });
  const email = someone('writes');
  await signIn(client, email);
  const conversationId = crypto.randomUUID();
  await call(client, '/api/conversations', {
    conversationId,
    messageId: crypto.randomUUID(),
    withId: id,
    subject: 'The nights',
    text: 'I don’t feel safe at home.',
    attachmentIds: [],
  });
  const [row] = await product.query<{ email: string }>('select email from users where id = $1', [id]);
  await client.goto(`${product.url}/messages/${conversationId}`);
  await expect(client.getByText('I don’t feel safe at home.').first()).toBeVisible();
  await counsellor.goto(`${product.url}/home`);
  await counsellor.waitForLoadState('networkidle');

  await signIn(page, 'admin');
  await page.goto('/home');
  await page.getByRole('link', { name: 'Emergency access' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Emergency access');
  await expectFair(page, 'the form of an emergency access', { dark: true });
  await open(page).click();
  await expect(page.getByLabel('Email address of one of the two')).toBeFocused();
  await expect(page.getByText('Please write at least 20 characters.')).toBeVisible();
  await expectFair(page, 'an emergency access with nothing in it');
  await fill(page, email, row!.email);
  await open(page).click();
  // It is said for some seconds only.
  await expect(
    toast(counsellor, 'An administrator has just opened one of your conversations in an emergency.'),
  ).toBeVisible();

  const reading = page.getByRole('region', { name: /and Dr\. Ann Keller$/ });
  await expect(reading.getByText('I don’t feel safe at home.')).toBeVisible();
  await expect(reading.getByText('Subject: The nights')).toBeVisible();
  await expect(reading.getByText(/^Open until .+ Both people have been told\.$/)).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  const [admin] = await product.query<{ id: string; zone: string | null }>(
    'select profiles.id, time_zone as zone from profiles join users using (id) where email = $1',
    [addressOf('admin')],
  );
  const setZone = (zone: string | null) =>
    product.query('update profiles set time_zone = $2 where id = $1', [admin!.id, zone]);
  await setZone('Asia/Tokyo');
  await page.reload();
  await expect(reading.getByText('Times are in Tokyo time.')).toBeVisible();
  await setZone(admin!.zone);
  await expectFair(page, 'a conversation that is open in an emergency', { dark: true });

  const line = /^An administrator opened this conversation on .+ in an emergency\.$/;
  await expect(client.getByText(line)).toBeVisible();
  await expectFair(client, 'a conversation that was opened', { dark: true });
  for (const to of [email, row!.email]) {
    await expect
      .poll(async () => {
        const mails = await mailsTo(product, to);
        return mails.map(({ subject }) => subject);
      })
      .toContain('One of your conversations was opened');
  }

  await page.reload();
  await expect(reading.getByText('I don’t feel safe at home.')).toBeVisible();
  await page.getByRole('button', { name: 'Close it now' }).click();
  await expect(page.getByText('The conversation is closed again.')).toBeVisible();
  await expect(page.getByText('I don’t feel safe at home.')).toHaveCount(0);
  await expect(open(page)).toBeVisible();
});

test('without the password or such a conversation nothing is opened, and what was written stays', async ({
  page,
  expectNoise,
}) => {
  expectNoise(/status of 4\d\d/);
  await signIn(page, 'admin');
  await page.goto('/admin/emergency');
  await fill(page, addressOf('client'), someone('nobody'));
  await open(page).click();
  await expect(page.getByRole('alert')).toContainText('These two people have no conversation.');
  await page.getByLabel('Your password', { exact: true }).fill('wrong');
  await open(page).click();
  await expect(page.getByText('This password isn’t right.')).toBeVisible();
  await expect(page.getByLabel('Your password', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Why it has to be opened')).toHaveValue(reason);
});

test('the room is shut to everybody else', async ({ page }) => {
  await page.goto('/admin/emergency');
  await expect(page).toHaveURL('/?auth=1&next=%2Fadmin%2Femergency');
  for (const who of ['client', 'doctor'] as const) {
    await forgetSession(page);
    await signIn(page, who);
    await page.goto('/admin/emergency');
    await expect(page.getByRole('main')).toHaveText('Access denied. Required permission: manage_users');
  }
});
