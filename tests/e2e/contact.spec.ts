import type { Page } from '@playwright/test';
import { expect, signIn, someone, test, type Who } from './support/fixtures.ts';
import { expectFair } from './support/look.ts';
import { mailsTo } from './support/mails.ts';

test.use({ reducedMotion: 'reduce' });

const sentTitle = 'Message sent successfully';
const sentText = "We'll get back to you within 24 hours.";

async function fill(page: Page, { email, subject = 'A question' }: { email: string; subject?: string }) {
  await page.getByLabel('Name', { exact: true }).fill('Ruth Amsel');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel('Message', { exact: true }).fill('My mother died in May.\nWhom could I talk to?');
}

async function open(page: Page, who: Who, path: string) {
  await signIn(page, who);
  await page.goto(path);
}

test.describe('the contact page', () => {
  test('tells how to reach us, when we answer, and whom to call in an emergency', async ({ page }) => {
    await page.goto('/contact');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact us');
    const reach = page.getByRole('region', { name: 'How to reach us' });
    await expect(reach.getByRole('link', { name: 'support@italk.example' })).toHaveAttribute(
      'href',
      'mailto:support@italk.example',
    );
    await expect(reach.getByRole('link', { name: '+1 555 010 0188' })).toHaveAttribute(
      'href',
      'tel:+15550100188',
    );
    await expect(reach).toContainText('Monday to Friday, 9 AM to 6 PM PST');
    await expect(reach).toContainText('We answer within 24 hours.');
    const emergency = page.getByRole('region', { name: 'In an emergency' });
    for (const [name, href] of [
      [/988/, 'tel:988'],
      [/Text HOME to 741741/, 'sms:741741?&body=HOME'],
      [/911/, 'tel:911'],
    ] as const) {
      await expect(emergency.getByRole('link', { name })).toHaveAttribute('href', href);
    }
  });

  test('sends a message: a toast, cleared fields, a stored row, a mail to the support address and a receipt', async ({
    page,
    product,
  }) => {
    const email = someone('ruth');
    await page.goto('/contact');
    await fill(page, { email });
    await page.getByRole('button', { name: 'Send Message' }).click();
    const toast = page.getByRole('listitem').filter({ hasText: sentTitle });
    await expect(toast).toBeVisible();
    await expect(toast).toContainText(sentText);
    for (const field of ['Name', 'Email', 'Subject', 'Message']) {
      await expect(page.getByLabel(field, { exact: true })).toHaveValue('');
    }
    const [row] = await product.query<{ id: string; state: string }>(
      'select id, state from contact_messages where email = $1',
      [email],
    );
    expect(row!.state).toBe('open');
    await expect
      .poll(() => mailsTo(product, email))
      .toMatchObject([{ subject: 'We have your message', replyTo: null }]);
    const [told] = (await mailsTo(product, 'support@italk.example')).filter(
      ({ replyTo }) => replyTo === email,
    );
    expect(told).toMatchObject({ subject: 'A message from the contact form', key: `${row!.id}:support` });
    expect(told!.text).toContain('My mother died in May.\n\nWhom could I talk to?');
  });

  test('without script says where to write', async ({ open: openPage, product }) => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${product.url}/contact`);
    await expect(
      page.locator('noscript p', { hasText: 'You can also write to support@italk.example.' }),
    ).toBeVisible();
  });
});

test.describe('the inbox', () => {
  test('brings a new message at once; an administrator reads, notes, closes and reopens it', async ({
    page,
    open: openPage,
  }) => {
    const subject = `About ${someone()}`;
    await open(page, 'admin', '/admin/inbox');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inbox');
    const guest = await openPage();
    await guest.goto(`${new URL(page.url()).origin}/contact`);
    await fill(guest, { email: 'ruth@amsel.example', subject });
    await guest.getByRole('button', { name: 'Send Message' }).click();

    const entry = page
      .getByRole('navigation', { name: 'Messages, the newest first' })
      .getByRole('link', { name: subject });
    await expect(entry).toBeVisible({ timeout: 15_000 });
    await entry.click();
    await expect(page.getByRole('heading', { level: 2, name: subject })).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Inbox' }).getByText('My mother died in May.\nWhom could I talk to?'),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: 'Answer by email' })).toHaveAttribute(
      'href',
      `mailto:ruth@amsel.example?subject=${encodeURIComponent(`Re: ${subject}`)}`,
    );
    await expectFair(page, 'an open message', { dark: true });
    await page.getByLabel('Internal note').fill('Called back.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByText('Note saved', { exact: true }).first()).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByText(/^Closed .+ by /)).toBeVisible();
    await expect(entry).toHaveCount(0);

    await page.getByRole('link', { name: 'Closed', exact: true }).click();
    await page.getByLabel('Search messages').fill(subject.toUpperCase());
    await expect(entry).toBeVisible();
    await entry.click();
    await expect(page.getByLabel('Internal note')).toHaveValue('Called back.');
    await page.getByRole('button', { name: 'Open again' }).click();
    await expect(page.getByRole('main').getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  });

  test('is shut to everybody else', async ({ page }) => {
    await page.goto('/admin/inbox');
    await expect(page).toHaveURL('/?auth=1&next=%2Fadmin%2Finbox');
    for (const who of ['client', 'doctor'] as const) {
      await open(page, who, '/admin/inbox');
      await expect(page.getByRole('main')).toHaveText(
        'Access denied. Required permission: access_admin_panel',
      );
    }
  });
});

test.describe('about', () => {
  test('tells of mission, values, approach and story, and leads to services and specialists', async ({
    page,
  }) => {
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('About iTalk Health');
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'Our mission',
      'What we hold dear',
      'Our approach',
      'Our story',
      'Where would you like to begin?',
    ]);
    const main = page.getByRole('main');
    await expect(main.getByRole('link', { name: 'Explore our services' })).toHaveAttribute(
      'href',
      '/services',
    );
    await expect(main.getByRole('link', { name: 'Meet our specialists' })).toHaveAttribute(
      'href',
      '/therapists',
    );
    await expectFair(page, '/about', { dark: true });
  });
});

test.describe('the FAQ', () => {
  test('opens one answer at a time over all four categories, and closes it again, also by keyboard', async ({
    page,
  }) => {
    await page.goto('/faq');
    await expect(page.getByRole('main').locator('section h2')).toHaveText([
      'Getting Started',
      'Our Approach',
      'Technical & Privacy',
      'Services & Specialists',
      'Still a question?',
    ]);
    const openOnes = page.locator('details[open]');
    const cancel = page.locator('summary', { hasText: 'Can I cancel or reschedule a session?' });
    await cancel.click();
    await expect(openOnes).toHaveCount(1);
    await expect(openOnes).toContainText('at least 24 hours’ notice where possible');
    await page.locator('summary', { hasText: 'What do you help with?' }).click();
    await expect(openOnes).toHaveCount(1);
    await expect(openOnes).toContainText('Comfort & Healing');
    await expectFair(page, '/faq with an answer', { dark: true });
    await page.locator('summary', { hasText: 'What do you help with?' }).click();
    await expect(openOnes).toHaveCount(0);
    await cancel.focus();
    await page.keyboard.press('Enter');
    await expect(openOnes).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(openOnes).toHaveCount(0);
  });

  test('leads to the contact page, a phone number and the services', async ({ page }) => {
    await page.goto('/faq');
    const more = page.getByRole('region', { name: 'Still a question?' });
    await expect(more.getByRole('link')).toHaveText(['Contact us', '+1 555 010 0188', 'See our services']);
    await expect(more.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', '/contact');
    await expect(more.getByRole('link', { name: '+1 555 010 0188' })).toHaveAttribute(
      'href',
      'tel:+15550100188',
    );
    await expect(more.getByRole('link', { name: 'See our services' })).toHaveAttribute('href', '/services');
  });
});
