import { sql } from 'kysely';
import type { TxCtx } from '#/platform/context.ts';
import { indexableWords, tracesOf } from './rules.ts';

/** Adds a published text's words for typo correction. */
export async function addWords(tx: TxCtx, text: string): Promise<void> {
  const rows = indexableWords(text).map((word) => ({ word, traces: tracesOf(word), uses: 1 }));
  for (let from = 0; from < rows.length; from += 1_000) {
    await tx.db
      .insertInto('resource_words')
      .values(rows.slice(from, from + 1_000))
      .onConflict((conflict) =>
        conflict.column('word').doUpdateSet(({ eb }) => ({ uses: eb('resource_words.uses', '+', 1) })),
      )
      .execute();
  }
}

/** Decrements word counts for an unpublished text and deletes words no longer in use. */
export async function removeWords(tx: TxCtx, text: string): Promise<void> {
  const words = indexableWords(text);
  if (words.length === 0) return;
  // Locks rows in the same order as `addWords` inserts them, to avoid deadlocks.
  await sql`
    with held as materialized (
      select word, uses from unnest(${sql.val(words)}::text[]) with ordinality as given (word, place)
        join resource_words using (word) order by place for update of resource_words),
    gone as (delete from resource_words where word in (select word from held where uses = 1))
    update resource_words set uses = resource_words.uses - 1
      where word in (select word from held where uses > 1)
  `.execute(tx.db);
}
