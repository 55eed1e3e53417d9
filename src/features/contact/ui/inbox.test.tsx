import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { tellPage } from '../../../../tests/components/socket.ts';

const list = page.getByRole('navigation', { name: 'Messages, newest first' });
const search = page.getByLabelText('Search messages');

test('shows search results without putting the search in the URL', { tags: ['long'] }, async () => {
  const none = { messages: [], next: null, open: 3 };
  const next = { lastSentAt: '2020-01-01T00:00:00Z', lastId: '0190a0a0-0000-7000-8000-000000000000' };
  // On desktops, the first message would open by itself.
  await openPage('/admin/inbox', { as: 'admin', answers: { 'contact.inbox': none } });
  await search.fill('nothing-has-these-words');
  await expect.element(page.getByText('No messages found')).toBeVisible();
  await expect.poll(address).toBe('/admin/inbox');
  await expectFair('a search that finds nothing');
  // Large inboxes are searched in batches.
  answer({ 'contact.inbox': { ...none, next } });
  await search.fill('nothing-in-the-newest');
  await expect.element(page.getByText('No matches so far')).toBeVisible();
  await expectFair('a search that has not looked at all messages');
  await pressWith(page.getByRole('button', { name: 'Search older messages' }), { 'contact.inbox': none });
  await expect.element(page.getByText('No messages found')).toBeVisible();
});

test(
  'keeps the listed messages in place while it searches, but not those of another state',
  { tags: ['long'] },
  async () => {
    await openPage('/admin/inbox', { as: 'admin' });
    const first = await list.getByRole('link').first().findElement();
    await search.fill('peace');
    await expect.poll(() => askedFor('contact.inbox').at(-1)).toMatchObject({ search: 'peace' });
    expect(list.getByRole('link').first().element()).toBe(first);
    await page.getByRole('link', { name: 'Closed', exact: true }).click();
    await expect.poll(() => askedFor('contact.inbox').at(-1)).toMatchObject({ state: 'closed' });
    await expect.poll(() => first.isConnected).toBe(false);
  },
);

test('opens the newest message beside the list, and no message on phones', async () => {
  await openPage('/admin/inbox', { as: 'admin' });
  await expect.element(field).toBeVisible();
  const first = list.getByRole('link').first();
  await expect.element(first).toHaveAttribute('aria-current', 'page');
  await page.viewport(phone.width, phone.height);
  await openPage('/admin/inbox', { as: 'admin' });
  await expect.element(first).toBeVisible();
  await expect.element(field).not.toBeInTheDocument();
});

test('reports a deleted message', async () => {
  const gone = '0190a0a0-0000-7000-8000-000000000000';
  await openPage(`/admin/inbox?message=${gone}`, {
    as: 'admin',
    answers: { 'contact.get': refusal(404, 'not_found') },
  });
  await expect.element(page.getByText('This no longer exists.')).toBeVisible();
});

test('reports a loading error and retries', { tags: ['long'] }, async () => {
  await openPage('/admin/inbox', { as: 'admin', answers: { 'contact.inbox': unreachable } });
  await expect.element(page.getByText('We couldn’t load the messages')).toBeVisible();
  await expectNoViolation('an inbox that couldn’t be loaded');
  await pressWith(page.getByRole('button', { name: 'Try again' }), {
    'contact.inbox': { messages: [], next: null, open: 0 },
  });
  await expect.element(page.getByText('We couldn’t load the messages')).not.toBeInTheDocument();
});

test('moves focus into the opened message on phones', async () => {
  await page.viewport(phone.width, phone.height);
  await openPage('/admin/inbox', { as: 'admin', answers: { 'contact.get': unreachable } });
  const first = list.getByRole('link').first();
  await expect.element(first).toBeVisible();
  first.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('region', { name: 'Contact inbox' })).toHaveFocus();
  await expect.element(list).not.toBeInTheDocument();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('link', { name: 'All messages' })).toHaveFocus();
});

const id = '0190a0a0-0000-7000-8000-000000000001';
const message = {
  id,
  name: 'Miriam Cole',
  email: 'miriam@people.example',
  subject: 'Evening sessions',
  message: 'Do you have any after six?',
  sentAt: '2026-11-20T09:00:00Z',
  state: 'open',
  personId: null,
  note: '',
  closed: null,
  answers: [],
};
const written = {
  id: '0190a0a0-0000-7000-8000-000000000002',
  text: 'Yes, Dr. Vale does.',
  writtenAt: '2026-11-21T09:00:00Z',
  author: { id: '0190a0a0-0000-7000-8000-000000000003', name: 'Esther Chief' },
  mailedAt: null,
};
const answered = { ...message, state: 'answered', answers: [written] };
const opened = page.getByRole('region', { name: 'Contact inbox' });
const field = opened.getByLabelText('Answer', { exact: true });
const send = opened.getByRole('button', { name: 'Send answer' });

async function openMessage(shown: object = message, answers: Readonly<Record<string, unknown>> = {}) {
  await openPage(`/admin/inbox?message=${id}`, {
    as: 'admin',
    answers: { 'contact.get': shown, ...answers },
  });
}

test('sends an answer, and restores its text when undone', { tags: ['long'] }, async () => {
  await openMessage(message, { 'contact.answer': answered, 'contact.undoAnswer': message });
  await send.click();
  await expect.element(opened.getByText('Enter an answer.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  await field.fill(written.text);
  await pressWith(send, { 'contact.get': answered });
  const thread = opened.getByRole('list', { name: 'Answers' });
  for (const said of ['Yes, Dr. Vale does.', 'Esther Chief', 'Goes out within a minute'])
    await expect.element(thread).toMatchTextContent(said);
  await expect.element(field).toHaveValue('');
  await expect
    .poll(() => askedFor('contact.answer'))
    .toMatchObject([{ messageId: id, text: written.text, seen: 0 }]);
  await expectFair('an answered message');
  await field.fill('And one more thing.');
  await pressWith(thread.getByRole('button', { name: 'Undo' }), { 'contact.get': message });
  await expect.element(thread).not.toBeInTheDocument();
  await expect.element(field).toHaveValue('Yes, Dr. Vale does.\n\nAnd one more thing.');
  await expect.element(field).toHaveFocus();
});

test('keeps what is typed while an answer is being sent', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await openMessage(message, {
    'contact.answer': async () => {
      await promise;
      return answered;
    },
  });
  await field.fill('Yes');
  await send.click();
  await expect.poll(() => askedFor('contact.answer')).toHaveLength(1);
  await field.fill('Yes, do');
  resolve();
  await expect.element(opened.getByText(written.text)).toBeVisible();
  await expect.element(field).toHaveValue('Yes, do');
});

test('can’t send another answer until the undo finishes', async () => {
  let takenBack = () => {};
  await openMessage(answered, {
    'contact.undoAnswer': () =>
      new Promise((resolve) => {
        takenBack = () => resolve(message);
      }),
    'contact.answer': answered,
  });
  await opened.getByRole('button', { name: 'Undo' }).click();
  await expect.element(field).toHaveValue(written.text);
  await expect.element(send).toHaveAttribute('aria-disabled', 'true');
  answer({ 'contact.get': message });
  takenBack();
  await send.click();
  await expect.poll(() => askedFor('contact.answer')).toMatchObject([{ seen: 0 }]);
});

test('keeps an answer that couldn’t be sent, and shows another administrator’s answer', async () => {
  await openMessage(message, { 'contact.answer': unreachable });
  await field.fill('Mine.');
  await send.click();
  await expect.element(opened.getByText('Your answer wasn’t sent')).toBeVisible();
  await expect.element(field).toHaveValue('Mine.');
  const sent = { ...written, mailedAt: '2026-11-21T09:00:20Z' };
  await pressWith(send, {
    'contact.answer': refusal(409, 'conflict', 'answered_meanwhile'),
    'contact.get': { ...answered, answers: [sent] },
  });
  await expect.element(opened.getByText('Someone else answered while you were writing.')).toBeVisible();
  await expect.element(opened.getByRole('list', { name: 'Answers' })).toMatchTextContent('Emailed');
  await expect.element(field).toHaveValue('Mine.');
  await pressWith(send, {
    'contact.answer': {
      ...answered,
      answers: [sent, { ...written, id: '0190a0a0-0000-7000-8000-000000000004' }],
    },
  });
  await expect.poll(() => askedFor('contact.answer').at(-1)).toMatchObject({ seen: 1 });
});

test('clears an answer that was sent although the reply got lost', async () => {
  await openMessage(message, { 'contact.answer': unreachable });
  await field.fill(written.text);
  await send.click();
  await expect.element(opened.getByText('Your answer wasn’t sent')).toBeVisible();
  const [sent] = askedFor('contact.answer') as { answerId: string }[];
  await pressWith(send, {
    'contact.get': { ...answered, answers: [{ ...written, id: sent!.answerId }] },
    'contact.answer': refusal(409, 'conflict', 'answered_meanwhile'),
  });
  await expect.element(opened.getByRole('list', { name: 'Answers' })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await expect.element(opened.getByText('Your answer wasn’t sent')).not.toBeInTheDocument();
  await field.fill('One more thing.');
  await send.click();
  const ids = () => askedFor('contact.answer').map((one) => (one as { answerId: string }).answerId);
  await expect
    .poll(ids)
    .toEqual([sent!.answerId, sent!.answerId, expect.not.stringContaining(sent!.answerId)]);
});

test.each(['Answer', 'Internal note'])('asks before leaving an unsaved text: %s', async (name) => {
  await openMessage();
  const typed = opened.getByLabelText(name, { exact: true });
  await typed.fill('Half a tex');
  await list.getByRole('link').first().click();
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  await expect.element(typed).toHaveValue('Half a tex');
});

test('lets people leave once the internal note is saved', { tags: ['long'] }, async () => {
  const saved = { ...message, note: 'Called her' };
  await openMessage(message, { 'contact.annotate': saved });
  await opened.getByLabelText('Internal note', { exact: true }).fill(saved.note);
  await pressWith(opened.getByRole('button', { name: 'Save note' }), { 'contact.get': saved });
  await expect.element(page.getByText('Note saved')).toBeVisible();
  await list.getByRole('link').first().click();
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
});

test('keeps another administrator’s note when both write one', { tags: ['long'] }, async () => {
  const note = opened.getByLabelText('Internal note', { exact: true });
  await openMessage(message, { 'contact.annotate': refusal(409, 'conflict', 'annotated_meanwhile') });
  await note.fill('Is a member.');
  const theirs = { ...message, note: 'Called back.' };
  answer({ 'contact.get': theirs });
  tellPage({ type: 'contact.changed', id });
  await expect.poll(() => askedFor('contact.get')).toHaveLength(2);
  const save = opened.getByRole('button', { name: 'Save note' });
  await save.click();
  await expect.element(opened.getByText('Someone else changed this note')).toBeVisible();
  const both = 'Called back.\n\nIs a member.';
  await expect.element(note).toHaveValue(both);
  await pressWith(save, {
    'contact.annotate': { ...message, note: both },
    'contact.get': { ...message, note: both },
  });
  await expect.element(page.getByText('Note saved')).toBeVisible();
  expect(askedFor('contact.annotate')).toEqual([
    { messageId: id, note: 'Is a member.', seen: '' },
    { messageId: id, note: both, seen: 'Called back.' },
  ]);
});

test('keeps an answer’s text if the response to undoing it is lost', { tags: ['long'] }, async () => {
  await openMessage(answered, { 'contact.undoAnswer': unreachable });
  await opened.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText('We couldn’t undo your answer')).toBeVisible();
  await expect.element(field).toHaveValue(written.text);
  await field.fill('');
  await pressWith(opened.getByRole('button', { name: 'Undo' }), {
    'contact.undoAnswer': refusal(409, 'conflict', 'already_mailed'),
  });
  await expect.element(page.getByText('It was already sent.')).toBeVisible();
  await expect.element(field).toHaveValue('');
});

test('leads to the sender’s page if they were signed in', async () => {
  await openMessage({ ...message, personId: written.author.id });
  await expect
    .element(opened.getByRole('link', { name: message.name }))
    .toHaveAttribute('href', `/admin/people/${written.author.id}`);
});

test('shows answered messages in their own tab', async () => {
  await openPage('/admin/inbox?state=answered', {
    as: 'admin',
    answers: { 'contact.inbox': { messages: [], next: null, open: 2 } },
  });
  await expect.element(page.getByText('No answered messages yet')).toBeVisible();
  await expect.poll(() => askedFor('contact.inbox').at(-1)).toMatchObject({ state: 'answered' });
});
