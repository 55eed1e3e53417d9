import type { KeyObject } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { requireReadable } from '#/features/accounts/author-keys/policies.ts';
import type { Self } from '#/features/access/rules.ts';
import { authoredTable, sealedColumn } from '#/platform/sealed-column.ts';
import type { EntryView } from './contract.ts';
import type { JournalEntriesTable } from './tables.ts';

/** Encrypted columns, with each one's binding. */
export const sealedEntries = {
  title: sealedColumn('journal_entries', 'title'),
  text: sealedColumn('journal_entries', 'text'),
} as const;

export const authoredEntries = authoredTable<'journal_entries'>('person_id', sealedEntries);

/** Lists months with entries, latest first. */
export async function journalMonths(ctx: Ctx, self: Self): Promise<{ month: string; count: number }[]> {
  const month = sql<string>`to_char(entry_date, 'YYYY-MM')`;
  return ctx.db
    .selectFrom('journal_entries')
    .select(({ fn }) => [month.as('month'), fn.countAll<number>().as('count')])
    .where('person_id', '=', self)
    .groupBy(month)
    .orderBy('month', 'desc')
    .execute();
}

/** Lists entries, latest date first. Throws like `requireReadable`. */
export async function journalOf(
  ctx: Ctx,
  self: Self,
  {
    month,
    beforeDate,
    beforeId,
    limit,
  }: {
    month?: string | undefined;
    beforeDate?: string | undefined;
    beforeId?: string | undefined;
    limit: number;
  },
): Promise<{ entries: EntryView[]; more: boolean }> {
  const key = await requireReadable(ctx, self);
  let rows = ctx.db
    .selectFrom('journal_entries')
    .selectAll()
    .where('person_id', '=', self)
    .orderBy('entry_date', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (month !== undefined) {
    const first = Temporal.PlainDate.from(`${month}-01`);
    rows = rows
      .where('entry_date', '>=', first.toString())
      .where('entry_date', '<', first.add({ months: 1 }).toString());
  }
  if (beforeDate !== undefined && beforeId !== undefined) {
    rows = rows.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('entry_date', 'id'), '<', tuple(beforeDate, beforeId)),
    );
  }
  const found = await rows.execute();
  return {
    entries: found.slice(0, limit).map((row) => entryViewOf(ctx, key, row)),
    more: found.length > limit,
  };
}

/** Returns the whole journal as plain text, earliest day first. Throws like `requireReadable`. */
export async function journalText(ctx: Ctx, self: Self): Promise<string> {
  const key = await requireReadable(ctx, self);
  const rows = await ctx.db
    .selectFrom('journal_entries')
    .selectAll()
    .where('person_id', '=', self)
    .orderBy('entry_date')
    .orderBy('id')
    .execute();
  return rows
    .map((row) => entryViewOf(ctx, key, row))
    .map(({ date, title, text }) => `${[date, title].filter(Boolean).join(' · ')}\n\n${text}\n`)
    .join('\n\n');
}

/** Throws like `requireReadable`. */
export async function entryOf(ctx: Ctx, self: Self, id: string): Promise<EntryView> {
  const key = await requireReadable(ctx, self);
  const row = await ctx.db
    .selectFrom('journal_entries')
    .selectAll()
    .where('id', '=', id)
    .where('person_id', '=', self)
    .executeTakeFirstOrThrow();
  return entryViewOf(ctx, key, row);
}

function entryViewOf(ctx: Ctx, key: KeyObject | null, row: Selectable<JournalEntriesTable>): EntryView {
  const { id, title, text, mood, entry_date, created_at, updated_at, version } = row;
  const own = { id, author: row.person_id };
  const open = (column: string, sealed: string) =>
    authoredEntries.open(ctx, row.by_author ? key : null, own, column, sealed);
  return {
    id,
    title: title === null ? null : open('title', title),
    text: open('text', text),
    mood,
    date: entry_date,
    createdAt: isoOf(created_at),
    updatedAt: isoOf(updated_at),
    version,
  };
}
