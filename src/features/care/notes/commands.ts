import { AppError } from '#/kernel/errors.ts';
import { requireAuthorKey } from '#/features/accounts/author-keys/policies.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { AuthoredRow } from '#/platform/author-key.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { requireServed } from '../clients/policies.ts';
import type { NoteChange, NoteInput, NoteView } from './contract.ts';
import { requireAccount, requireNotesOpen, requireOwnNote, requireSessionWith } from './policies.ts';
import { authoredNotes, noteOf, sealedNotes, tableOf, type NoteKind } from './queries.ts';

/** Throws precondition `words_locked` for private notes. Repeating an id changes the note. */
export async function writeNote(ctx: Ctx, kind: NoteKind, input: NoteInput): Promise<NoteView> {
  await requireNotesOpen(ctx, kind);
  return transact(ctx, async (tx) => {
    const served = await requireServed(tx, input.clientId);
    const appointmentId = input.appointmentId ?? null;
    if (appointmentId !== null) await requireSessionWith(tx, served, appointmentId);
    await requireAccount(tx, served);
    const id = input.noteId ?? tx.newId();
    const created = await tx.db
      .insertInto(tableOf(kind))
      .values({
        id,
        provider_id: served.providerId,
        client_id: served.clientId,
        appointment_id: appointmentId,
        ...(await noteColumns(tx, kind, { id, author: served.providerId }, input.text)),
        written_at: momentOf(tx),
        changed_at: null,
      })
      .onConflict((found) => found.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) {
      const note = await requireOwnNote(tx, served.providerId, kind, id, served.clientId);
      const before = await noteOf(tx, kind, served.providerId, id);
      if (before.text === input.text && (before.session?.id ?? null) === appointmentId) return before;
      return change(tx, kind, served.providerId, note, { text: input.text, appointmentId });
    }
    await logAction(tx, kind, 'written', id);
    return noteOf(tx, kind, served.providerId, id);
  });
}

/** Edits one's own note and records when. Throws conflict `changed_meanwhile`, and like `writeNote`. */
export async function changeNote(ctx: Ctx, kind: NoteKind, input: NoteChange): Promise<NoteView> {
  const self = await requireNotesOpen(ctx, kind);
  return transact(ctx, async (tx) => {
    const note = await requireOwnNote(tx, self, kind, input.noteId);
    if (note.version === (input.version ?? note.version))
      return change(tx, kind, self, note, { text: input.text });
    // Its answer was lost, so it's repeated.
    const stored = await noteOf(tx, kind, self, note.id);
    if (stored.text !== input.text) throw new AppError('conflict', 'changed_meanwhile');
    return stored;
  });
}

async function change(
  tx: TxCtx,
  kind: NoteKind,
  self: Self,
  { id, version }: { id: string; version: number },
  { text, appointmentId }: { text: string; appointmentId?: string | null },
): Promise<NoteView> {
  await tx.db
    .updateTable(tableOf(kind))
    .set({
      ...(await noteColumns(tx, kind, { id, author: self }, text)),
      changed_at: momentOf(tx),
      version: version + 1,
    })
    .$if(appointmentId !== undefined, (note) => note.set({ appointment_id: appointmentId! }))
    .where('id', '=', id)
    .execute();
  await logAction(tx, kind, 'changed', id);
  return noteOf(tx, kind, self, id);
}

/** Permanently deletes one's own note. */
export async function removeNote(ctx: Ctx, kind: NoteKind, noteId: string): Promise<{ id: string }> {
  const self = await requireNotesOpen(ctx, kind);
  return transact(ctx, async (tx) => {
    const { id } = await requireOwnNote(tx, self, kind, noteId);
    if (kind === 'private') await requireAuthorKey(tx);
    await tx.db.deleteFrom(tableOf(kind)).where('id', '=', id).execute();
    await logAction(tx, kind, 'removed', noteId);
    return { id: noteId };
  });
}

async function noteColumns(tx: TxCtx, kind: NoteKind, row: AuthoredRow, text: string) {
  if (kind === 'session') return { text: sealedNotes.session.seal(tx.keyring, row.id, text) };
  const key = await requireAuthorKey(tx);
  return { text: authoredNotes.seal(tx, key, row, 'text', text), by_author: true };
}

function momentOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}

/** Logs no text and notifies only the author: even a private note's existence is private. */
async function logAction(
  tx: TxCtx,
  kind: NoteKind,
  act: ActionAfter<'care.session_note_'>,
  id: string,
): Promise<void> {
  await recordDone(tx, { action: `care.${kind}_note_${act}`, subject: { kind: `${kind}_note`, id } });
  await publish(tx, [`person:${selfOf(tx)}`], { type: 'care.notes_changed', id });
}
