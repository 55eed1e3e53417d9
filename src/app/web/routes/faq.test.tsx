import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const question = (text: string) => page.getByText(text, { exact: true });
const cancel = question('Can I cancel or reschedule a session?');
const help = question('What do you help with?');
const openAnswers = () => [...document.querySelectorAll('details[open]')].map((one) => one.textContent);

test('groups questions into four categories', async () => {
  await openPage('/faq');
  const headings = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect
    .poll(() => headings.elements().map((one) => one.textContent))
    .toEqual([
      'Getting Started',
      'Our Approach',
      'Technical & Privacy',
      'Services & Specialists',
      'Still have a question?',
    ]);
});

test('opens one answer at a time across categories, and closes it again', { tags: ['long'] }, async () => {
  await openPage('/faq');
  await cancel.click();
  await expect
    .poll(openAnswers)
    .toEqual([expect.stringContaining('at least 24 hours’ notice where possible')]);
  await help.click();
  await expect.poll(openAnswers).toEqual([expect.stringContaining('Comfort & Healing')]);
  await expectFair('the FAQ with an answer');
  await help.click();
  await expect.poll(openAnswers).toEqual([]);
});

test('opens and closes one question at a time by keyboard alone', { tags: ['long'] }, async () => {
  await openPage('/faq');
  const [first, last] = [cancel, help].map((one) => page.elementLocator(one.element().closest('summary')!));
  await press(first!);
  await expect.poll(openAnswers).toHaveLength(1);
  await press(last!, ' ');
  await expect.poll(openAnswers).toEqual([expect.stringContaining('Comfort & Healing')]);
  await expect.element(last!).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(openAnswers).toEqual([]);
});

test('links to the contact page, a phone number and the services', async () => {
  await openPage('/faq');
  const more = page.getByRole('region', { name: 'Still have a question?' });
  for (const [name, href] of [
    ['Contact us', '/contact'],
    ['+1 555 010 0188', 'tel:+15550100188'],
    ['See our services', '/services'],
  ] as const)
    await expect.element(more.getByRole('link', { name })).toHaveAttribute('href', href);
});

test('mentions the app only while Mobile App Access is on', async () => {
  await openPage('/faq');
  const app = question('Is there an app?');
  await expect.element(app).toBeVisible();
  const { flags, ...site } = recordedFor('guest')['settings.site'];
  await openPage('/faq', {
    answers: { 'settings.site': { ...site, flags: flags.filter((flag) => flag !== 'mobile_app_access') } },
  });
  await expect.element(cancel).toBeVisible();
  await expect.element(app).not.toBeInTheDocument();
});
