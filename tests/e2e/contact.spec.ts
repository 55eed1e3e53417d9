import type { Page } from '@playwright/test';
import { expect, signIn, someone, test, type Who } from './support/fixtures.ts';
import { expectFair, expectNoViolation, phone } from './support/look.ts';
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

  test('says what is missing in words, focuses the first of it, and keeps what was typed', async ({
    page,
    product,
  }) => {
    await page.goto('/contact');
    await page.getByLabel('Subject').fill('A question');
    await page.getByLabel('Email', { exact: true }).fill('nobody');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText('Please enter your name.')).toBeVisible();
    await expect(page.getByText('Please enter an email like name@example.com.')).toBeVisible();
    await expect(page.getByText('Please write your message.')).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
    await expect(page.getByLabel('Subject')).toHaveValue('A question');
    expect(await product.query(`select 1 from contact_messages where email = 'nobody'`)).toEqual([]);
    await expectFair(page, 'the form with problems', { dark: true });
  });

  test('keeps what was typed when the server can’t be reached, and sends it with the next press', async ({
    page,
    product,
    expectNoise,
  }) => {
    expectNoise(/ERR_FAILED/);
    const email = someone('lost');
    await page.goto('/contact');
    await page.route('**/api/contact/messages', (route) => route.abort());
    await fill(page, { email });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Your message wasn’t sent' })).toBeVisible();
    await expectNoViolation(page, 'the form that couldn’t be sent');
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue(
      'My mother died in May.\nWhom could I talk to?',
    );
    await page.unroute('**/api/contact/messages');
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: sentTitle })).toBeVisible();
    expect(await product.query('select 1 from contact_messages where email = $1', [email])).toHaveLength(1);
  });

  test('keeps what was typed when too many messages have come, and says so plainly', async ({
    page,
    expectNoise,
  }) => {
    expectNoise(/status of 429/);
    await page.goto('/contact');
    await page.route('**/api/contact/messages', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'rate_limited', reason: 'too_many_messages', fields: [], data: {} }),
      }),
    );
    await fill(page, { email: someone() });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'please try again in an hour' })).toBeVisible();
    await expect(page.getByLabel('Subject')).toHaveValue('A question');
  });

  test('gets another form by itself when it was left open for long', async ({
    page,
    product,
    expectNoise,
  }) => {
    expectNoise(/status of 412/);
    const email = someone('slow');
    await page.goto('/contact');
    let refused = 0;
    await page.route('**/api/contact/messages', async (route) => {
      if (refused > 0) return route.continue();
      refused += 1;
      return route.fulfill({
        status: 412,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'precondition', reason: 'form_expired', fields: [], data: {} }),
      });
    });
    await fill(page, { email });
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: sentTitle })).toBeVisible({ timeout: 15_000 });
    expect(await product.query('select 1 from contact_messages where email = $1', [email])).toHaveLength(1);
  });

  test('refuses robots with a plain reason; people and screen readers never meet its trap', async ({
    page,
    product,
    expectNoise,
  }) => {
    expectNoise(/status of 412/);
    await page.goto('/contact');
    const names = await page
      .getByRole('textbox')
      .evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    expect(names).toEqual(['name', 'email', 'subject', 'message']);
    await page.getByLabel('Message', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeFocused();

    const email = someone('robot');
    await fill(page, { email });
    await page
      .locator('[name=website]')
      .evaluate((trap: HTMLInputElement) => (trap.value = 'https://spam.example'));
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'couldn’t tell that a person' })).toBeVisible();
    expect(await product.query('select 1 from contact_messages where email = $1', [email])).toEqual([]);
  });

  test('can be sent by keyboard alone', async ({ page }) => {
    await page.goto('/contact');
    await page.getByLabel('Name', { exact: true }).focus();
    for (const words of ['Ruth Amsel', someone('keys'), 'A question', 'How do I begin?']) {
      await page.keyboard.type(words);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listitem').filter({ hasText: sentTitle })).toBeVisible();
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

  test('looks fair with messages, without, and when it can’t be loaded', async ({ page, expectNoise }) => {
    expectNoise(/ERR_FAILED|status of 404/);
    await open(page, 'admin', '/admin/inbox');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByLabel('Search messages').fill('nothing-has-these-words');
    await expect(page.getByText('No message has these words')).toBeVisible();
    // Names and addresses are looked for: they stay out of what browsers and servers remember.
    await expect(page).toHaveURL('/admin/inbox');
    expect(asked.filter((url) => url.includes('nothing'))).toEqual([]);
    await expectFair(page, 'a search that finds nothing');
    // Many messages are searched some at a time.
    const next = { lastSentAt: '2020-01-01T00:00:00Z', lastId: '0190a0a0-0000-7000-8000-000000000000' };
    const found = { messages: [], next, open: 3 };
    await page.route('**/api/contact/messages/search', (route) => route.fulfill({ json: found }));
    await page.getByLabel('Search messages').fill('nothing-in-the-newest');
    await expect(page.getByText('No matches so far')).toBeVisible();
    await expectFair(page, 'a search that has not looked at all messages');
    await page.unroute('**/api/contact/messages/search');
    await page.getByRole('button', { name: 'Search older messages' }).click();
    await expect(page.getByText('No message has these words')).toBeVisible();
    await page.goto('/admin/inbox?state=closed');
    await page.waitForLoadState('networkidle');
    await expectFair(page, 'closed messages', { dark: true });
    await page.goto('/admin/inbox?message=0190a0a0-0000-7000-8000-000000000000');
    await expect(page.getByText('This message isn’t here any more.')).toBeVisible();
    await page.route('**/api/contact/messages/search', (route) => route.abort());
    await page.goto('/admin/inbox');
    await expect(page.getByText('The messages couldn’t be loaded.')).toBeVisible();
    await expectNoViolation(page, 'an inbox that couldn’t be loaded');
    await page.unroute('**/api/contact/messages/search');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('The messages couldn’t be loaded.')).toHaveCount(0);
  });

  test('leads the focus into a message that takes the place of the list on phones', async ({ page }) => {
    await page.setViewportSize(phone);
    await open(page, 'admin', '/admin/inbox');
    const list = page.getByRole('navigation', { name: 'Messages, the newest first' });
    await list.getByRole('link').first().press('Enter');
    await expect(page.getByRole('region', { name: 'Inbox' })).toBeFocused();
    await expect(list).toBeHidden();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'All messages' })).toBeFocused();
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

test('the contact page is fair to everybody', async ({ page }) => {
  await page.goto('/contact');
  await expectFair(page, '/contact', { dark: true });
});
