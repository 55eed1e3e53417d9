import { expect, someone, test } from './support/fixtures.ts';
import { mailsTo } from './support/mails.ts';
import { becomeAdministrator } from './support/people.ts';

test(
  'emails a guest’s message with a receipt; an administrator reads, notes, closes, reopens it',
  { tag: '@long' },
  async ({ page, open, product }) => {
    const subject = `About ${someone()}`;
    const email = someone('ruth');
    await becomeAdministrator(page, product);
    await page.goto('/admin/inbox');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact inbox');

    const guest = await open();
    await guest.goto(`${product.url}/contact`);
    await guest.getByLabel('Name', { exact: true }).fill('Ruth Amsel');
    await guest.getByLabel('Email', { exact: true }).fill(email);
    await guest.getByLabel('Subject').fill(subject);
    await guest.getByLabel('Message', { exact: true }).fill('My mother died in May.\nWhom could I talk to?');
    await guest.getByRole('button', { name: 'Send Message' }).click();
    await expect(guest.getByRole('listitem').filter({ hasText: 'Message sent successfully' })).toContainText(
      "We'll get back to you within 24 hours.",
    );
    await expect(guest.getByLabel('Subject')).toHaveValue('');
    await expect
      .poll(() => mailsTo(product, email))
      .toMatchObject([{ subject: 'We got your message', replyTo: null }]);
    const [told] = (await mailsTo(product, 'support@italk.example')).filter(
      ({ replyTo }) => replyTo === email,
    );
    expect(told).toMatchObject({ subject: 'New message from the contact form' });
    expect(told!.text).toContain('My mother died in May.\n\nWhom could I talk to?');

    const entry = page
      .getByRole('navigation', { name: 'Messages, newest first' })
      .getByRole('link', { name: subject });
    await entry.click();
    const inbox = page.getByRole('region', { name: 'Contact inbox' });
    await expect(inbox.getByText('My mother died in May.\nWhom could I talk to?')).toBeVisible();
    await inbox.getByLabel('Answer', { exact: true }).fill('Dr. Vale knows grief well.');
    await inbox.getByRole('button', { name: 'Send answer' }).click();
    await expect(inbox.getByText('Emailed')).toBeVisible();
    await expect
      .poll(async () =>
        (await mailsTo(product, email)).find((one) => one.subject === 'Our answer to your message'),
      )
      .toMatchObject({ replyTo: 'support@italk.example' });
    await page.getByLabel('Internal note').fill('Called back.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText('Note saved', { exact: true }).first()).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByText(/^Closed .+ by /)).toBeVisible();
    await expect(entry).toHaveCount(0);
    await page.getByRole('link', { name: 'Closed', exact: true }).click();
    await page.getByLabel('Search messages').fill(subject.toUpperCase());
    await entry.click();
    await expect(page.getByLabel('Internal note')).toHaveValue('Called back.');
    await page.getByRole('button', { name: 'Reopen' }).click();
    await expect(page.getByRole('main').getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  },
);

test('shows the contact address on the contact page without script', async ({ request }) => {
  const html = await (await request.get('/contact')).text();
  const [words] = /<noscript[^>]*>.*?support@italk\.example.*?<\/noscript>/s.exec(html)!;
  expect(words.replaceAll(/<[^>]*>/g, '')).toContain('You can also email support@italk.example.');
});
