import { z } from 'zod';
import { lines, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';
import { oneClient, page, provider } from '../clients/contract.ts';

const noteView = z.object({
  id: uuid,
  clientId: uuid,
  /** Null: about the client in general. */
  session: z.object({ id: uuid, startsAt: instant }).nullable(),
  text: z.string(),
  writtenAt: instant,
  /** Last edit. */
  changedAt: instant.nullable(),
  version: z.number().int(),
});

export type NoteView = z.infer<typeof noteView>;

const text = lines.min(1).max(15_000);
const one = z.object({ noteId: uuid });
/** Repeating a creation by id changes the first. */
const noteInput = z.object({
  noteId: uuid.optional(),
  clientId: uuid,
  text,
  /** The provider's own appointment with this client. */
  appointmentId: uuid.optional(),
});

export type NoteInput = z.infer<typeof noteInput>;

const noteChange = one.extend({
  text,
  /** Conflict `changed_meanwhile` if outdated. */
  version: z.number().int().min(1).max(2_147_483_647).optional(),
});

export type NoteChange = z.infer<typeof noteChange>;

/** Covers only the caller's own notes. */
function notesUnder(name: 'notes' | 'private-notes', kind: 'session_note' | 'private_note') {
  const writes = (what: 'written' | 'changed' | 'removed') => [
    `care.${kind}_${what} service_management ${kind}`,
  ];
  return {
    /** Lists notes newest first. */
    list: provider
      .meta({
        writes: [
          name === 'notes'
            ? 'care.notes_viewed security person'
            : 'care.private_notes_viewed security person',
        ],
        example: ({ clientId }) => ({ clientId, limit: 10, offset: 0 }),
      })
      .route({ method: 'GET', path: `/clients/{clientId}/${name}` })
      .input(page.extend(oneClient.shape))
      .output(z.object({ notes: z.array(noteView), more: z.boolean() })),
    write: provider
      .meta({
        writes: writes('written'),
        example: ({ id, clientId, appointmentId }) => ({
          noteId: id,
          clientId,
          text: 'Came by herself.',
          appointmentId,
        }),
      })
      .route({ method: 'POST', path: `/clients/{clientId}/${name}`, successStatus: 201 })
      .input(noteInput)
      .output(noteView),
    change: provider
      .meta({
        writes: writes('changed'),
        example: ({ id }) => ({ noteId: id, version: 1, text: 'Came with her sister.' }),
      })
      .route({ method: 'POST', path: `/${name}/{noteId}` })
      .input(noteChange)
      .output(noteView),
    /** Deletes permanently. */
    remove: provider
      .meta({ writes: writes('removed'), example: ({ id }) => ({ noteId: id }) })
      .route({ method: 'POST', path: `/${name}/{noteId}/remove` })
      .input(one)
      .output(z.object({ id: uuid })),
  };
}

/** Session notes, part of the clinical record. */
export const notesContract = notesUnder('notes', 'session_note');

/** Psychotherapy notes, separate from the clinical record. */
export const privateNotesContract = notesUnder('private-notes', 'private_note');
