import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import type { Invitation } from '#/features/booking/guests/contract.ts';
import { askedFor, refusal } from '../../../../tests/components/answers.ts';
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
    answers: { 'guests.invitation': invitation, 'guests.decline': { state: 'declined', session: null } },
  });
}

test('an invitation is still there for a person who comes back by the link that confirms their email', async () => {
  await openInvitation('/invitation#tok-en_1');
  await expect.element(title).toHaveTextContent('Ruth invites you to a session');
  await openInvitation('/invitation');
  await expect.element(title).toHaveTextContent('Ruth invites you to a session');
  expect(askedFor('guests.invitation')).toEqual([{ token: 'tok-en_1' }, { token: 'tok-en_1' }]);
});

test('the link that was opened last counts', async () => {
  await openInvitation('/invitation#first');
  await expect.element(title).toHaveTextContent('Ruth invites you to a session');
  await openInvitation('/invitation#second');
  await expect.element(title).toHaveTextContent('Ruth invites you to a session');
  await openInvitation('/invitation');
  await expect.element(title).toHaveTextContent('Ruth invites you to a session');
  expect(askedFor('guests.invitation').at(-1)).toEqual({ token: 'second' });
});

test('another device asks for the link in the invitation email', async () => {
  await openInvitation('/invitation');
  await expect.element(page.getByText('Open the link in your invitation email again.')).toBeVisible();
  expect(askedFor('guests.invitation')).toEqual([]);
});

test('an invitation is forgotten once it is answered', async () => {
  await openInvitation('/invitation#answered');
  await page.getByRole('button', { name: 'I can’t come' }).click();
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect.element(title).toHaveTextContent('This invitation was declined');
  await openInvitation('/invitation');
  await expect.element(page.getByText('Open the link in your invitation email again.')).toBeVisible();
});

test('a link that isn’t one is forgotten', async () => {
  await openInvitation('/invitation#never-was', refusal(404, 'not_found', 'invitation'));
  await expect.element(page.getByText(/The link may be incomplete/)).toBeVisible();
  await openInvitation('/invitation');
  await expect.element(page.getByText('Open the link in your invitation email again.')).toBeVisible();
});
