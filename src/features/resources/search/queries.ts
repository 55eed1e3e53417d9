import { sql, type SqlBool } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { ResourceCategory } from '../contract.ts';
import { cursorParts } from '../rules.ts';
import { meantBy, mostFound, termsOf, tracesOf } from './rules.ts';

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

/**
 * Where published resources stand that a search finds, best first: one more than the page has, and how many there are in
 * all; counted in the same statement, since finding is the dear part.
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
