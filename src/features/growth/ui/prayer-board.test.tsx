import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import type { ReceivedPrayer } from '../prayers/contract.ts';

const asked: ReceivedPrayer = {
  id: '01a20ca3-e031-7897-99ff-9c7a4b1fcc0a',
  text: 'For my mother in hospital',
  audience: 'counsellor',
  name: null,
  state: 'open',
  askedAt: '2026-11-16T03:10:00Z',
  prayed: null,
  others: 0,
};
const prayed = { ...asked, prayed: { note: null, prayedAt: '2026-11-24T08:00:00Z' } };
const noted = { ...asked, prayed: { ...prayed.prayed, note: 'We remembered her this morning.' } };

function listing(...prayers: ReceivedPrayer[]) {
  return { 'growth.prayers.received': { prayers, more: false } };
}

test('records a prayer and a note by keyboard, and undoes both', { tags: ['long'] }, async () => {
  await openPage('/prayers', {
    as: 'doctor',
    answers: {
      ...listing(asked),
      'growth.prayers.prayed': ({ note }: { note?: string }) => (note ? noted : prayed),
      'growth.prayers.undoPrayed': asked,
    },
  });
  const card = page.getByRole('listitem').filter({ hasText: asked.text });
  await expect.element(card.getByRole('heading', { name: 'Someone' })).toBeVisible();
  await expectFair('prayer requests');
  await tabTo(card.getByRole('button', { name: 'I prayed' }));
  answer(listing(prayed));
  await userEvent.keyboard('{Enter}');
  await expect.element(card.getByText('You prayed on')).toBeVisible();
  await expect.element(card.getByRole('heading', { name: 'Someone' })).toHaveFocus();
  await press(card.getByRole('button', { name: 'Add a note' }));
  await expect.element(card.getByLabelText('Note to them')).toHaveFocus();
  await expectNoViolation('writing a note');
  await userEvent.keyboard('We remembered her this morning.');
  answer(listing(noted));
  await press(card.getByRole('button', { name: 'Save note' }));
  await expect.element(card.getByText('We remembered her this morning.')).toBeVisible();
  await expect.element(card.getByRole('button', { name: 'Edit note' })).toHaveFocus();
  answer(listing(asked));
  await card.getByRole('button', { name: 'Undo' }).click();
  await expect.element(card.getByRole('button', { name: 'I prayed' })).toBeVisible();
  const { id: requestId } = asked;
  await expect
    .poll(() => askedFor('growth.prayers.prayed'))
    .toMatchObject([{ requestId }, { requestId, note: 'We remembered her this morning.' }]);
});

test('asks before leaving an unsaved note', async () => {
  await openPage('/prayers', { as: 'doctor', answers: listing(prayed) });
  const card = page.getByRole('listitem').filter({ hasText: asked.text });
  await card.getByRole('button', { name: 'Add a note' }).click();
  await card.getByLabelText('Note to them').fill('We remembered her');
  await page.getByRole('banner').getByRole('link', { name: 'Clients', exact: true }).first().click();
  await expect.element(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
});

test('shows answered requests separately from open ones', async () => {
  await openPage('/prayers', {
    as: 'doctor',
    answers: {
      'growth.prayers.received': ({ state }: { state: string }) => ({
        prayers: state === 'answered' ? [{ ...prayed, state: 'answered' }] : [],
        more: false,
      }),
    },
  });
  await expect
    .element(page.getByText('When someone asks for your prayers, you’ll see it here.'))
    .toBeVisible();
  await page.getByRole('radio', { name: 'Answered' }).click();
  await expect.element(page.getByText(asked.text)).toBeVisible();
});

test('denies access to a client', async () => {
  await openPage('/prayers', { as: 'client' });
  await expect.element(page.getByText('Access denied')).toBeVisible();
  await expectFair('prayer requests for a client');
});
