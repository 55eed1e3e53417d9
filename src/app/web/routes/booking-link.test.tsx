import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { BookingRequest } from '#/features/guest-booking/contract.ts';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const { id, name, title, photoUrl } = recordedFor('guest')['providers.get'];
const open: BookingRequest = {
  state: 'open',
  signsIn: true,
  session: {
    provider: { id, name, title, photoUrl, approvesFirst: false },
    service: { id: 'individuals', title: 'Individual Healing' },
    sessionType: 'online',
    startsAt: '2026-12-09T14:00:00Z',
    endsAt: '2026-12-09T15:00:00Z',
    durationMinutes: 60,
    timeZone: 'America/New_York',
    priceCents: 12_000,
  },
};
const heading = page.getByRole('heading', { level: 1 });
const book = page.getByRole('button', { name: 'Book this session' });

const openLink = (request: unknown, as: 'guest' | 'client' = 'guest') =>
  openPage('/booking#tok-en', { as, answers: { 'guestBooking.read': request } });

test('shows the session, and books nothing until the button is pressed', async () => {
  await openLink(open);
  await expect.element(heading).toHaveTextContent('Confirm your session');
  await expect.element(page.getByRole('main')).toMatchTextContent(name);
  await expect.element(page.getByRole('main')).toMatchTextContent('Wednesday, December 9, 2026');
  await expectFair('a session that waits to be booked');
  expect(askedFor('guestBooking.confirm')).toEqual([]);
  answer({
    'guestBooking.confirm': { appointmentId: '01a20c00-0000-7000-8000-000000000000', signInToken: null },
  });
  await press(book);
  await expect.element(page.getByText(`Appointment booked with ${name}!`)).toBeVisible();
  await expect.poll(() => askedFor('guestBooking.confirm')).toMatchObject([{ token: 'tok-en' }]);
});

test('says that the specialist still has to confirm', async () => {
  const { session } = open;
  await openLink({
    ...open,
    session: { ...session, provider: { ...session!.provider, approvesFirst: true } },
  });
  await expect.element(page.getByText(`${name} confirms each booking.`)).toBeVisible();
  await pressWith(book, {
    'guestBooking.confirm': { appointmentId: '01a20c00-0000-7000-8000-000000000000', signInToken: null },
  });
  await expect.element(page.getByText('Waiting for confirmation')).toBeVisible();
});

test(
  'offers the next free times when one was taken, and books the selected one',
  { tags: ['long'] },
  async () => {
    const data = { nextFreeStarts: ['2026-12-09T15:00:00Z', '2026-12-10T15:00:00Z'] };
    await openLink(open);
    await pressWith(book, { 'guestBooking.confirm': refusal(409, 'conflict', 'slot_taken', { data }) });
    const problem = page.getByRole('alert').filter({ hasText: 'That time has just been taken' });
    await expect.element(problem).toMatchTextContent('Nothing was booked.');
    await expectFair('a time that is taken');
    await problem.getByRole('button').first().click();
    await expect.element(book).toHaveFocus();
    await expect.element(page.getByText('New time selected.')).toBeVisible();
    answer({
      'guestBooking.confirm': { appointmentId: '01a20c00-0000-7000-8000-000000000000', signInToken: null },
    });
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => askedFor('guestBooking.confirm').at(-1))
      .toMatchObject({ startsAt: '2026-12-09T15:00:00Z' });
    await expect.element(page.getByText(`Appointment booked with ${name}!`)).toBeVisible();
  },
);

for (const [state, title_, action, as] of [
  ['sign_in', 'You already have an account', 'Sign in', 'guest'],
  ['other', 'You’re signed in to another account', 'Sign out', 'client'],
] as const)
  test(`asks for the right account before booking: ${state}`, async () => {
    await openLink({ ...open, state, signsIn: false }, as);
    await expect.element(heading).toHaveTextContent(title_);
    await expect
      .element(page.getByRole('main').getByRole('button', { name: action, exact: true }))
      .toBeVisible();
    await expect.element(book).not.toBeInTheDocument();
    await expectFair(`a link that asks for another account (${state})`);
  });

for (const [state, title_] of [
  ['used', 'This link was already used'],
  ['expired', 'This link has expired'],
  ['off', 'Booking now requires an account'],
] as const)
  test(`books nothing with a link that is ${state}`, async () => {
    await openLink({ state, signsIn: false, session: null });
    await expect.element(heading).toHaveTextContent(title_);
    await expect.element(book).not.toBeInTheDocument();
    await expect.element(page.getByRole('main')).not.toMatchTextContent(name);
    await expectFair(`a link that is ${state}`);
  });

test('leads someone signed in from a used link to their sessions', async () => {
  await openLink({ state: 'used', signsIn: false, session: null }, 'client');
  const main = page.getByRole('main');
  await expect.element(main).toMatchTextContent('Your session is booked. You’ll find it on your home page.');
  await expect.element(main.getByRole('link', { name: 'Go to home page' })).toHaveAttribute('href', '/home');
  await expectFair('a used link while signed in');
});

test('says that booking requires an account when that changes while the page is open', async () => {
  await openLink(open);
  await expect.element(book).toBeEnabled();
  const off = { state: 'off', signsIn: false, session: null };
  await pressWith(book, {
    'guestBooking.confirm': refusal(403, 'forbidden', 'off'),
    'guestBooking.read': off,
  });
  await expect.element(heading).toHaveTextContent('Booking now requires an account');
  await expect.element(heading).toHaveFocus();
});

test('reports an unknown link', async () => {
  await openLink(refusal(404, 'not_found'));
  await expect.element(heading).toHaveTextContent('We couldn’t find this booking');
  await expectFair('a link that isn’t whole');
});
