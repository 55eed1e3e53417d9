import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { WordsState } from '../author-keys/contract.ts';

const open: WordsState = { state: 'open', passwordReplaced: false, byPasskey: false, recoveryKeyAt: null };
const locked: WordsState = { ...open, state: 'locked', recoveryKeyAt: '2026-11-02T09:00:00Z' };
const shut = refusal(412, 'precondition', 'words_locked');
const wrong = (field: string, reason: string) =>
  refusal(400, 'invalid', 'fields', { fields: [{ field, reason }] });
const entry = {
  id: '01a20ca3-e00b-7664-aabc-124c76e7174e',
  title: null,
  text: 'The quiet was loud today.',
  mood: 2,
  date: '2026-11-24',
  createdAt: '2026-11-24T08:00:00Z',
  updatedAt: '2026-11-24T08:00:00Z',
};
const listing = { 'growth.journal.list': { entries: [entry], more: false }, 'words.get': open };

const card = page.getByRole('region', { name: 'Your journal is locked' });
const unlock = card.getByRole('button', { name: 'Unlock' });
const typed = page.getByLabelText('What’s on your heart?');

const openJournal = (words: WordsState, answers: Readonly<Record<string, unknown>> = {}) =>
  openPage('/growth?tab=journal', {
    as: 'client',
    answers: { 'growth.journal.list': shut, 'words.get': words, ...answers },
  });

test('a locked journal shows no form, and opens in place by password', { tags: ['long'] }, async () => {
  await openJournal(locked, { 'words.unlock': wrong('password', 'wrong_password') });
  await expect.element(card).toBeVisible();
  await expect.element(typed).not.toBeVisible();
  await expectFair('a locked journal');
  await press(unlock);
  const password = card.getByLabelText('Password', { exact: true });
  await expect.element(password).toHaveFocus();
  await userEvent.keyboard('not-mine{Enter}');
  await expect.poll(() => askedFor('words.unlock').at(-1)).toEqual({ password: 'not-mine' });
  await expect.element(unlock).not.toHaveAttribute('aria-busy');
  await expect.element(password).toHaveAttribute('aria-invalid', 'true');
  answer({ ...listing, 'words.unlock': open });
  await userEvent.keyboard('{Control>}a{/Control}peace-be-with-you{Enter}');
  await expect.element(page.getByText(entry.text)).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
  await expect.poll(() => askedFor('words.unlock').at(-1)).toEqual({ password: 'peace-be-with-you' });
});

test('after a reset, the recovery key opens it with the current password', { tags: ['long'] }, async () => {
  await openJournal(
    { ...locked, passwordReplaced: true },
    { 'words.unlock': wrong('recoveryKey', 'wrong_secret') },
  );
  await expect.element(card.getByLabelText('Previous password')).toBeVisible();
  await expectFair('a journal that a reset locked');
  await press(card.getByRole('button', { name: 'Use recovery key' }));
  const key = card.getByLabelText('Recovery key');
  await key.fill('0000-1111');
  await card.getByLabelText('Current password').fill('a-new-password');
  await unlock.click();
  await expect.element(card).toMatchTextContent('That recovery key doesn’t match.');
  await expect.element(key).toHaveFocus();
  await expect
    .poll(() => askedFor('words.unlock').at(-1))
    .toEqual({ recoveryKey: '0000-1111', password: 'a-new-password' });
  await pressWith(unlock, { ...listing, 'words.unlock': open });
  await expect.element(page.getByText(entry.text)).toBeVisible();
});

test('is unlocked by keyboard alone with the recovery key, or given up', async () => {
  await openJournal({ ...locked, passwordReplaced: true });
  const startOver = card.getByRole('button', { name: 'Start over' });
  await press(startOver);
  const question = page.getByRole('alertdialog', { name: 'Delete what’s locked?' });
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(startOver).toHaveFocus();
  const back = '{Shift>}{Tab}{/Shift}';
  await userEvent.keyboard(`${back}{Enter}${back.repeat(4)}`);
  await expect.element(card.getByLabelText('Recovery key')).toHaveFocus();
  await userEvent.keyboard('7k2m-9qwx-04tb-zz3e-vh6r-1npd-8c5j-gysa');
  await tabTo(card.getByLabelText('Current password'));
  answer({ ...listing, 'words.unlock': open });
  await userEvent.keyboard('peace-be-with-you{Enter}');
  await expect.element(page.getByText(entry.text)).toBeVisible();
  expect(askedFor('words.unlock')).toEqual([
    { recoveryKey: '7k2m-9qwx-04tb-zz3e-vh6r-1npd-8c5j-gysa', password: 'peace-be-with-you' },
  ]);
});

test('unlocks in place with a passkey, and says so if that didn’t', async () => {
  const derived = new Uint8Array(32).fill(7);
  const bytes = (value: number) => Uint8Array.of(value).buffer;
  const get = vi.spyOn(navigator.credentials, 'get').mockResolvedValue({
    id: 'AQ',
    rawId: bytes(1),
    type: 'public-key',
    response: { clientDataJSON: bytes(2), authenticatorData: bytes(3), signature: bytes(4) },
    getClientExtensionResults: () => ({ prf: { results: { first: derived.buffer } } }),
  } as unknown as Credential);
  onTestFinished(() => get.mockRestore());
  await openJournal(
    { ...locked, byPasskey: true },
    {
      'passkeys.ask': {
        challenge: 'AAAA',
        rpId: 'localhost',
        timeout: 300_000,
        userVerification: 'required',
      },
      'words.unlock': wrong('passkey', 'wrong_secret'),
    },
  );
  const button = card.getByRole('button', { name: 'Unlock with passkey' });
  await expect.element(button).toBeVisible();
  await expectFair('a journal that a passkey opens');
  await press(button);
  await expect.element(card.getByRole('alert')).toMatchTextContent('This passkey didn’t unlock it.');
  expect(askedFor('passkeys.ask')).toEqual([{ opensWords: true }]);
  const { prf } = get.mock.calls[0]![0]!.publicKey!.extensions!;
  expect(prf).toEqual({ eval: { first: new TextEncoder().encode('italk.author-key') } });
  await pressWith(button, { ...listing, 'words.unlock': open });
  await expect.element(page.getByText(entry.text)).toBeVisible();
  expect(askedFor('words.unlock').at(-1)).toMatchObject({
    passkey: { id: 'AQ', prf: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc' },
  });
});

test('offers to delete what’s locked only after a reset, and asks first', { tags: ['long'] }, async () => {
  await openJournal(
    { ...locked, recoveryKeyAt: null, passwordReplaced: true },
    {
      'words.startOver': () => {
        answer({
          'words.get': { ...open, state: 'unkeyed' },
          'growth.journal.list': { entries: [], more: false },
        });
        return { deleted: 3 };
      },
    },
  );
  await expect.element(card.getByRole('button', { name: 'Use recovery key' })).not.toBeInTheDocument();
  await press(card.getByRole('button', { name: 'Start over' }));
  const dialog = page.getByRole('alertdialog', { name: 'Delete what’s locked?' });
  await expectFair('starting over');
  expect(askedFor('words.startOver')).toEqual([]);
  await press(dialog.getByRole('button', { name: 'Delete and start over' }));
  await expect.element(page.getByRole('region', { name: 'Confirm your password' })).toBeVisible();
});

test(
  'keeps the text of an entry refused while locked, and saves it after unlocking',
  { tags: ['long'] },
  async () => {
    await openJournal(open, {
      'growth.journal.list': { entries: [], more: false },
      'growth.journal.write': shut,
    });
    await typed.fill(entry.text);
    // Started over in another tab.
    answer({ 'words.get': { ...open, state: 'unkeyed' } });
    const save = page.getByRole('button', { name: 'Save entry' });
    await save.click();
    await expect.element(page.getByRole('alert')).toMatchTextContent('Unlock it above, then save again.');
    await expect.element(typed).toHaveValue(entry.text);
    answer({ ...listing, 'words.unlock': open, 'growth.journal.write': entry });
    const confirm = page.getByRole('region', { name: 'Confirm your password' });
    await confirm.getByLabelText('Password', { exact: true }).fill('peace-be-with-you');
    await confirm.getByRole('button', { name: 'Continue' }).click();
    await expect.element(confirm).not.toBeInTheDocument();
    await expect.element(typed).toHaveValue(entry.text);
    await save.click();
    await expect.element(typed).toHaveValue('');
    await expect.poll(() => askedFor('growth.journal.write')).toHaveLength(2);
  },
);

test('asks a person without a password to set one first', async () => {
  const me = { ...recordedFor('client')['accounts.me'], hasPassword: false };
  await openJournal(
    { ...open, state: 'unkeyed' },
    { 'accounts.me': me, 'growth.journal.list': { entries: [], more: false } },
  );
  const confirm = page.getByRole('region', { name: 'Confirm your password' });
  await expect.element(confirm).toMatchTextContent('Set one first.');
  await expect.element(confirm.getByLabelText('Password', { exact: true })).not.toBeInTheDocument();
});

test('shows a new recovery key once, to copy or download', { tags: ['long'] }, async () => {
  const recoveryKey = '7K2M-9QWX-04TB-ZZ3E-VH6R-1NPD-8C5J-GYSA';
  await openPage('/profile?tab=settings', {
    as: 'client',
    answers: { 'words.get': open, 'words.renewRecoveryKey': { recoveryKey } },
  });
  const section = page.getByRole('region', { name: 'Recovery key' });
  await expect.element(section).toMatchTextContent('If you lose all of these, we can’t open them for you.');
  answer({ 'words.get': { ...open, recoveryKeyAt: '2026-11-24T08:00:00Z' } });
  await press(section.getByRole('button', { name: 'Create recovery key' }));
  const dialog = page.getByRole('dialog', { name: 'Recovery key' });
  await expect.element(dialog).toMatchTextContent(recoveryKey);
  await expectFair('a recovery key');
  const file = dialog.getByRole('link', { name: 'Download' }).element().getAttribute('href')!;
  expect(decodeURIComponent(file)).toContain(recoveryKey);
  await userEvent.keyboard('{Escape}');
  const question = page.getByRole('alertdialog', { name: 'Close without saving?' });
  await press(question.getByRole('button', { name: 'Keep open' }));
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(dialog).toMatchTextContent(recoveryKey);
  await press(dialog.getByRole('button', { name: 'I’ve saved it' }));
  await expect.element(section.getByRole('button', { name: 'Replace recovery key' })).toBeVisible();
  await expect.element(page.getByText(recoveryKey)).not.toBeInTheDocument();
});
