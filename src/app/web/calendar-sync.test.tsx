import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, pressWith, unreachable } from '../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../tests/components/fair.ts';
import { press } from '../../../tests/components/keyboard.ts';
import { openPage } from '../../../tests/components/page.tsx';
import { tellPage } from '../../../tests/components/socket.ts';

const dialog = page.getByRole('dialog', { name: 'Calendar Sync' });
const make = dialog.getByRole('button', { name: 'Create calendar link' });
const field = dialog.getByLabelText('Your calendar link');
const toast = (text: string) => page.getByRole('listitem').filter({ hasText: text });

let made = 0;

async function openHome(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  made = 0;
  await openPage('/home', {
    as: 'doctor',
    answers: {
      'appointments.feed.mine': null,
      'appointments.feed.make': () => {
        made += 1;
        const feed = { madeAt: `2026-11-24T08:1${made}:00Z`, readAt: null };
        answer({ 'appointments.feed.mine': feed });
        return { ...feed, path: `/calendar/address-${made}.ics` };
      },
      'appointments.feed.revoke': () => {
        answer({ 'appointments.feed.mine': null });
        return Response.json(null);
      },
      ...answers,
    },
  });
}

test('creates, renews and revokes a feed URL by keyboard', { tags: ['long'] }, async () => {
  await openHome();
  await press(page.getByRole('button', { name: 'Calendar Sync' }));
  await expect.element(make).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await expectFair('no address yet');
  await press(make);
  await expect.element(field).toHaveFocus();
  const address = `${window.location.origin}/calendar/address-1.ics`;
  await expect.element(field).toHaveValue(address);
  await expect
    .element(dialog.getByRole('link', { name: 'Open in calendar app' }))
    .toHaveAttribute('href', address.replace('http:', 'webcal:'));
  await expectFair('the address, shown once');
  await press(dialog.getByRole('button', { name: 'Create new link' }));
  const sure = page.getByRole('alertdialog', { name: 'Create a new link?' });
  await expectNoViolation('asking before a new link is created');
  await press(sure.getByRole('button', { name: 'Create new link' }));
  await expect.element(field).toHaveValue(address.replace('1.ics', '2.ics'));
  await expect.element(field).toHaveFocus();
  await press(dialog.getByRole('button', { name: 'Turn off' }));
  const off = page.getByRole('alertdialog', { name: 'Turn off Calendar Sync?' });
  await expect.element(off).toMatchTextContent('won’t get updates anymore');
  await press(off.getByRole('button', { name: 'Turn it off' }));
  await expect.element(make).toHaveFocus();
});

test('shows when the feed was last read, hides its URL, and restores focus', { tags: ['long'] }, async () => {
  await openHome({
    'appointments.feed.mine': { madeAt: '2026-11-20T08:00:00Z', readAt: '2026-11-24T08:00:00Z' },
  });
  const open = page.getByRole('button', { name: 'Calendar Sync' });
  await press(open);
  await expect.element(dialog.getByText('Calendar Sync is on')).toBeVisible();
  await expect.element(dialog.getByText(/^Last read on .*November 24/)).toBeVisible();
  expect(field.query()).toBe(null);
  await expectFair('Calendar Sync is on');
  await userEvent.keyboard('{Escape}');
  await expect.element(open).toHaveFocus();
});

test('copies the feed URL', { tags: ['long'] }, async () => {
  const copied: string[] = [];
  const real = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = (text) => {
    copied.push(text);
    return Promise.resolve();
  };
  try {
    await openHome();
    // Loads the toasts' view first: a dialog opened after that must not hide it from screen readers.
    await userEvent.keyboard('{Shift}');
    await expect.poll(() => page.getByRole('region', { name: /^Notifications/ }).query()).not.toBe(null);
    await page.getByRole('button', { name: 'Calendar Sync' }).click();
    await make.click();
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await expect.element(toast('Link copied')).toBeVisible();
    expect(copied).toEqual([`${window.location.origin}/calendar/address-1.ics`]);
  } finally {
    navigator.clipboard.writeText = real;
  }
});

test('hides a feed URL replaced in another window', async () => {
  await openHome();
  await page.getByRole('button', { name: 'Calendar Sync' }).click();
  await make.click();
  await expect.element(field).toBeVisible();
  answer({ 'appointments.feed.mine': { madeAt: '2026-11-24T08:18:00Z', readAt: null } });
  tellPage({ type: 'calendar_feed.changed' });
  await expect.element(dialog.getByText('Calendar Sync is on')).toBeVisible();
  expect(field.query()).toBe(null);
});

test('shows a failure to create the feed URL, and succeeds on retry', async () => {
  await openHome();
  await page.getByRole('button', { name: 'Calendar Sync' }).click();
  await pressWith(make, { 'appointments.feed.make': unreachable });
  await expect.element(dialog.getByText('That didn’t work')).toBeVisible();
  const feed = { madeAt: '2026-11-24T08:18:00Z', readAt: null };
  await pressWith(make, {
    'appointments.feed.make': { ...feed, path: '/calendar/address.ics' },
    'appointments.feed.mine': feed,
  });
  await expect.element(field).toBeVisible();
});

test('is available in a client’s settings', async () => {
  await openPage('/profile?tab=settings', { as: 'client' });
  await page.getByRole('button', { name: 'Set up Calendar Sync' }).click();
  await expect.element(make).toBeVisible();
});
