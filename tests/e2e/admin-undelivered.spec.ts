import { expect, signIn, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

test('an administrator finds undelivered email, sends it again and dismisses it', async ({
  page,
  product,
}) => {
  const failed = (key: string, kind: string, fault: string, expires: string | null) =>
    product.query(
      `insert into mails (id, key, kind, recipient, subject, text_body, html_body, request_id, created_at, failed_at, fault, expires_at)
       values (gen_random_uuid(), $1, $2, $1 || '@people.example', 'Private words', 'Private', 'Private', 'test', now(), now(), $3, now() + $4::interval)`,
      [key, kind, fault, expires],
    );
  await failed('naomi', 'session', '550 5.1.1', null);
  await failed('ruth', 'reminder', '552 5.2.2', '1 day');
  await failed('boaz', 'password_reset', 'no_answer', '-1 hour');
  await failed('martha', 'welcome', '554', null);
  const waiting = async () => {
    const rows = await product.query<{ key: string }>(
      'select key from mails where resent_at is not null and failed_at is null order by key',
    );
    return rows.map(({ key }) => key);
  };
  await signIn(page, 'admin');
  await page.goto('/admin/undelivered');
  await expect(page.getByRole('heading', { level: 1, name: 'Undelivered Email' })).toBeVisible();
  const row = (kind: string) => page.getByRole('row').filter({ hasText: kind });
  await expect(row('Session update')).toContainText('na•••@people.example');
  await expect(row('Session update')).toContainText('The address doesn’t exist or doesn’t take email.');
  await expect(row('Session reminder')).toContainText('The mailbox is full.');
  await expect(row('Password reset')).toContainText('Its link has expired');
  await expect(row('Password reset').getByRole('button', { name: /^Send again/ })).toHaveCount(0);
  await expect(page.getByText(/Private|naomi@/)).toHaveCount(0);
  await expectFair(page, 'the undelivered email', { dark: true });

  await page.getByRole('button', { name: 'Send again: Session update to na•••@people.example' }).click();
  await expect(row('Session update')).toHaveCount(0);
  // Without a mail server what is sent stays in the tray.
  expect(await waiting()).toEqual(['naomi']);

  await page.getByRole('button', { name: /^Dismiss: Password reset/ }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Dismiss this email?' });
  await expectFair(page, 'the question whether to dismiss', { dialog });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row('Password reset')).toBeVisible();
  await page.getByRole('button', { name: /^Dismiss: Password reset/ }).click();
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect(row('Password reset')).toHaveCount(0);

  await page.getByRole('button', { name: 'Send all again' }).click();
  await expect(page.getByText('All email has been delivered')).toBeVisible();
  expect(await waiting()).toEqual(['martha', 'naomi', 'ruth']);
});
