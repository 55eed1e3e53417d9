import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AuthoredEntry } from '#/features/resources/library/contract.ts';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const main = page.getByRole('main');
const [first] = recordedFor('doctor')['resources.authored'].items as AuthoredEntry[];
const draft: AuthoredEntry = { ...first!, title: 'Letters by Hand' };
const sent: AuthoredEntry = { ...draft, status: 'submitted', actions: ['withdraw', 'remove'] };
const listing = (...items: AuthoredEntry[]) => ({ 'resources.authored': { items, next: null } });

async function focusIn(place: typeof main): Promise<void> {
  await expect.poll(() => place.element().contains(document.activeElement)).toBe(true);
}

test.each([
  ['/author', 'Your resources'],
  ['/prayers', 'Prayer requests'],
])('%s asks guests to sign in with their provider account', async (path, title) => {
  await openPage(path);
  const prompt = page.getByRole('dialog', { name: "You're almost there!" });
  await prompt.getByRole('button', { name: 'Not now, continue browsing' }).click();
  await expect.element(main.getByRole('heading', { name: title })).toBeVisible();
  await expect.element(main).toMatchTextContent('Sign in with your provider account.');
  await expect.element(main.getByRole('button', { name: 'Sign In' })).toBeVisible();
});

test('writes and submits a resource by keyboard alone', { tags: ['long'] }, async () => {
  const stored = { ...draft, body: '', url: null };
  await openPage('/author/new', {
    as: 'doctor',
    answers: { 'resources.saveDraft': stored, 'resources.submit': { ...stored, ...sent } },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('New resource');
  const submit = page.getByRole('button', { name: 'Send for approval' });
  await press(submit);
  await expect.element(page.getByLabelText('Title')).toHaveFocus();
  expect(askedFor('resources.saveDraft')).toEqual([]);
  await userEvent.keyboard('Letters');
  await press(page.getByRole('radio', { name: 'Book' }), ' ');
  await tabTo(page.getByLabelText('Category'));
  await userEvent.keyboard('Grief');
  await tabTo(page.getByLabelText('Description'));
  await userEvent.keyboard('For writers.');
  await press(page.getByRole('radio', { name: /^Article/ }), '{ArrowDown}');
  await expect.element(page.getByRole('radio', { name: /File upload/ })).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(page.getByRole('radio', { name: /^Article/ })).toBeChecked();
  await tabTo(page.getByLabelText('Text', { exact: true }));
  await page.getByLabelText('Text', { exact: true }).fill('A letter waits until it can be read. '.repeat(8));
  await press(submit);
  await expect.poll(address).toBe('/author');
  await expect
    .poll(() => askedFor('resources.saveDraft'))
    .toMatchObject([{ title: 'Letters', type: 'book', category: 'grief-support', form: 'article' }]);
  await expect.poll(() => askedFor('resources.submit')).toMatchObject([{ resourceId: draft.id }]);
});

test('withdraws and deletes a resource by keyboard alone', { tags: ['long'] }, async () => {
  await openPage('/author', {
    as: 'doctor',
    answers: {
      ...listing(sent),
      'resources.withdraw': { ...draft, body: '', url: null },
      'resources.remove': { removed: true },
    },
  });
  const entry = main.getByRole('listitem').filter({ hasText: draft.title });
  await expect.element(entry).toMatchTextContent('Waiting for approval');
  await press(entry.getByRole('button', { name: /^Withdraw/ }));
  const withdraw = page.getByRole('alertdialog', { name: 'Withdraw this resource?' });
  await focusIn(withdraw);
  answer(listing(draft));
  await press(withdraw.getByRole('button', { name: 'Withdraw' }));
  await expect.element(entry).toMatchTextContent('Draft');
  await focusIn(main);
  const remove = entry.getByRole('button', { name: /^Delete/ });
  const question = page.getByRole('alertdialog', { name: 'Delete this resource?' });
  await press(remove);
  await focusIn(question);
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(remove).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  answer(listing());
  await press(question.getByRole('button', { name: 'Delete' }));
  await expect.element(entry).not.toBeInTheDocument();
  await focusIn(main);
});
