import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { authoredTable, sealedColumn } from '#/platform/sealed-column.ts';
import { requireReadable } from '#/features/accounts/author-keys/policies.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Served } from '../clients/policies.ts';
import type { NoteView } from './contract.ts';

/** Each kind has its own table and keyring. */
export type NoteKind = 'session' | 'private';

/** All encrypted note columns. Only place defining their binding and keyring. */
export const sealedNotes = {
  session: sealedColumn('session_notes', 'text'),
  private: sealedColumn('private_notes', 'text', 'privateNotes'),
} as const;

export const authoredNotes = authoredTable<'private_notes'>('provider_id', { text: sealedNotes.private });

/** One type suffices: both have the same columns. */
export function tableOf(kind: NoteKind): 'session_notes' {
  return sealedNotes[kind].table as 'session_notes';
}

/** Private notes need their author's key to be read. Throws like `requireReadable`. */
async function readingKey(ctx: Ctx, kind: NoteKind, author: Self): Promise<KeyObject | null> {
  return kind === 'private' ? requireReadable(ctx, author) : null;
}

function noteRows(ctx: Ctx, kind: NoteKind) {
  const table = tableOf(kind);
  return ctx.db
    .selectFrom(`${table} as note`)
    .leftJoin('appointments', 'appointments.id', 'note.appointment_id')
    .select(['note.id', 'note.provider_id', 'note.client_id', 'text', 'written_at', 'changed_at', 'version'])
    .select(
      kind === 'private' ? sql<boolean>`by_author`.as('by_author') : sql<boolean>`false`.as('by_author'),
    )
    .select(['appointments.id as session_id', 'appointments.starts_at as session_start']);
}

type NoteRow = Awaited<ReturnType<ReturnType<typeof noteRows>['executeTakeFirstOrThrow']>>;

function viewOf(ctx: Ctx, kind: NoteKind, key: KeyObject | null, row: NoteRow): NoteView {
  return {
    id: row.id,
    clientId: row.client_id,
    session:
      row.session_id && row.session_start ? { id: row.session_id, startsAt: isoOf(row.session_start) } : null,
    text: textOf(ctx, kind, key, row),
    writtenAt: isoOf(row.written_at),
    changedAt: row.changed_at && isoOf(row.changed_at),
    version: row.version,
  };
}

function textOf(ctx: Ctx, kind: NoteKind, key: KeyObject | null, row: NoteRow): string {
  if (kind === 'session') return sealedNotes.session.open(ctx.keyring, row.id, row.text);
  const own = { id: row.id, author: row.provider_id };
  return authoredNotes.open(ctx, row.by_author ? key : null, own, 'text', row.text);
}

/** A provider's notes about a client, newest first. */
export async function notesAbout(
  ctx: Ctx,
  kind: NoteKind,
  { providerId, clientId }: Served,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ notes: NoteView[]; more: boolean }> {
  const key = await readingKey(ctx, kind, providerId);
  const rows = await noteRows(ctx, kind)
    .where('note.provider_id', '=', providerId)
    .where('note.client_id', '=', clientId)
    .orderBy('written_at', 'desc')
    .orderBy('note.id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return { notes: rows.slice(0, limit).map((row) => viewOf(ctx, kind, key, row)), more: rows.length > limit };
}

/** Returns the author's own note. */
export async function noteOf(ctx: Ctx, kind: NoteKind, author: Self, id: string): Promise<NoteView> {
  const key = await readingKey(ctx, kind, author);
  const row = await noteRows(ctx, kind)
    .where('note.id', '=', id)
    .where('note.provider_id', '=', author)
    .executeTakeFirstOrThrow();
  return viewOf(ctx, kind, key, row);
}
