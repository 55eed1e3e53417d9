import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, unreachable, pressWith } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const failedAt = '2026-11-24T08:00:00Z';
const mailOf = (number: number, to: string, kind: string, fault: string, more: object = {}) => ({
  id: `01a20ca3-0000-7000-8000-00000000000${number}`,
  to: `${to}@people.example`,
  kind,
  writtenAt: failedAt,
  failedAt,
  fault,
  code: '550 5.1.1',
  expired: false,
  ...more,
});
const session = mailOf(1, 'na•••', 'session', 'address');
const reminder = mailOf(2, 'ru•••', 'reminder', 'full');
const reset = mailOf(3, 'bo•••', 'password_reset', 'unreachable', { code: null, expired: true });
const listOf = (...mails: { expired: boolean }[]) => ({
  mails,
  more: false,
  total: mails.length,
  sendable: mails.filter(({ expired }) => !expired).length,
});
const all = listOf(session, reminder, reset);

const row = (kind: string) => page.getByRole('row').filter({ hasText: kind });
const again = page.getByRole('button', { name: 'Send again: Session update to na•••@people.example' });
const dismiss = page.getByRole('button', { name: /^Dismiss: Password reset/ });
const question = page.getByRole('alertdialog', { name: 'Dismiss this email?' });
const empty = page.getByText('All email has been delivered');

async function openList(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/admin/undelivered', { as: 'admin', answers: { 'undelivered.list': all, ...answers } });
}

const andThen = (list: object, result: object) => () => {
  answer({ 'undelivered.list': list });
  return result;
};

test('shows why each email failed, and passes accessibility checks', async () => {
  await openList();
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Undelivered Email');
  await expect
    .element(row('Session update'))
    .toMatchTextContent('The address doesn’t exist or doesn’t accept email.');
  await expect.element(row('Session reminder')).toMatchTextContent('The mailbox is full.');
  await expect.element(row('Password reset')).toMatchTextContent('Its link has expired');
  await expect
    .element(row('Password reset').getByRole('button', { name: /^Send again/ }))
    .not.toBeInTheDocument();
  await expectFair('the undelivered email');
});

test('says that all email was delivered', async () => {
  await openList({ 'undelivered.list': listOf() });
  await expect.element(empty).toBeVisible();
  await expectFair('no undelivered email');
});

test('reports a loading error and retries', async () => {
  await openList({ 'undelivered.list': unreachable });
  const tryAgain = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect.element(tryAgain).toBeVisible();
  await pressWith(tryAgain, { 'undelivered.list': all });
  await expect.element(row('Session update')).toBeVisible();
});

test('resends one email', async () => {
  await openList({
    'undelivered.sendAgain': andThen(listOf(reminder, reset), { mailId: session.id }),
  });
  await again.click();
  await expect.element(row('Session update')).not.toBeInTheDocument();
  await expect.poll(() => askedFor('undelivered.sendAgain')).toMatchObject([{ mailId: session.id }]);
});

test('resends all but expired emails', async () => {
  await openList({ 'undelivered.sendAllAgain': andThen(listOf(reset), { sent: 2, expired: 1 }) });
  await page.getByRole('button', { name: 'Send all again' }).click();
  await expect.element(row('Session reminder')).not.toBeInTheDocument();
  await expect.element(row('Password reset')).toBeVisible();
});

test('asks before dismissing an email', { tags: ['long'] }, async () => {
  await openList({ 'undelivered.dismiss': andThen(listOf(session, reminder), { mailId: reset.id }) });
  await dismiss.click();
  await expect.element(question).toBeVisible();
  await expectFair('the question whether to dismiss');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(row('Password reset')).toBeVisible();
  expect(askedFor('undelivered.dismiss')).toEqual([]);
  await dismiss.click();
  await question.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(row('Password reset')).not.toBeInTheDocument();
  await expect.poll(() => askedFor('undelivered.dismiss')).toMatchObject([{ mailId: reset.id }]);
});
