import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const send = page.getByRole('button', { name: 'Send Message' });
const sent = page.getByRole('listitem').filter({ hasText: 'Message sent successfully' });
const failed = page.getByRole('alert').filter({ hasText: 'Your message wasn’t sent' });
const field = (name: string) => page.getByLabelText(name, { exact: true });

/** A form that can be sent immediately. */
const form = { token: 'own:form', challenge: '01a20ca3-f05e-7568-adb7-8d555eca4108', waitSeconds: 0 };
const taken = Response.json({ sentAt: '2026-11-24T08:00:00Z' }, { status: 201 });

async function fill(): Promise<void> {
  await field('Name').fill('Ruth Amsel');
  await field('Email').fill('ruth@people.example');
  await field('Subject').fill('A question');
  await field('Message').fill('My mother died in May.');
}

beforeEach(() => openPage('/contact', { answers: { 'contact.form': form, 'contact.send': taken } }));

test('passes accessibility checks', () => expectFair('/contact'));

test('shows contact details, response time and emergency numbers', async () => {
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Contact us');
  const reach = page.getByRole('region', { name: 'How to reach us' });
  for (const said of ['Monday to Friday, 9 AM to 6 PM PST', 'Within 24 hours'])
    await expect.element(reach).toMatchTextContent(said);
  const emergency = page.getByRole('region', { name: 'In an emergency' });
  for (const [region, name, href] of [
    [reach, 'support@italk.example', 'mailto:support@italk.example'],
    [reach, '+1 555 010 0188', 'tel:+15550100188'],
    [emergency, /988/, 'tel:988'],
    [emergency, /Text HOME to 741741/, 'sms:741741?&body=HOME'],
    [emergency, /911/, 'tel:911'],
  ] as const)
    await expect.element(region.getByRole('link', { name })).toHaveAttribute('href', href);
});

test('names missing fields, focuses the first and keeps input', async () => {
  await field('Subject').fill('A question');
  await field('Email').fill('nobody');
  await send.click();
  await expect.element(page.getByText('Enter your name.')).toBeVisible();
  await expect.element(page.getByText('Enter an email address, such as name@example.com.')).toBeVisible();
  await expect.element(page.getByText('Enter a message.')).toBeVisible();
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(field('Subject')).toHaveValue('A question');
  expect(askedFor('contact.send')).toEqual([]);
  await expectFair('the form with problems');
});

test('keeps input when the server is unreachable, and resends on retry', { tags: ['long'] }, async () => {
  answer({ 'contact.send': unreachable });
  await fill();
  await send.click();
  await expect.element(failed).toBeVisible();
  await expectNoViolation('the form that couldn’t be sent');
  await expect.element(field('Message')).toHaveValue('My mother died in May.');
  await pressWith(send, { 'contact.send': taken });
  await expect.element(sent).toBeVisible();
  await expect.element(field('Message')).toHaveValue('');
});

test('keeps input when rate limited, with a clear message', async () => {
  answer({ 'contact.send': refusal(429, 'rate_limited', 'too_many_messages') });
  await fill();
  await send.click();
  await expect.element(page.getByText('Try again later')).toBeVisible();
  await expect.element(field('Subject')).toHaveValue('A question');
});

test('renews a form left open for long', { tags: ['long'] }, async () => {
  let tries = 0;
  answer({
    'contact.send': () => ((tries += 1) === 1 ? refusal(412, 'precondition', 'form_expired') : taken),
  });
  await fill();
  await send.click();
  await expect.element(sent).toBeVisible();
  await expect.poll(() => askedFor('contact.form')).toHaveLength(2);
});

test('explains a failed bot check, and hides the trap from people and screen readers', async () => {
  answer({ 'contact.send': refusal(412, 'precondition', 'not_a_person') });
  const names = page
    .getByRole('textbox')
    .elements()
    .map((one) => one.getAttribute('name'));
  expect(names).toEqual(['name', 'email', 'subject', 'message']);
  await field('Message').click();
  await userEvent.keyboard('{Tab}');
  await expect.element(send).toHaveFocus();
  await fill();
  document.querySelector<HTMLInputElement>('[name=website]')!.value = 'https://spam.example';
  await send.click();
  await expect.element(page.getByText('didn’t pass our spam check')).toBeVisible();
  await expect.poll(() => askedFor('contact.send')).toHaveLength(1);
});

test('sends a message by keyboard alone', { tags: ['long'] }, async () => {
  field('Name').element().focus();
  for (const words of ['Ruth Amsel', 'keys@people.example', 'A question', 'How do I begin?']) {
    await userEvent.keyboard(words);
    await userEvent.keyboard('{Tab}');
  }
  await userEvent.keyboard('{Enter}');
  await expect.element(sent).toBeVisible();
  await expect
    .poll(() => askedFor('contact.send'))
    .toMatchObject([{ email: 'keys@people.example', message: 'How do I begin?' }]);
});
