import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireUnlocked } from '#/features/accounts/address-change/queries.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { servedBy, type Served } from '../queries.ts';
import type { NoteInput, NoteView } from './contract.ts';
import { noteOf, sealedWords, tableOf, type NoteKind } from './queries.ts';

/** Writes a note about one of one's own clients, or about a session with them. */
export async function writeNote(ctx: Ctx, kind: NoteKind, input: NoteInput): Promise<NoteView> {
  await requireOpen(ctx, kind);
  return transact(ctx, async (tx) => {
    const served = await servedBy(tx, input.clientId);
    const appointmentId = input.appointmentId ?? null;
    if (appointmentId !== null) await requireSession(tx, served, appointmentId);
    await requireAccount(tx, served);
    const id = tx.newId();
    await tx.db
      .insertInto(tableOf(kind))
      .values({
        id,
        provider_id: served.providerId,
        client_id: served.clientId,
        appointment_id: appointmentId,
        text: sealedWords(tx, kind, id, input.text),
        written_at: momentOf(tx),
        changed_at: null,
      })
      .execute();
    await note(tx, kind, 'written', id);
    return noteOf(tx, kind, served.providerId, id);
  });
}

/** Changes the words of one's own note; from then on it says when. */
export async function changeNote(
  ctx: Ctx,
  kind: NoteKind,
  { noteId, text }: { noteId: string; text: string },
): Promise<NoteView> {
  const self = await requireOpen(ctx, kind);
  return transact(ctx, async (tx) => {
    const changed = await tx.db
      .updateTable(tableOf(kind))
      .set({ text: sealedWords(tx, kind, noteId, text), changed_at: momentOf(tx) })
      .where('id', '=', noteId)
      .where('provider_id', '=', self)
      .returning('id')
      .executeTakeFirst();
    if (!changed) throw new AppError('not_found', 'note');
    await note(tx, kind, 'changed', noteId);
    return noteOf(tx, kind, self, noteId);
  });
}

/** Deletes one's own note for good. */
export async function removeNote(ctx: Ctx, kind: NoteKind, noteId: string): Promise<{ id: string }> {
  const self = await requireOpen(ctx, kind);
  return transact(ctx, async (tx) => {
    const removed = await tx.db
      .deleteFrom(tableOf(kind))
      .where('id', '=', noteId)
      .where('provider_id', '=', self)
      .returning('id')
      .executeTakeFirst();
    if (!removed) throw new AppError('not_found', 'note');
    await note(tx, kind, 'removed', noteId);
    return { id: noteId };
  });
}

/** Who acts; refuses private notes while nobody can be sure that it is their author. */
export async function requireOpen(ctx: Ctx, kind: NoteKind): Promise<Self> {
  const self = selfOf(ctx);
  if (kind === 'private') await requireUnlocked(ctx, self);
  return self;
}

async function requireSession(tx: TxCtx, { providerId, clientId }: Served, id: string): Promise<void> {
  const row = await tx.db
    .selectFrom('appointments')
    .select('id')
    .where('id', '=', id)
    .where('provider_id', '=', providerId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'appointment');
}

/** What is noted about a client goes with their account, so nothing more is written once it is gone. */
async function requireAccount(tx: TxCtx, { clientId }: Served): Promise<void> {
  // What slips in beside an erasure goes with its second run.
  const { erased_at } = await tx.db
    .selectFrom('profiles')
    .select('erased_at')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  if (erased_at !== null) throw new AppError('precondition', 'client_erased');
}

function momentOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}

/** Never a word of it: that there is a private note, and about whom, stays with its author, too. */
async function note(
  tx: TxCtx,
  kind: NoteKind,
  act: ActionAfter<'care.session_note_'>,
  id: string,
): Promise<void> {
  await recordDone(tx, {
    action: `care.${kind}_note_${act}`,
    category: 'service_management',
    subject: { kind: `${kind}_note`, id },
  });
  await publish(tx, [`person:${selfOf(tx)}`], { type: 'care.notes_changed', id });
}
