import type { KeyObject } from 'node:crypto';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { requireAuthorKey } from '#/features/accounts/author-keys/policies.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { AuthoredRow } from '#/platform/author-key.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { requireRoomToday } from '../progress/policies.ts';
import { zoneOf } from '../progress/queries.ts';
import { requireJournaling, requireOwnEntry } from './policies.ts';
import { authoredEntries, entryOf } from './queries.ts';
import type { EntryChange, EntryInput, EntryView, NewEntry } from './contract.ts';

/**
 * Adds an entry, once per id: a repeated call changes it. Throws invalid `in_future` for dates after today, local time,
 * precondition `words_locked`.
 */
export async function writeEntry(ctx: Ctx, { entryId, ...input }: NewEntry): Promise<EntryView> {
  const self = await requireJournaling(ctx);
  const date = await dayOf(ctx, self, input.date);
  return transact(ctx, async (tx) => {
    const key = await requireAuthorKey(tx);
    const id = entryId ?? tx.newId();
    const at = new Date(tx.now().epochMilliseconds);
    const created = await tx.db
      .insertInto('journal_entries')
      .values({
        id,
        person_id: self,
        ...entryColumns(tx, key, { id, author: self }, input),
        entry_date: date,
        created_at: at,
        updated_at: at,
      })
      .onConflict((found) => found.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return change(tx, self, { ...input, entryId: id, date });
    await requireRoomToday(tx, self);
    await logAction(tx, self, 'journal_entry_written', id);
    return entryOf(tx, self, id);
  });
}

/** Edits an entry; keeps its date unless given. Throws like `unchanged`, precondition `words_locked`. */
export async function changeEntry(ctx: Ctx, input: EntryChange): Promise<EntryView> {
  const self = await requireJournaling(ctx);
  if (input.date !== undefined) await dayOf(ctx, self, input.date);
  return transact(ctx, (tx) => change(tx, self, input));
}

async function change(tx: TxCtx, self: Self, input: EntryChange): Promise<EntryView> {
  const { id, version } = await requireOwnEntry(tx, self, input.entryId);
  if (version !== (input.version ?? version)) return unchanged(await entryOf(tx, self, id), input);
  const key = await requireAuthorKey(tx);
  const { date } = input;
  await tx.db
    .updateTable('journal_entries')
    .set({
      ...entryColumns(tx, key, { id, author: self }, input),
      updated_at: new Date(tx.now().epochMilliseconds),
      version: version + 1,
    })
    .$if(date !== undefined, (entry) => entry.set({ entry_date: date! }))
    .where('id', '=', id)
    .execute();
  await logAction(tx, self, 'journal_entry_changed', id);
  return entryOf(tx, self, id);
}

/** Accepts a repeated change, whose answer was lost. Throws conflict `changed_meanwhile` for other words. */
function unchanged(entry: EntryView, { title, text, mood, date }: EntryInput): EntryView {
  const isSame =
    entry.text === text &&
    entry.title === (title || null) &&
    entry.mood === (mood ?? null) &&
    entry.date === (date ?? entry.date);
  if (!isSame) throw new AppError('conflict', 'changed_meanwhile');
  return entry;
}

export async function removeEntry(ctx: Ctx, entryId: string): Promise<{ id: string }> {
  const self = await requireJournaling(ctx);
  return transact(ctx, async (tx) => {
    const { id } = await requireOwnEntry(tx, self, entryId);
    await requireAuthorKey(tx);
    await tx.db.deleteFrom('journal_entries').where('id', '=', id).execute();
    await logAction(tx, self, 'journal_entry_removed', entryId);
    return { id: entryId };
  });
}

async function dayOf(ctx: Ctx, self: Self, asked: string | undefined): Promise<string> {
  const today = ctx
    .now()
    .toZonedDateTimeISO(await zoneOf(ctx, self))
    .toPlainDate()
    .toString();
  if (asked !== undefined && asked > today) throw invalidField('date', 'in_future');
  return asked ?? today;
}

function entryColumns(tx: TxCtx, key: KeyObject, row: AuthoredRow, { title, text, mood }: EntryInput) {
  return {
    title: title ? authoredEntries.seal(tx, key, row, 'title', title) : null,
    text: authoredEntries.seal(tx, key, row, 'text', text),
    by_author: true,
    mood: mood ?? null,
  };
}

async function logAction(tx: TxCtx, self: Self, action: Action, id: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'journal_entry', id } });
  await publish(tx, [`person:${self}`], { type: 'growth.changed', id });
}
