import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { HandoverView, UpcomingSession } from '../handover/contract.ts';

const provider = recordedFor('admin')['directory.list'].users.find(
  ({ email }) => email === 'doctor@italk.example',
)!;
const taker = { id: '01a20ca3-0000-7000-8000-00000000000a', name: 'Dr. Boaz Field' };
const session = (id: number, startsAt: string): UpcomingSession => ({
  id: `01a20ca3-0000-7000-8000-00000000000${id}`,
  sequence: 0,
  status: 'confirmed',
  sessionType: 'phone',
  startsAt,
  endsAt: startsAt.replace(':00:', ':50:'),
  service: 'Individual Healing',
  client: 'Ruth Amsel',
  takers: [taker],
});
const sessions = [session(1, '2026-12-01T15:00:00Z'), session(2, '2026-12-02T15:00:00Z')];
const none: HandoverView = { revoked: null, sessions: [], more: false };
const dialog = page.getByRole('alertdialog');
const toast = (text: string) => page.getByRole('listitem').filter({ hasText: text });

const opened = {
  ...provider,
  version: '1',
  emailVerified: true,
  timeZone: 'America/Chicago',
  offeredRoles: [],
  hasListing: true,
  comingSessions: 2,
  heldUntil: null,
  devices: [],
  apiTokens: [],
};

/** Chooses an action on a provider's page. */
async function choose(item: string, answers: Readonly<Record<string, unknown>>): Promise<void> {
  await openPage(`/admin/people/${provider.id}`, {
    as: 'admin',
    answers: {
      'directory.open': opened,
      'appointments.oversight.person': { next: [], recent: [], more: false },
      'providers.status.get': { listing: null, credentials: [], application: null },
      'audit.list': { entries: [], more: false, manyPeople: false },
      ...answers,
    },
  });
  await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: item, exact: true }).click();
}

test('asks what to do with each session of a suspended specialist', { tags: ['long'] }, async () => {
  await choose('Suspend', { 'appointments.handover.sessions': { ...none, sessions } });
  await expect.element(dialog.getByText('What happens to their upcoming sessions? (2)')).toBeVisible();
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await expect.element(dialog.getByText('Choose what happens to the sessions.')).toBeVisible();
  await dialog.getByRole('radio', { name: /^Cancel all/ }).click();
  await dialog
    .getByRole('combobox', { name: /^Ruth Amsel/ })
    .first()
    .selectOptions('Reassign to Dr. Boaz Field');
  await expectFair('suspending a specialist');
  await pressWith(dialog.getByRole('button', { name: 'Suspend' }), {
    'directory.suspend': { ...provider, version: '2' },
  });
  await expect
    .poll(() => askedFor('directory.suspend'))
    .toMatchObject([
      {
        sessions: [
          { appointmentId: sessions[0]!.id, outcome: 'reassign', providerId: taker.id },
          { appointmentId: sessions[1]!.id, outcome: 'cancel' },
        ],
      },
    ]);
});

test('requires a reason to revoke an approval', async () => {
  await choose('Provider approval', { 'appointments.handover.sessions': none });
  await expect.element(dialog.getByText('They have no upcoming sessions.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Revoke approval' }).click();
  await expect.element(dialog.getByText('Enter a reason.')).toBeVisible();
  const reason = dialog.getByLabelText('Reason');
  await expect.element(reason).toHaveFocus();
  await reason.fill('The board withdrew the license.');
  await expectFair('revoking an approval');
  await pressWith(dialog.getByRole('button', { name: 'Revoke approval' }), {
    'appointments.handover.revoke': refusal(409, 'conflict', 'sessions_changed'),
  });
  await expect.element(dialog.getByText('We couldn’t revoke the approval')).toBeVisible();
  await expect.element(reason).toHaveValue('The board withdrew the license.');
  await pressWith(dialog.getByRole('button', { name: 'Revoke approval' }), {
    'appointments.handover.revoke': { id: provider.id, revoked: true },
  });
  await expect.element(toast('Approval revoked')).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.handover.revoke').at(-1))
    .toMatchObject({
      providerId: provider.id,
      reason: 'The board withdrew the license.',
      sessions: [],
    });
});

test('shows why an approval was revoked, and restores it', async () => {
  const revoked = { at: '2026-11-20T08:00:00Z', reason: 'The board withdrew the license.' };
  await choose('Provider approval', { 'appointments.handover.sessions': { ...none, revoked } });
  await expect.element(dialog.getByText('Reason: The board withdrew the license.')).toBeVisible();
  await expectFair('approving again');
  await pressWith(dialog.getByRole('button', { name: 'Approve again' }), {
    'appointments.handover.restore': { id: provider.id, revoked: false },
  });
  await expect.element(toast('Approved again')).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.handover.restore'))
    .toMatchObject([{ providerId: provider.id }]);
});

test('shows specialists on their page why their approval was revoked', async () => {
  const revokedReason = 'The board withdrew the license.';
  const mine = { ...recordedFor('doctor')['providers.mine'], listed: false, revokedReason };
  await openPage('/practice', { as: 'doctor', answers: { 'providers.mine': mine } });
  await expect.element(page.getByText(`Reason: ${revokedReason}`)).toBeVisible();
  await expectFair('a practice whose approval was revoked');
});
