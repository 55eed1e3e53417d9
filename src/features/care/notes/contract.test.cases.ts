import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { cast, client, provider, call, session } = stage;

  const note = (part: 'notes' | 'privateNotes') =>
    session(-5, 'completed').then((appointmentId) =>
      call(provider, `care.${part}.write`, { noteId: undefined, clientId: client.id, appointmentId }),
    );

  return {
    'care.notes.write': async () => ({
      by: provider,
      input: {
        noteId: undefined,
        clientId: client.id,
        appointmentId: await session(-5, 'completed'),
      },
    }),
    'care.notes.change': async () => {
      const { id: noteId } = await note('notes');
      return { by: provider, input: { noteId }, about: noteId };
    },
    'care.notes.remove': async () => {
      const { id: noteId } = await note('notes');
      return { by: provider, input: { noteId }, about: noteId };
    },
    'care.privateNotes.write': async () => ({
      by: provider,
      input: {
        noteId: undefined,
        clientId: client.id,
        appointmentId: await session(-5, 'completed'),
      },
    }),
    'care.privateNotes.change': async () => {
      const { id: noteId } = await note('privateNotes');
      return { by: provider, input: { noteId }, about: noteId };
    },
    'care.privateNotes.remove': async () => {
      const { id: noteId } = await note('privateNotes');
      return { by: provider, input: { noteId }, about: noteId };
    },
    'care.notes.list': async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
    'care.privateNotes.list': async () => ({
      by: { ...cast.provider, id: cast.providerId },
      about: cast.clientId,
    }),
  };
}

export const withoutSubject: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': [
    'care.private_note_changed',
    'care.private_note_removed',
    'care.private_note_written',
    'care.session_note_changed',
    'care.session_note_removed',
    'care.session_note_written',
  ],
};

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': [
    'care.private_note_changed',
    'care.session_note_changed',
  ],
};

export const updates: NamesBy = {
  'care.notes_changed self': [
    'care.notes.write',
    'care.notes.change',
    'care.notes.remove',
    'care.privateNotes.write',
    'care.privateNotes.change',
    'care.privateNotes.remove',
  ],
};
