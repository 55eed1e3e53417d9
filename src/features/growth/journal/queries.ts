import { sql, type Selectable } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import type { EntryView } from './contract.ts';
import type { JournalEntriesTable } from './tables.ts';

/** Encrypted columns of journal entries. Only place defining their binding. */
export const sealedEntries = {
  title: sealedColumn('journal_entries', 'title'),
  text: sealedColumn('journal_entries', 'text'),
} as const;

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

/** Lists entries, latest date first. */
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
    entries: found.slice(0, limit).map((row) => entryViewOf(ctx, row)),
    more: found.length > limit,
  };
}

export async function entryOf(ctx: Ctx, self: Self, id: string): Promise<EntryView> {
  const row = await ctx.db
    .selectFrom('journal_entries')
    .selectAll()
    .where('id', '=', id)
    .where('person_id', '=', self)
    .executeTakeFirstOrThrow();
  return entryViewOf(ctx, row);
}

function entryViewOf({ keyring }: Ctx, row: Selectable<JournalEntriesTable>): EntryView {
  const { id, title, text, mood, entry_date, created_at, updated_at } = row;
  return {
    id,
    title: sealedEntries.title.openIfAny(keyring, id, title),
    text: sealedEntries.text.open(keyring, id, text),
    mood,
    date: entry_date,
    createdAt: isoOf(created_at),
    updatedAt: isoOf(updated_at),
  };
}
