import type { Locator, Page } from '@playwright/test';
import { becomeSpecialist, bookDirectly, offeredTimes } from './support/booking.ts';
import { call, expect, signIn, someone, test } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';

test.use({ reducedMotion: 'reduce' });

const title = /^If you or someone you know is thinking about suicide/;

/** Writes such words into a field: the lines appear beside it, politely, and nothing else changes. */
async function expectLines(page: Page, field: Locator, within: Locator, words: string): Promise<void> {
  await field.fill('I was killing time before our session');
  await expect(within.getByText(title)).toBeHidden();
  await field.fill(words);
  const lines = within.locator('[aria-live=polite]').filter({ hasText: title });
  await expect(lines).toBeVisible();
  for (const [name, href] of [
    ['Call 988', 'tel:988'],
    ['Text 988', 'sms:988'],
    ['In danger now: call 911', 'tel:911'],
    ['llame al 988 y oprima 2', 'tel:988'],
    ['envíe AYUDA al 988', 'sms:988?&body=AYUDA'],
  ] as const) {
    await expect(lines.getByRole('link', { name })).toHaveAttribute('href', href);
  }
  await expect(lines.locator('[lang=es]')).toBeVisible();
  await expect(field).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: title })).toHaveCount(0);
}

/** Somebody new with a conversation that they have opened. */
async function startConversation(page: Page, specialistId: string, text: string): Promise<string> {
  const conversationId = crypto.randomUUID();
  await call(page, '/api/conversations', {
    conversationId,
    messageId: crypto.randomUUID(),
    withId: specialistId,
    subject: 'The nights',
    text,
    attachmentIds: [],
  });
  return conversationId;
}

test('a guest who writes of suicide in the contact form sees the crisis lines, and nothing is sent', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto('/contact');
  const form = page.locator('form').filter({ has: page.getByLabel('Subject') });
  await expectLines(
    page,
    page.getByLabel('Message', { exact: true }),
    form,
    'I don’t want to live anymore.\nWhom could I talk to?',
  );
  await expectFair(page, 'the contact form with crisis lines', { dark: true });
  expect(sent.join('\n')).not.toMatch(/live|anymore/);

  await test.step('they can be closed, and the person writes on', async () => {
    await form.getByRole('button', { name: 'Close crisis lines' }).click();
    await expect(form.getByText(title)).toBeHidden();
    await expect(page.getByLabel('Message', { exact: true })).toBeFocused();
  });
  await test.step('the subject counts, too', async () => {
    await page.getByLabel('Message', { exact: true }).fill('Please call me.');
    await page.getByLabel('Subject').fill('Quiero morir');
    await expect(form.getByText(title)).toBeVisible();
  });
});

test('words of suicide in a message bring the crisis lines, which stay after it is sent; home doesn’t repeat it', async ({
  page,
  product,
}) => {
  const specialist = await becomeSpecialist(page, product, { name: 'Dr. Ann Keller' });
  await signIn(page, someone('client'));
  await page.goto(`/messages/new?to=${specialist.id}`);
  await expectLines(
    page,
    page.getByLabel('Message', { exact: true }),
    page.getByRole('main'),
    'I think about ending my life.',
  );
  const conversationId = await startConversation(page, specialist.id, 'I would like to ask you something.');
  await page.goto(`/messages/${conversationId}`);
  const field = page.getByRole('textbox', { name: /^Message to/ });
  await expectLines(page, field, page.getByRole('main'), 'I want to kill myself');
  await expectFair(page, 'the composer with crisis lines', { dark: true });
  await field.fill('I want to kill myself tonight');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('group', { name: /^Messages with/ })).toContainText('kill myself tonight');
  await expect(page.getByText(title)).toBeVisible();

  await page.goto('/home');
  const recent = page.getByRole('region', { name: 'Recent Messages' });
  await expect(recent).toContainText('Dr. Ann Keller');
  await expect(recent).toContainText('Open the conversation to read this message.');
  await expect(page.getByRole('main')).not.toContainText('kill myself');
});

test('the journal, a prayer request, a goal and the reason of a cancellation bring the crisis lines', async ({
  page,
  product,
}) => {
  const specialist = await becomeSpecialist(page, product, { name: 'Dr. Ann Keller' });
  await signIn(page, someone('client'));
  await page.goto('/growth?tab=journal');
  const journal = page.getByRole('region', { name: 'Journal', exact: true });
  await expectLines(page, journal.getByRole('textbox').first(), journal, 'ya no quiero vivir');
  await expectFair(page, 'the journal with crisis lines', { dark: true });
  await page.goto('/growth?tab=prayer');
  await page.getByRole('button', { name: 'Ask for prayer' }).first().click();
  let dialog = page.getByRole('dialog');
  await expectLines(page, dialog.getByRole('textbox').first(), dialog, 'Pray for me, I want to die');
  await expectFair(page, 'a prayer request with crisis lines', { dialog, dark: true });
  await page.goto('/growth');
  await page.getByRole('button', { name: 'Add a goal' }).first().click();
  dialog = page.getByRole('dialog');
  await expectLines(page, dialog.locator('textarea'), dialog, 'I keep cutting myself again');
  const [time] = await offeredTimes(page, product, specialist);
  await bookDirectly(page, specialist, time!);
  await page.goto('/home');
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  dialog = page.getByRole('alertdialog');
  await expectLines(page, dialog.getByLabel('Reason'), dialog, 'I won’t need it, I want to end it all');
  await expectFair(page, 'a cancellation with crisis lines', { dialog, dark: true });
  await dialog.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(dialog).toBeHidden();
  await page.getByText('Past sessions').click();
  await expect(
    page.locator('details').getByRole('listitem').filter({ hasText: 'Dr. Ann Keller' }),
  ).toContainText('Cancelled');
  await expect(page.getByRole('main')).not.toContainText('end it all');
});

test('the landing page loads nothing of it', async ({ page }) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.text().catch(() => ''));
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect((await Promise.all(scripts)).filter((source) => source.includes('escuadron'))).toEqual([]);
  expect(scripts.length).toBeGreaterThan(0);
});
