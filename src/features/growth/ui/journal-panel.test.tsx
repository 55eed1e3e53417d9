import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { tellPage } from '../../../../tests/components/socket.ts';
import type { EntryView } from '../journal/contract.ts';

const path = '/growth?tab=journal';
const entry: EntryView = {
  id: '01a20ca3-e00b-7664-aabc-124c76e7174e',
  title: null,
  text: 'The quiet was loud today.',
  mood: 2,
  date: '2026-11-24',
  createdAt: '2026-11-24T08:00:00Z',
  updatedAt: '2026-11-24T08:00:00Z',
  version: 1,
};

function listing(...entries: EntryView[]) {
  return {
    'growth.journal.list': { entries, more: false },
    'growth.journal.months': entries.length > 0 ? [{ month: '2026-11', count: entries.length }] : [],
  };
}

const text = page.getByLabelText('What’s on your heart?');
const save = page.getByRole('button', { name: 'Save entry' });
const shown = (words: string) => page.getByRole('listitem').filter({ hasText: words });
const edit = page.getByRole('button', { name: 'Edit entry from' });
const blank = page.getByText('Your first page is blank');

test('requires text before saving an entry', { tags: ['long'] }, async () => {
  await openPage(path, { as: 'client', answers: { ...listing(), 'growth.journal.write': entry } });
  await expect.element(blank).toBeVisible();
  await expectFair('an empty journal');
  await press(save);
  await expect.element(page.getByText('Write a few words first.')).toBeVisible();
  await expect.element(text).toHaveFocus();
  await expectNoViolation('an entry with a problem');
  await userEvent.keyboard(entry.text);
  await page.getByLabelText('Mood').selectOptions('Low');
  answer(listing(entry));
  await save.click();
  await expect.element(shown(entry.text).getByText('Low')).toBeVisible();
  await expect.element(text).toHaveValue('');
  await expect
    .poll(() => askedFor('growth.journal.write'))
    .toMatchObject([{ text: entry.text, mood: 2, date: '2026-11-24' }]);
});

test('dates a new entry today after midnight, but not one begun before', { tags: ['long'] }, async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
  await openPage(path, { as: 'client', answers: { ...listing(), 'growth.journal.write': entry } });
  const date = page.getByLabelText('Date');
  const pass = (to: string) => {
    vi.setSystemTime(new Date(to));
    vi.advanceTimersByTime(30_000);
  };
  await expect.element(date).toHaveValue('2026-11-24');
  pass('2026-11-25T12:00:00Z');
  await expect.element(date).toHaveValue('2026-11-25');
  await text.fill(entry.text);
  pass('2026-11-26T12:00:00Z');
  await expect.element(date).toHaveAttribute('max', '2026-11-26');
  await expect.element(date).toHaveValue('2026-11-25');
  await save.click();
  await expect.element(text).toHaveValue('');
  await expect.element(date).toHaveValue('2026-11-26');
});

test('keeps what is typed while an entry is being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await openPage(path, {
    as: 'client',
    answers: {
      ...listing(),
      'growth.journal.write': async () => {
        await promise;
        return entry;
      },
    },
  });
  await text.fill('The quiet');
  await save.click();
  await expect.poll(() => askedFor('growth.journal.write')).toHaveLength(1);
  await text.fill('The quiet was loud');
  resolve();
  await expect.element(page.getByText('Entry saved').first()).toBeVisible();
  await expect.element(text).toHaveValue('The quiet was loud');
});

test('offers no writing until the password is confirmed for the first time', async () => {
  const unkeyed = { state: 'unkeyed', passwordReplaced: false, byPasskey: false, recoveryKeyAt: null };
  await openPage(path, { as: 'client', answers: { ...listing(entry), 'words.get': unkeyed } });
  await expect.element(page.getByText('Your password will encrypt it.')).toBeVisible();
  await expect.element(shown(entry.text)).toBeVisible();
  await expect.element(text).not.toBeVisible();
});

test('asks before leaving an unsaved entry, and keeps it out of browser storage', async () => {
  await openPage(path, { as: 'client' });
  await text.fill(entry.text);
  await page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }).first().click();
  const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect.element(leave).toBeVisible();
  await expectNoViolation('leaving without saving');
  await userEvent.keyboard('{Escape}');
  await expect.element(leave).not.toBeInTheDocument();
  await expect.poll(address).toBe(path);
  await expect.element(text).toHaveValue(entry.text);
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('quiet was loud');
});

test('edits and deletes an entry by keyboard alone', { tags: ['long'] }, async () => {
  const changed = { ...entry, text: 'And then it was peace.' };
  await openPage(path, {
    as: 'client',
    answers: {
      ...listing(entry),
      'growth.journal.change': changed,
      'growth.journal.remove': { id: entry.id },
    },
  });
  await expectFair('a journal');
  await press(edit);
  const field = page.getByRole('listitem').getByLabelText('What’s on your heart?');
  await expect.element(field).toHaveFocus();
  await expectNoViolation('an entry that is edited');
  await userEvent.keyboard('{Control>}a{/Control}And then it was peace.');
  answer(listing(changed));
  await press(page.getByRole('button', { name: 'Save changes' }));
  await expect.element(shown(changed.text)).toBeVisible();
  await expect.element(edit).toHaveFocus();
  await expect
    .poll(() => askedFor('growth.journal.change'))
    .toMatchObject([{ entryId: entry.id, text: changed.text }]);
  await userEvent.keyboard('{Tab}{Enter}');
  const dialog = page.getByRole('alertdialog', { name: 'Delete this entry?' });
  await expect.element(dialog).toBeVisible();
  await expectFair('deleting an entry');
  answer(listing());
  await press(dialog.getByRole('button', { name: 'Delete entry' }));
  await expect.element(shown(changed.text)).not.toBeInTheDocument();
  await expect.element(blank).toBeVisible();
});

test('shows all months once the chosen one’s last entry is deleted', { tags: ['long'] }, async () => {
  const older = {
    ...entry,
    id: '01a20ca3-e00b-7664-aabc-124c76e7174f',
    text: 'First frost.',
    date: '2026-10-31',
  };
  await openPage(path, {
    as: 'client',
    answers: {
      'growth.journal.list': ({ month }: { month?: string }) => ({
        entries: [entry, older].filter(({ date }) => date.startsWith(month ?? '')),
        more: false,
      }),
      'growth.journal.months': [
        { month: '2026-11', count: 1 },
        { month: '2026-10', count: 1 },
      ],
      'growth.journal.remove': { id: entry.id },
    },
  });
  await expect.element(shown(older.text)).toBeVisible();
  await page.getByLabelText('Month').selectOptions('2026-11');
  await expect.element(shown(older.text)).not.toBeInTheDocument();
  await shown(entry.text).getByRole('button', { name: 'Delete entry from' }).click();
  await pressWith(page.getByRole('alertdialog').getByRole('button', { name: 'Delete entry' }), {
    'growth.journal.list': ({ month }: { month?: string }) => ({
      entries: [older].filter(({ date }) => date.startsWith(month ?? '')),
      more: false,
    }),
    'growth.journal.months': [{ month: '2026-10', count: 1 }],
  });
  await expect.element(shown(older.text)).toBeVisible();
});

test('reports an entry that is too long, and keeps input', async () => {
  await openPage(path, {
    as: 'client',
    answers: {
      'growth.journal.write': refusal(400, 'invalid', 'fields', {
        fields: [{ field: 'text', reason: 'too_large' }],
      }),
    },
  });
  const long = 'x'.repeat(15_001);
  await text.fill(long);
  await save.click();
  await expect.element(page.getByText('Use at most 15,000 characters.')).toBeVisible();
  await expect.element(text).toHaveValue(long);
  await expect.element(text).toHaveFocus();
});

test('keeps input when the server is unreachable, and saves on retry', { tags: ['long'] }, async () => {
  await openPage(path, { as: 'client', answers: { ...listing(), 'growth.journal.write': unreachable } });
  await text.fill('Still here');
  await save.click();
  await expect.element(page.getByRole('alert').getByText('What you entered is still here')).toBeVisible();
  await expect.element(text).toHaveValue('Still here');
  await expectNoViolation('an entry that couldn’t be saved');
  const kept = { ...entry, text: 'Still here' };
  answer({ ...listing(kept), 'growth.journal.write': kept });
  await text.fill('Still here, and more');
  await save.click();
  await expect.element(shown('Still here')).toBeVisible();
  await expect.element(text).toHaveValue('');
  await text.fill('The next one');
  await save.click();
  await expect.poll(() => askedFor('growth.journal.write')).toHaveLength(3);
  const [first, again, next] = askedFor('growth.journal.write') as { entryId: string }[];
  expect(again!.entryId).toBe(first!.entryId);
  expect(next!.entryId).not.toBe(first!.entryId);
});

test('keeps what is typed while a change is being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const changed = { ...entry, text: 'Changed', version: 2 };
  const again = { ...entry, text: 'Changed, and more', version: 3 };
  await openPage(path, {
    as: 'client',
    answers: {
      ...listing(entry),
      'growth.journal.change': async () => {
        await promise;
        return changed;
      },
    },
  });
  await press(edit);
  const field = page.getByRole('listitem').getByLabelText('What’s on your heart?');
  const submit = page.getByRole('button', { name: 'Save changes' });
  await field.fill('Changed');
  await submit.click();
  await expect.poll(() => askedFor('growth.journal.change')).toHaveLength(1);
  await field.fill('Changed, and more');
  answer(listing(changed));
  resolve();
  await expect.element(page.getByText('Entry saved').first()).toBeVisible();
  await expect.element(field).toHaveValue('Changed, and more');
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await pressWith(submit, { ...listing(again), 'growth.journal.change': again });
  await expect.element(submit).not.toBeInTheDocument();
  expect(askedFor('growth.journal.change')).toMatchObject([{ version: 1 }, { version: 2 }]);
});

test('recognizes its own change when the answer was lost', async () => {
  const own = { ...entry, text: 'Changed here', version: 2 };
  const next = { ...entry, id: '01a20ca3-e00b-7664-aabc-124c76e7174f', text: 'A second entry' };
  await openPage(path, {
    as: 'client',
    answers: { ...listing(entry), 'growth.journal.change': unreachable },
  });
  await press(edit);
  const field = page.getByRole('listitem').getByLabelText('What’s on your heart?');
  await field.fill('Changed here ');
  answer(listing(own, next));
  const submit = page.getByRole('button', { name: 'Save changes' });
  await submit.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('What you entered is still here');
  await expect.element(shown(next.text)).toBeVisible();
  await expect.element(page.getByText('another window')).not.toBeInTheDocument();
  await field.fill('Changed here, and more');
  await pressWith(submit, {
    'growth.journal.change': { ...own, text: 'Changed here, and more', version: 3 },
  });
  await expect.element(submit).not.toBeInTheDocument();
  expect(askedFor('growth.journal.change')).toMatchObject([{ version: 1 }, { version: 2 }]);
});

test('asks which version to keep when another window changed the entry', { tags: ['long'] }, async () => {
  const elsewhere = { ...entry, text: 'From the first window', version: 2 };
  await openPage(path, {
    as: 'client',
    answers: { ...listing(entry), 'growth.journal.change': refusal(409, 'conflict', 'changed_meanwhile') },
  });
  await press(edit);
  const field = page.getByRole('listitem').getByLabelText('What’s on your heart?');
  await field.fill('From the second window');
  answer(listing(elsewhere));
  const submit = page.getByRole('button', { name: 'Save changes' });
  await submit.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('This was changed in another window');
  await expect.element(page.getByRole('button', { name: 'Load other version' })).toBeVisible();
  await expect.element(field).toHaveValue('From the second window');
  await expectFair('an entry that was changed elsewhere');
  await page.getByRole('button', { name: 'Load other version' }).click();
  await expect.element(field).toHaveValue(elsewhere.text);
  await expect.element(field).toHaveFocus();
  await field.fill('From the second window, again');
  answer(listing({ ...elsewhere, version: 3 }));
  tellPage({ type: 'growth.changed', id: entry.id });
  const own = { ...elsewhere, text: 'From the second window, again', version: 4 };
  await expect.element(page.getByRole('alert')).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Save my version' }), {
    ...listing(own),
    'growth.journal.change': own,
  });
  await expect.element(shown(own.text)).toBeVisible();
  await expect.element(submit).not.toBeInTheDocument();
  const versions = askedFor('growth.journal.change').map((one) => (one as { version: number }).version);
  expect(versions).toEqual([1, 3]);
});

test('reports a loading error and retries', async () => {
  await openPage(path, { as: 'client', answers: { 'growth.journal.list': unreachable } });
  const failed = page.getByText('We couldn’t load this.');
  await expect.element(failed).toBeVisible();
  await expectNoViolation('a journal that can’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }), listing(entry));
  await expect.element(shown(entry.text)).toBeVisible();
  await expect.element(failed).not.toBeInTheDocument();
});
