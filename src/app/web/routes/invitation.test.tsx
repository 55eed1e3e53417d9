import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import type { Invitation } from '#/features/attendees/contract.ts';
import { askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const open: Invitation = {
  state: 'open',
  session: {
    appointmentId: '01a20c00-0000-7000-8000-000000000000',
    inviter: 'Ruth',
    guestName: 'Boas',
    provider: { name: 'Dr. Ada Grey', title: 'Counselor' },
    sessionType: 'online',
    startsAt: '2030-03-09T13:00:00Z',
    endsAt: '2030-03-09T14:00:00Z',
    timeZone: 'America/New_York',
    confirmed: true,
    moved: false,
  },
};

const title = page.getByRole('heading', { level: 1 });

async function openInvitation(path: string, invitation: unknown = open): Promise<void> {
  await cleanup();
  await openPage(path, {
    answers: {
      'attendees.invitation': invitation,
      'attendees.decline': { state: 'declined', session: null },
    },
  });
}

test('keeps an invitation when the page is reopened without its token', async () => {
  await openInvitation('/invitation#tok-en_1');
  await expect.element(title).toHaveTextContent('Ruth invited you to a session');
  await openInvitation('/invitation');
  await expect.element(title).toHaveTextContent('Ruth invited you to a session');
  await expect
    .poll(() => askedFor('attendees.invitation'))
    .toEqual([{ token: 'tok-en_1' }, { token: 'tok-en_1' }]);
});

test('uses the link opened last', async () => {
  await openInvitation('/invitation#first');
  await expect.element(title).toHaveTextContent('Ruth invited you to a session');
  await openInvitation('/invitation#second');
  await expect.element(title).toHaveTextContent('Ruth invited you to a session');
  await openInvitation('/invitation');
  await expect.element(title).toHaveTextContent('Ruth invited you to a session');
  await expect.poll(() => askedFor('attendees.invitation').at(-1)).toEqual({ token: 'second' });
});

test('asks for the emailed link on another device', async () => {
  await openInvitation('/invitation');
  await expect.element(page.getByText('Open the link in your invitation email again.')).toBeVisible();
  expect(askedFor('attendees.invitation')).toEqual([]);
});

test('forgets an invitation once it’s declined', async () => {
  await openInvitation('/invitation#answered');
  await page.getByRole('button', { name: 'I can’t come' }).click();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect.element(title).toHaveTextContent('This invitation was declined');
  await openInvitation('/invitation');
  await expect.element(page.getByText('Open the link in your invitation email again.')).toBeVisible();
});

test('forgets an invalid link', async () => {
  await openInvitation('/invitation#never-was', refusal(404, 'not_found', 'invitation'));
  await expect.element(page.getByText(/The link may be incomplete/)).toBeVisible();
  await openInvitation('/invitation');
  await expect.element(page.getByText('Open the link in your invitation email again.')).toBeVisible();
});

test('explains confidentiality to a guest before they sign in to accept', async () => {
  await openInvitation('/invitation#signed-out');
  await expect.element(title).toHaveTextContent('Ruth invited you to a session');
  await expect.element(page.getByRole('heading', { name: 'What’s said here stays here' })).toBeVisible();
  await expect.element(page.getByText('Everyone hears what you say.')).toBeVisible();
  await expect.element(page.getByText(/the law may require them/)).toBeVisible();
  await expectFair('an invitation, signed out');
  await page.getByRole('button', { name: 'Sign in to accept' }).click();
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
});

const agree = page.getByRole('checkbox', { name: /keep what’s said in this session confidential/ });
const accept = page.getByRole('button', { name: 'Accept invitation' });

async function openSignedIn(answers: object): Promise<void> {
  await openPage('/invitation#signed-in', {
    as: 'client',
    answers: { 'attendees.invitation': open, ...answers },
  });
}

test('requires a guest’s consent, and never preselects it', async () => {
  await openSignedIn({});
  await expect.element(page.getByLabelText('Your name, as others will see it')).toHaveValue('Hannah Brooks');
  await expect.element(agree).not.toBeChecked();
  await accept.click();
  await expect.element(agree).toHaveFocus();
  await expect.element(page.getByText('Agree to this first.')).toBeVisible();
  expect(askedFor('attendees.accept')).toEqual([]);
  await expectFair('an invitation, signed in');
  await pressWith(agree, {
    'attendees.accept': { appointmentId: open.session!.appointmentId },
    'attendees.invitation': { ...open, state: 'accepted' },
  });
  await accept.click();
  await expect.element(title).toHaveTextContent('You’re all set');
  await expect.element(title).toHaveFocus();
  await expectFair('an accepted invitation');
});

test('reports a guest’s schedule conflict, and keeps their consent checked', async () => {
  await openSignedIn({});
  const clashes = [{ startsAt: '2030-03-09T13:30:00Z', endsAt: '2030-03-09T14:30:00Z' }];
  await pressWith(agree, {
    'attendees.accept': refusal(409, 'conflict', 'own_clash', { data: { clashes } }),
  });
  await accept.click();
  const problem = page.getByRole('alert').filter({ hasText: 'You’re already booked at that time' });
  await expect.element(problem).toBeVisible();
  await expect.element(agree).toBeChecked();
  await expectFair('a clash');
});

test('says that an invitation was withdrawn', async () => {
  await openInvitation('/invitation#taken-back', { state: 'withdrawn', session: null });
  await expect.element(title).toHaveTextContent('This invitation was withdrawn');
  await expectFair('a link that leads nowhere');
});
