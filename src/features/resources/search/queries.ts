import { sql, type SqlBool } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { ResourceCategory } from '../contract.ts';
import { cursorParts } from '../rules.ts';
import { meantBy, mostFound, termsOf, tracesOf } from './rules.ts';

/** Maximum candidates for typo correction. */
const mostNear = 200;

/**
 * Builds a tsquery from the search terms: stemmed, corrected for typos, with the last term also as a prefix. Returns
 * `everything` for stop words only ('with the') and `nothing` without words.
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

/**
 * Returns ids by rank, one more than the page holds, plus the total. One statement computes both because matching is
 * the expensive part.
 */
export async function placesOf(
  ctx: Ctx,
  tsquery: string,
  asked: { category?: ResourceCategory | undefined; cursor?: string | undefined; limit: number },
): Promise<{ places: { id: string; rank: number }[]; total: number }> {
  const { category, cursor, limit } = asked;
  let found = ctx.db
    .selectFrom('resources')
    .select(['id', 'search'])
    .where('status', '=', 'published')
    .where(sql<SqlBool>`search @@ ${tsquery}::tsquery`)
    .limit(mostFound);
  if (category) found = found.where('category', '=', category);
  let best = ctx.db
    .with(
      (cte) => cte('found').materialized(),
      () =>
        ctx.db
          .selectFrom(found.as('matching'))
          .select(['id', sql<number>`ts_rank(search, ${tsquery}::tsquery)`.as('rank')]),
    )
    .selectFrom('found')
    .select(['id', 'rank'])
    .select(({ selectFrom, fn }) => selectFrom('found').select(fn.countAll<number>().as('count')).as('total'))
    .orderBy('rank', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (cursor !== undefined) {
    const { key, id } = cursorParts(cursor);
    best = best.where(sql<SqlBool>`(rank, id) < (${key}::real, ${id}::uuid)`);
  }
  const places = await best.execute();
  return { places, total: places[0]?.total ?? 0 };
}
