import { becomeSpecialist, toast } from './support/booking.ts';
import { call, expect, password, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';
import { becomeAdministrator, becomeClient } from './support/people.ts';

test(
  'opens a conversation to an administrator in an emergency, and notifies both people',
  { tag: '@long' },
  async ({ page, open: openPage, product }) => {
    const [counsellor, client] = [await openPage(), await openPage()];
    const specialist = await becomeSpecialist(counsellor, product, { name: 'Dr. Ann Keller' });
    const email = await becomeClient(client, product);
    const conversationId = crypto.randomUUID();
    await call(client, '/api/conversations', {
      conversationId,
      messageId: crypto.randomUUID(),
      withId: specialist.id,
      subject: 'The nights',
      text: 'I don’t feel safe at home.',
      attachmentIds: [],
    });
    await client.goto(`${product.url}/messages/${conversationId}`);
    await expect(client.getByText('I don’t feel safe at home.').first()).toBeVisible();
    const line = counsellor.waitForEvent('websocket');
    await counsellor.goto(`${product.url}/home`);
    await (await line).waitForEvent('framereceived');

    await becomeAdministrator(page, product);
    await page.goto('/home');
    await page.getByRole('link', { name: 'Emergency access' }).click();
    await page.getByLabel('First person’s email').fill(email);
    await page.getByLabel('Second person’s email').fill(specialist.email);
    await page.getByLabel('Reason').fill('She wrote to us that she is in danger tonight.');
    await page.getByLabel('Type “this is an emergency”').fill('this is an emergency');
    await page.getByLabel('Your password', { exact: true }).fill(password);
    const open = page.getByRole('button', { name: 'Open conversation' });
    await open.click();
    await expect(
      toast(counsellor, 'An administrator just opened one of your conversations in an emergency.'),
    ).toBeVisible();
    await expect(
      client.getByText(/^An administrator opened this conversation on .+ in an emergency\.$/),
    ).toBeVisible();
    for (const to of [email, specialist.email]) {
      const subjects = async () => (await mailsTo(product, to)).map(({ subject }) => subject);
      await expect.poll(subjects).toContain('One of your conversations was opened');
    }

    const reading = page.getByRole('region', { name: /and Dr\. Ann Keller$/ });
    await page.reload();
    await expect(reading.getByText('I don’t feel safe at home.')).toBeVisible();
    await page.getByRole('button', { name: 'Close conversation' }).click();
    await expect(page.getByText('Conversation closed')).toBeVisible();
    await page.reload();
    await expect(open).toBeVisible();
    await expect(reading).toHaveCount(0);
  },
);
