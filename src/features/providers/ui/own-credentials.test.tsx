import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const [approved] = recordedFor('doctor')['providers.credentials.mine'];
const pending = {
  ...approved!,
  id: '01a20ca3-0000-7000-8000-000000000001',
  issuer: 'A very long-named conference of churches of the northern and the western lakes',
  state: 'pending',
};

const panel = page.getByRole('tabpanel', { name: 'Credentials' });
const add = page.getByRole('button', { name: 'Add a credential' });
const dialog = page.getByRole('dialog');
const send = dialog.getByRole('button', { name: 'Send for approval' });

/** Opens the tab with these credentials; submitted ones stay pending until withdrawn. */
async function openCredentials(credentials: readonly unknown[]): Promise<void> {
  await openPage('/practice?tab=credentials', {
    as: 'doctor',
    answers: {
      'providers.credentials.mine': credentials,
      'providers.credentials.submit': (input: object) => {
        const sent = { ...pending, id: '01a20ca3-0000-7000-8000-000000000002', reason: null, ...input };
        answer({ 'providers.credentials.mine': [...credentials, sent] });
        return sent;
      },
      'providers.credentials.withdraw': () => {
        answer({ 'providers.credentials.mine': credentials });
        return { id: pending.id };
      },
    },
  });
}

test('names missing fields, and starts edits from the approved version', { tags: ['long'] }, async () => {
  await openCredentials([approved]);
  await add.click();
  await send.click();
  await expect.element(dialog.getByLabelText('Issued by')).toHaveFocus();
  expect(askedFor('providers.credentials.submit')).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await panel.getByRole('button', { name: `Change ${approved!.issuer}` }).click();
  await expect.element(dialog.getByLabelText('Number')).toHaveValue(approved!.number);
  await dialog.getByLabelText('Number').fill('PSY 4712');
  await send.click();
  await expect.element(panel.getByText('In review', { exact: true })).toBeVisible();
  await expect.element(panel.getByText('Approved', { exact: true })).toBeVisible();
  await expect
    .poll(() => askedFor('providers.credentials.submit'))
    .toMatchObject([{ number: 'PSY 4712', replaces: approved!.id }]);
});

test('rejects a past expiry date', async () => {
  await openCredentials([]);
  await add.click();
  await dialog.getByLabelText('Issued by').fill('Board');
  await dialog.getByLabelText('Valid in').fill('Utah');
  await dialog.getByLabelText('Number').fill('77');
  await dialog.getByLabelText('Valid until').fill('2020-06-30');
  await send.click();
  await expect.element(dialog.getByLabelText('Valid until')).toHaveFocus();
  expect(askedFor('providers.credentials.submit')).toEqual([]);
});

test('shows why a credential was rejected, and resubmits it', async () => {
  const reason = 'The board of Vermont doesn’t know this number.';
  await openCredentials([approved, { ...pending, state: 'rejected', reason, replaces: approved!.id }]);
  await expect.element(panel.getByText(reason)).toBeVisible();
  await panel.getByRole('button', { name: 'Edit and resend' }).click();
  await dialog.getByLabelText('Valid in').fill('Maine');
  await send.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('providers.credentials.submit'))
    .toMatchObject([{ region: 'Maine', number: pending.number, replaces: approved!.id }]);
});

test('passes accessibility checks while one is pending', async () => {
  await openCredentials([pending]);
  await expect.element(panel.getByText('In review', { exact: true })).toBeVisible();
  await expect.element(add).not.toBeInTheDocument();
  await expectFair('credentials');
});

test('works by keyboard alone without losing focus', { tags: ['long'] }, async () => {
  await openCredentials([]);
  await press(add);
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  for (const [name, words] of [
    ['Issued by', 'Board'],
    ['Valid in', 'Utah'],
    ['Number', '77'],
  ] as const) {
    await tabTo(dialog.getByLabelText(name));
    await userEvent.keyboard(words);
  }
  await press(send);
  await expect.element(dialog).not.toBeInTheDocument();
  await press(page.getByRole('button', { name: /Board/ }));
  await expect.element(add).toBeVisible();
  await expect.poll(() => page.getByRole('main').element().contains(document.activeElement)).toBe(true);
});
