import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const reason = 'She wrote to us that she is in danger tonight.';
const opened = {
  id: '01a20ca4-0000-7000-8000-000000000001',
  openedAt: '2026-11-24T08:19:00Z',
  endsAt: '2026-11-24T08:49:00Z',
  client: { name: 'Ruth Amsel', erased: false },
  provider: { name: 'Dr. Ann Keller', erased: false },
  subject: 'The nights',
  messages: [
    {
      seq: 1,
      from: 'client',
      text: 'I don’t feel safe at home.',
      files: ['letter.pdf'],
      sentAt: '2026-11-24T07:00:00Z',
    },
  ],
  more: true,
};

const first = page.getByLabelText('First person’s email');
const password = page.getByLabelText('Your password', { exact: true });
const open = page.getByRole('button', { name: 'Open conversation' });
const reading = page.getByRole('region', { name: /and Dr\. Ann Keller$/ });

async function openRoom(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/emergency', { as: 'admin', answers });
}

async function fill(): Promise<void> {
  await first.fill('ruth@people.example');
  await page.getByLabelText('Second person’s email').fill('ann@people.example');
  await page.getByLabelText('Reason').fill(reason);
  await page.getByLabelText('Type “this is an emergency”').fill('this is an emergency');
  await password.fill('the password');
}

test('reports missing fields, focuses the first and passes accessibility checks', async () => {
  await openRoom();
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Emergency access');
  await expectFair('the form of an emergency access');
  await open.click();
  await expect.element(first).toHaveFocus();
  await expect.element(page.getByText('Enter at least 20 characters.')).toBeVisible();
  expect(askedFor('emergency.open')).toEqual([]);
  await expectFair('an emergency access with nothing in it');
});

test('shows the conversation read-only, and closes it', async () => {
  await openRoom({ 'emergency.open': opened });
  await fill();
  await open.click();
  await expect.element(reading.getByText('I don’t feel safe at home.')).toBeVisible();
  await expect.element(reading.getByText('Subject: The nights')).toBeVisible();
  await expect.element(reading).toMatchTextContent('letter.pdf');
  await expect.element(reading.getByText(/^Open until .+ Both people have been notified\.$/)).toBeVisible();
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('emergency.open'))
    .toMatchObject([{ reason, confirmation: 'this is an emergency' }]);
  await expectFair('a conversation that is open in an emergency');
  await pressWith(reading.getByRole('button', { name: 'Close conversation' }), { 'emergency.close': {} });
  await expect.element(page.getByText('Conversation closed')).toBeVisible();
  await expect.element(reading).not.toBeInTheDocument();
  await expect.element(open).toBeVisible();
});

test('shows times in the administrator’s own zone', async () => {
  const me = { ...recordedFor('admin')['accounts.me'], timeZone: 'Asia/Tokyo' };
  await openRoom({ 'emergency.current': { opened }, 'accounts.me': me });
  await expect.element(reading.getByText('All times are Tokyo time.')).toBeVisible();
  await expect.element(reading).toMatchTextContent('Open until 5:49 PM');
});

test('keeps input when there is no conversation or the password is wrong', async () => {
  await openRoom({ 'emergency.open': refusal(404, 'not_found', 'conversation') });
  await fill();
  await open.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('These two people have no conversation.');
  await pressWith(open, {
    'emergency.open': refusal(400, 'invalid', 'wrong_password', {
      fields: [{ field: 'password', reason: 'wrong_password' }],
    }),
  });
  await expect.element(page.getByText('That password isn’t right. Try again.')).toBeVisible();
  await expect.element(password).toHaveFocus();
  await expect.element(page.getByLabelText('Reason')).toHaveValue(reason);
});
