import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';

const main = page.getByRole('main');
const prompt = page.getByRole('dialog', { name: "You're almost there!" });
const notNow = prompt.getByRole('button', { name: 'Not now, continue browsing' });

test('explains why to create an account, and lets a guest continue browsing', async () => {
  await openPage('/');
  const button = page.getByRole('button', { name: 'Book Session for Comfort & Healing' });
  await button.click();
  await expect
    .element(prompt)
    .toMatchTextContent(
      /Sign in or create a free account to book a session with a caring specialist\..*personalized care.*secure, confidential/,
    );
  await expect.element(prompt.getByRole('heading', { name: 'Why create an account?' })).toBeVisible();
  expect(
    prompt
      .getByRole('listitem')
      .elements()
      .map((one) => one.textContent),
  ).toEqual([
    'Book sessions with qualified Christian professionals',
    'Access personalized resources',
    'Track your spiritual growth',
    'Message counselors and get prayer support',
    'Your data is confidential',
  ]);
  await expectFair('the prompt before a booking');
  await notNow.click();
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  await expect.poll(address).toBe('/');
});

test('traps Tab focus, and restores it on close', { tags: ['long'] }, async () => {
  await openPage('/services');
  const opener = page.getByRole('button', { name: 'Book Session for Faith Strengthening' });
  await press(opener);
  const holdsFocus = () => prompt.query()?.contains(document.activeElement) ?? false;
  await expect.poll(holdsFocus).toBe(true);
  const first = document.activeElement;
  for (const keys of ['{Tab}', '{Shift>}{Tab}{/Shift}']) {
    const stops = new Set<Element | null>();
    do {
      await userEvent.keyboard(keys);
      expect(holdsFocus()).toBe(true);
      stops.add(document.activeElement);
    } while (document.activeElement !== first && stops.size < 40);
    expect(document.activeElement).toBe(first);
    expect(stops.size).toBeGreaterThan(5);
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

const asks: [what: string, path: string, opener: Locator | null, text: RegExp, icon: string][] = [
  [
    'booking',
    '/services',
    page.getByRole('button', { name: 'Book Session for Youth Guidance' }),
    /to book a session with a caring specialist\..*personalized care.*secure, confidential/,
    'calendar-heart',
  ],
  ['profile', '/profile', null, /access your personal profile and manage your preferences/, 'user-round'],
  [
    'resources',
    '/resources',
    main.getByRole('button', { name: /^Get / }).first(),
    /personalized resources, saved favorites, and growth tracking/,
    'heart',
  ],
  [
    'saving',
    '/resources',
    main.getByRole('button', { name: /favorites/i }).first(),
    /Sign in to save your preferences/,
    'heart',
  ],
  [
    'anything else',
    '/admin/moderation',
    main.getByRole('button', { name: 'Sign In' }),
    /Sign in or create a free account.*only takes a moment/,
    'heart',
  ],
];

for (const [what, path, opener, text, icon] of asks)
  test(`has its own text and picture for ${what}`, async () => {
    await openPage(path);
    await opener?.click();
    await expect.element(prompt).toMatchTextContent(text);
    expect(prompt.element().querySelector(`span[aria-hidden] svg.lucide-${icon}`)).not.toBeNull();
    await notNow.click();
    await expect.element(prompt).not.toBeInTheDocument();
  });
