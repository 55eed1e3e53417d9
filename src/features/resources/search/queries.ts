import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { meantBy, termsOf, tracesOf } from './rules.ts';

/** As many known words as are compared with what was typed. */
const mostNear = 200;

/**
 * What a search asks the full-text index for: each word in all its forms, the last also as a beginning, and the
 * nearest known words in the place of one that nobody has written. `everything` for words that say nothing by
 * themselves ('with the'), `nothing` where there is no word at all.
 */
export async function tsqueryOf(
  ctx: Ctx,
  search: string,
): Promise<{ tsquery: string } | 'everything' | 'nothing'> {
  const terms = termsOf(search);
  if (terms.length === 0) return 'nothing';
  const traces = [...new Set(terms.flatMap(tracesOf))];
  const near = await ctx.db
    .selectFrom('resource_words')
    .select('word')
    .where(sql<boolean>`traces && ${sql.val(traces)}::text[]`)
    .orderBy(sql`word = any(${sql.val(terms)}::text[])`, 'desc')
    .limit(mostNear)
    .execute();
  const known = near.map(({ word }) => word);
  const parts = terms.map((term, index) => {
    const forms = meantBy(term, known).map((word) => sql`plainto_tsquery('english', ${word})`);
    if (index === terms.length - 1) forms.push(sql`to_tsquery('simple', ${`${term}:*`})`);
    return sql`case when numnode(plainto_tsquery('english', ${term})) = 0 then ''::tsquery
      else (${sql.join(forms, sql` || `)}) end`;
  });
  const { rows } = await sql<{ tsquery: string }>`
    select (${sql.join(parts, sql` && `)})::text as tsquery`.execute(ctx.db);
  const { tsquery } = rows[0]!;
  return tsquery === '' ? 'everything' : { tsquery };
}
