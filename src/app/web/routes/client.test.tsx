import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { NoteView } from '#/features/care/notes/contract.ts';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const doctor = recordedFor('doctor');
const client = doctor['care.clients.get'];
const sessions = doctor['care.clients.sessions'];
const [past] = sessions.sessions;
const toCome = {
  ...past!,
  id: '01a20ca3-0000-7000-8000-000000000002',
  status: 'confirmed',
  startsAt: '2026-11-26T14:00:00Z',
  endsAt: '2026-11-26T15:00:00Z',
};
const panel = page.getByRole('tabpanel');
const note = panel.getByLabelText('Your note');
const saved = panel.getByRole('listitem');
const shown = (text: string) => page.getByText(text, { exact: true });

async function openClient(
  tab: string,
  answers: Readonly<Record<string, unknown>> = {},
  kind: 'notes' | 'privateNotes' = 'notes',
): Promise<void> {
  let notes: NoteView[] = [];
  const list = (next: NoteView[]) => {
    notes = next;
    answer({ [`care.${kind}.list`]: { notes, more: false } });
  };
  await openPage(`/clients/${client.id}?tab=${tab}`, {
    as: 'doctor',
    answers: {
      'care.clients.sessions': ({ part }: { part: string }) =>
        part === 'past' ? sessions : { sessions: [toCome], more: false },
      [`care.${kind}.write`]: ({ text, appointmentId }: { text: string; appointmentId?: string }) => {
        const one: NoteView = {
          id: '01a20ca3-0000-7000-8000-000000000001',
          clientId: client.id,
          session: appointmentId ? { id: appointmentId, startsAt: past!.startsAt } : null,
          text,
          writtenAt: '2026-11-24T08:00:00Z',
          changedAt: null,
          version: 1,
        };
        list([one]);
        return one;
      },
      [`care.${kind}.change`]: ({ text }: { text: string }) => {
        const one = { ...notes[0]!, text, changedAt: '2026-11-24T08:10:00Z', version: 2 };
        list([one]);
        return one;
      },
      [`care.${kind}.remove`]: () => {
        list([]);
        return { id: '01a20ca3-0000-7000-8000-000000000001' };
      },
      ...answers,
    },
  });
}

test('shows a client’s contact and sessions, and is accessible', async () => {
  await openClient('sessions');
  await expect
    .element(page.getByRole('link', { name: client.contact.email }).first())
    .toHaveAttribute('href', `mailto:${client.contact.email}`);
  await expect.element(panel.getByRole('article').first()).toBeVisible();
  await expectFair('a client');
});

test('writes a session note by keyboard, and stores nothing on the device', { tags: ['long'] }, async () => {
  await openClient('sessions');
  await press(page.getByRole('button', { name: /^Write a note about the session on/ }).first());
  await expect
    .element(page.getByRole('tab', { name: 'Session notes' }))
    .toHaveAttribute('aria-selected', 'true');
  await expect.element(note).toHaveFocus();
  await expectFair('no session notes');
  await press(page.getByRole('button', { name: 'Save note' }));
  await expect.element(page.getByText('Write a few words first.')).toBeVisible();
  await expect.element(note).toHaveFocus();
  await expectNoViolation('a note with a problem');
  await userEvent.keyboard('Sleeps a little better.');
  await page.getByRole('link', { name: 'Clients' }).first().click();
  const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await expect.poll(() => leave.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(leave).not.toBeInTheDocument();
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain('Sleeps');
  await press(page.getByRole('button', { name: 'Save note' }));
  await expect.element(saved.filter({ hasText: 'Sleeps a little better.' })).toMatchTextContent('Session on');
  await expect.element(note).toHaveValue('');
  expect(askedFor('care.privateNotes.write')).toEqual([]);
});

test('keeps what is typed while a note is being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const written = { id: toCome.id, clientId: client.id, session: null, text: 'Came by herself' };
  await openClient('notes', {
    'care.notes.write': async () => {
      await promise;
      return { ...written, writtenAt: '2026-11-24T08:00:00Z', changedAt: null };
    },
  });
  await note.fill('Came by herself');
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect.poll(() => askedFor('care.notes.write')).toHaveLength(1);
  await note.fill('Came by herself, on time');
  resolve();
  await expect.element(page.getByText('Note saved').first()).toBeVisible();
  await expect.element(note).toHaveValue('Came by herself, on time');
});

test('writes one note when its answer was lost, and then another', async () => {
  await openClient('notes', { 'care.notes.write': unreachable });
  const saveNote = page.getByRole('button', { name: 'Save note' });
  await note.fill('Came by herself');
  await saveNote.click();
  await expect.element(page.getByText('What you entered is still here').first()).toBeVisible();
  answer({
    'care.notes.write': ({ text, noteId: id }: { text: string; noteId: string }): NoteView => ({
      id,
      text,
      clientId: client.id,
      session: null,
      writtenAt: '2026-11-24T08:00:00Z',
      changedAt: null,
      version: 1,
    }),
  });
  for (const typed of ['Came by herself, on time', 'The next note']) {
    await note.fill(typed);
    await saveNote.click();
    await expect.element(note).toHaveValue('');
  }
  const [first, again, next] = askedFor('care.notes.write') as { noteId: string }[];
  expect(again!.noteId).toBe(first!.noteId);
  expect(next!.noteId).not.toBe(first!.noteId);
});

test('keeps what is typed while a change of a note is being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stored: NoteView = {
    id: toCome.id,
    clientId: client.id,
    session: null,
    text: 'Came',
    writtenAt: '2026-11-24T08:00:00Z',
    changedAt: null,
    version: 1,
  };
  await openClient('notes', {
    'care.notes.list': { notes: [stored], more: false },
    'care.notes.change': async () => {
      await promise;
      return { ...stored, text: 'Came late', version: 2 };
    },
  });
  await press(page.getByRole('button', { name: 'Edit note from' }));
  const field = saved.getByLabelText('Your note');
  await field.fill('Came late');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(() => askedFor('care.notes.change')).toHaveLength(1);
  await field.fill('Came late, and left early');
  resolve();
  await expect.element(page.getByText('Note saved').first()).toBeVisible();
  await expect.element(field).toHaveValue('Came late, and left early');
});

test('asks which version to keep when another window changed the note', { tags: ['long'] }, async () => {
  const stored: NoteView = {
    id: toCome.id,
    clientId: client.id,
    session: null,
    text: 'Came by herself',
    writtenAt: '2026-11-24T08:00:00Z',
    changedAt: null,
    version: 1,
  };
  const listing = (one: NoteView) => ({ 'care.notes.list': { notes: [one], more: false } });
  await openClient('notes', {
    ...listing(stored),
    'care.notes.change': refusal(409, 'conflict', 'changed_meanwhile'),
  });
  await press(page.getByRole('button', { name: 'Edit note from' }));
  const field = saved.getByLabelText('Your note');
  await field.fill('Came with her sister');
  answer(listing({ ...stored, text: 'Came late', version: 2 }));
  await page.getByRole('button', { name: 'Save changes' }).click();
  const overwrite = page.getByRole('button', { name: 'Save my version' });
  await expect.element(overwrite).toBeVisible();
  await expect.element(field).toHaveValue('Came with her sister');
  await expectFair('a note that was changed elsewhere');
  const own = { ...stored, text: 'Came with her sister', version: 3 };
  await pressWith(overwrite, { ...listing(own), 'care.notes.change': own });
  await expect.element(shown(own.text)).toBeVisible();
  await expect.element(overwrite).not.toBeInTheDocument();
  expect(askedFor('care.notes.change')).toMatchObject([{ version: 1 }, { version: 2 }]);
});

test('begins a note about the session in the address', async () => {
  await openClient(`sessions&about=${toCome.id}`);
  await expect.element(note).toHaveFocus();
  await expect.element(page.getByLabelText('About', { exact: true })).toHaveValue(toCome.id);
  await expect.poll(address).toBe(`/clients/${client.id}?tab=notes`);
});

test('edits and deletes a private note by keyboard', { tags: ['long'] }, async () => {
  await openClient('private', {}, 'privateNotes');
  await note.fill('I was in a hurry today.');
  await press(page.getByRole('button', { name: 'Save note' }));
  await expect.element(saved).toMatchTextContent('I was in a hurry today.');
  await expectFair('private notes');
  await press(saved.getByRole('button', { name: /^Edit note from/ }));
  await expect.element(saved.getByLabelText('Your note')).toHaveFocus();
  await userEvent.keyboard('And it showed. ');
  await press(page.getByRole('button', { name: 'Save changes' }));
  await expect.element(saved).toMatchTextContent(/Edited.*And it showed\. I was/);
  await press(saved.getByRole('button', { name: /^Delete note from/ }));
  const ask = page.getByRole('alertdialog', { name: 'Delete this note?' });
  await expect.poll(() => ask.element().contains(document.activeElement)).toBe(true);
  await expectNoViolation('deleting a note');
  await press(ask.getByRole('button', { name: 'Delete note' }));
  await expect.element(page.getByText('No private notes about this client yet.')).toBeVisible();
  await expect.poll(() => panel.element().contains(document.activeElement)).toBe(true);
});

test('shows an empty shared tab, and updates when a client shares something', async () => {
  const shared = { profile: null, goals: false, progress: false };
  await openClient('shared', { 'care.clients.get': { ...client, shared } });
  await expect.element(page.getByRole('heading', { name: 'Nothing is shared yet' })).toBeVisible();
  await expectFair('nothing shared');
  const profile = { focusAreas: ['Sleep'], tradition: 'Anglican' };
  answer({ 'care.clients.get': { ...client, shared: { ...shared, profile } } });
  tellPage({ type: 'care.sharing_changed' });
  await expect.element(page.getByRole('heading', { name: 'Focus areas and tradition' })).toBeVisible();
  await expect.element(shown('Sleep')).toBeVisible();
  expect(page.getByRole('heading', { name: 'Progress' }).query()).toBe(null);
  await expectFair('what is shared');
});

test('shows a deleted account without contact details or a note form', async () => {
  const erased = { ...client, name: 'Deleted account', erased: true, contact: null };
  await openClient('sessions', { 'care.clients.get': erased });
  await expect.element(page.getByText('This client deleted their account.')).toBeVisible();
  expect(page.getByRole('button', { name: /^Write a note/ }).query()).toBe(null);
  await expectFair('a deleted account');
  await page.getByRole('tab', { name: 'Session notes' }).click();
  await expect.element(panel).toBeVisible();
  expect(note.query()).toBe(null);
});

const record = {
  email: client.contact.email,
  phone: null,
  sentAt: '2026-11-24T08:10:00Z',
  declined: false,
};
const again = page.getByRole('button', { name: 'Send again' });

test('shows a client without an account, and a recently sent invitation', async () => {
  const first = { ...toCome, client: { ...toCome.client, takesMessages: false } };
  await openClient('sessions', {
    'care.clients.get': { ...client, record, since: first.startsAt },
    'care.clients.sessions': ({ part }: { part: string }) => ({
      sessions: part === 'past' ? [] : [first],
      more: false,
    }),
    'care.records.invite': refusal(409, 'conflict', 'just_sent'),
  });
  await expect.element(shown('No account yet')).toBeVisible();
  await expect.element(panel.getByRole('article')).toBeVisible();
  await expect.element(page.getByText(/hasn’t created an account yet/)).toBeVisible();
  await expect.element(page.getByText(/^First session /)).toBeVisible();
  expect(page.getByText(/^Client since /).query()).toBe(null);
  expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /message/i })
      .query(),
  ).toBe(null);
  await expectFair('a client without an account');
  await again.click();
  await expect.element(page.getByRole('alert').getByText(/again in 10 minutes/)).toBeVisible();
  await expect.element(again).toBeEnabled();
});

test('hides the invitation for clients who unsubscribed from email', async () => {
  await openClient('sessions', {
    'care.clients.get': {
      ...client,
      contact: { ...client.contact, email: null },
      record: { ...record, declined: true },
    },
  });
  await expect.element(page.getByText(/opted out of our emails/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Edit details' })).toBeVisible();
  expect(page.getByRole('button', { name: /Send/ }).query()).toBe(null);
});

test('shows a not-found page for someone else’s client', async () => {
  await openClient('private', { 'care.clients.get': refusal(404, 'not_found') });
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('We can’t find this client');
  await expectFair('a client who isn’t theirs');
});

for (const who of ['client', 'admin'] as const)
  test(`tells a ${who} which permission is missing, and requests nothing`, async () => {
    await openPage(`/clients/${client.id}?tab=private`, { as: who });
    await expect.element(page.getByRole('main')).toMatchTextContent('view_own_clients');
    expect(askedFor('care.privateNotes.list')).toEqual([]);
  });
