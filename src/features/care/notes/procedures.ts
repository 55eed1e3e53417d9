import { bind } from '#/platform/http/procedures.ts';
import { lookAt } from '../commands.ts';
import { changeNote, removeNote, requireOpen, writeNote } from './commands.ts';
import { notesContract, privateNotesContract } from './contract.ts';
import { notesAbout } from './queries.ts';

const record = bind(notesContract);
const apart = bind(privateNotesContract);

export const notesProcedures = record.router({
  list: record.list.handler(async ({ context, input }) =>
    notesAbout(context, 'session', await lookAt(context, input.clientId, 'notes'), input),
  ),
  write: record.write.handler(({ context, input }) => writeNote(context, 'session', input)),
  change: record.change.handler(({ context, input }) => changeNote(context, 'session', input)),
  remove: record.remove.handler(({ context, input }) => removeNote(context, 'session', input.noteId)),
});

export const privateNotesProcedures = apart.router({
  list: apart.list.handler(async ({ context, input }) => {
    await requireOpen(context, 'private');
    return notesAbout(context, 'private', await lookAt(context, input.clientId, 'private_notes'), input);
  }),
  write: apart.write.handler(({ context, input }) => writeNote(context, 'private', input)),
  change: apart.change.handler(({ context, input }) => changeNote(context, 'private', input)),
  remove: apart.remove.handler(({ context, input }) => removeNote(context, 'private', input.noteId)),
});
