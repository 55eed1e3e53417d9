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

/** Edits one's own note and records when. */
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

/** Permanently deletes one's own note. */
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

/** Throws for private notes while an administrator's address change is unconfirmed: someone else may be signed in. */
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

/** Throws if the client's account was erased. */
async function requireAccount(tx: TxCtx, { clientId }: Served): Promise<void> {
  // The second erasure run removes notes written during the first.
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

/** Logs no text and notifies only the author: even a private note's existence is private. */
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
