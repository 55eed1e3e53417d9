import { AppError } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { requireReadable } from '#/features/accounts/author-keys/policies.ts';
import { requireUnlocked } from '#/features/accounts/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { Served } from '../clients/policies.ts';
import { tableOf, type NoteKind } from './queries.ts';

/**
 * Returns the caller. Throws for private notes while an administrator's address change is unconfirmed: someone else may
 * be signed in.
 */
export async function requireNotesOpen(ctx: Ctx, kind: NoteKind): Promise<Self> {
  const self = selfOf(ctx);
  if (kind === 'private') await requireUnlocked(ctx, self);
  return self;
}

/** Throws like `requireNotesOpen` and `requireReadable`, before the look at the notes is logged. */
export async function requirePrivateReadable(ctx: Ctx): Promise<void> {
  await requireReadable(ctx, await requireNotesOpen(ctx, 'private'));
}

/** Locks the author's own note, about this client if given. Throws `not_found` (`note`) for any other. */
export async function requireOwnNote(
  tx: TxCtx,
  author: Self,
  kind: NoteKind,
  noteId: string,
  clientId?: string,
): Promise<{ id: string; version: number }> {
  return tx.db
    .selectFrom(tableOf(kind))
    .select(['id', 'version'])
    .where('id', '=', noteId)
    .where('provider_id', '=', author)
    .$if(clientId !== undefined, (note) => note.where('client_id', '=', clientId!))
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'note'));
}

/** Throws `not_found` (`appointment`) unless the session is between these two. */
export async function requireSessionWith(
  tx: TxCtx,
  { providerId, clientId }: Served,
  appointmentId: string,
): Promise<void> {
  await tx.db
    .selectFrom('appointments')
    .select('id')
    .where('id', '=', appointmentId)
    .where('provider_id', '=', providerId)
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'appointment'));
}

/** Throws if the client's account was erased. */
export async function requireAccount(tx: TxCtx, { clientId }: Served): Promise<void> {
  // A second run erases text written in the meantime.
  const { erased_at } = await tx.db
    .selectFrom('profiles')
    .select('erased_at')
    .where('id', '=', clientId)
    .executeTakeFirstOrThrow();
  if (erased_at !== null) throw new AppError('precondition', 'client_erased');
}
