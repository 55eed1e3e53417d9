import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const invitation = {
  state: 'open',
  offer: {
    provider: { name: 'Dr. Ada Winter', title: 'Psychologist', photoUrl: null },
    sessions: [
      {
        startsAt: '2026-12-09T14:00:00Z',
        endsAt: '2026-12-09T15:00:00Z',
        sessionType: 'online',
        timeZone: 'America/New_York',
      },
    ],
    signsIn: true,
  },
};
const heading = page.getByRole('heading', { level: 1 });
const open = (read: unknown) =>
  openPage('/client-invitation#tok-en', { answers: { 'care.claims.read': read } });

test('stops emails to a client added by a specialist, after confirmation', async () => {
  await open(invitation);
  await expect.element(heading).toHaveTextContent('Dr. Ada Winter booked a session for you');
  await expectFair('the invitation of a caller');
  await pressWith(page.getByRole('button', { name: 'Stop these emails' }), {
    'care.claims.decline': { declined: true },
  });
  const question = page.getByRole('alertdialog', { name: 'Stop these emails?' });
  expect(askedFor('care.claims.decline')).toEqual([]);
  await question.getByRole('button', { name: 'Stop these emails' }).click();
  await expect.element(heading).toHaveTextContent('No more emails');
  await expect.poll(() => askedFor('care.claims.decline')).toEqual([{ token: 'tok-en' }]);
});

test('says that a link no longer works', async () => {
  await open(refusal(404, 'not_found'));
  await expect.element(heading).toHaveTextContent('This link no longer works');
  await expectFair('a link that no longer works');
});
