import { sql } from 'kysely';
import type { TxCtx } from '#/platform/context.ts';
import { tracesOf, wordsOf } from './rules.ts';

/** As many words of one text as are remembered. */
const mostWords = 5_000;

/** Remembers the words of what becomes public, so that a search which mistypes them finds them. */
export async function learnWords(tx: TxCtx, text: string): Promise<void> {
  const words = wordsOf(text)
    .filter((word) => word.length > 3)
    .slice(0, mostWords);
  if (words.length === 0) return;
  // In one order, so that two who learn at once don't wait for each other.
  const rows = words.toSorted().map((word) => ({ word, traces: tracesOf(word) }));
  for (let from = 0; from < rows.length; from += 1_000) {
    await tx.db
      .insertInto('resource_words')
      .values(rows.slice(from, from + 1_000))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Forgets the words of a text that no public resource holds any more. */
export async function forgetWords(tx: TxCtx, text: string): Promise<void> {
  const words = wordsOf(text);
  if (words.length === 0) return;
  await sql`
    delete from resource_words where word = any(${sql.val(words)}::text[]) and not exists (
      select from resources where status = 'published' and search @@ plainto_tsquery('english', word))
  `.execute(tx.db);
}
