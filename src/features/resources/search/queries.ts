import { sql, type SqlBool } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { ResourceCard, ResourceCategory } from '../library/contract.ts';
import { cursorOf, cursorParts } from '../library/rules.ts';
import { cardRows, type Page, pageOf } from '../library/queries.ts';
import { meantBy, maxFound, termsOf, tracesOf } from './rules.ts';

interface ResourceSearch {
  q?: string | undefined;
  category?: ResourceCategory | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Published: results by rank, otherwise newest first. */
export async function listResources(
  ctx: Ctx,
  asked: ResourceSearch,
): Promise<Page<ResourceCard> & { total: number }> {
  const search = asked.q?.trim() ? await tsqueryOf(ctx, asked.q) : 'everything';
  if (search === 'nothing') return { items: [], next: null, total: 0 };
  if (search !== 'everything') return ranked(ctx, search.tsquery, asked);
  const [page, total] = await Promise.all([newest(ctx, asked), countNewest(ctx, asked.category)]);
  return { ...page, total };
}

async function newest(ctx: Ctx, { category, cursor, limit }: ResourceSearch): Promise<Page<ResourceCard>> {
  let rows = cardRows(ctx).select('published_at').where('status', '=', 'published');
  if (category) rows = rows.where('category', '=', category);
  if (cursor !== undefined) {
    const { key, id } = cursorParts(cursor);
    rows = rows.where(sql<SqlBool>`(published_at, id) < (${new Date(key)}, ${id}::uuid)`);
  }
  const found = await rows
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(ctx, found, limit, ({ published_at, id }) => cursorOf(published_at!.getTime(), id));
}

async function countNewest(ctx: Ctx, category: ResourceCategory | undefined): Promise<number> {
  let rows = ctx.db.selectFrom('resources').select('id').where('status', '=', 'published').limit(maxFound);
  if (category) rows = rows.where('category', '=', category);
  const { total } = await ctx.db
    .selectFrom(rows.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

async function ranked(
  ctx: Ctx,
  tsquery: string,
  asked: ResourceSearch,
): Promise<Page<ResourceCard> & { total: number }> {
  const { places, total } = await placesOf(ctx, tsquery, asked);
  const rows =
    places.length === 0
      ? []
      : await cardRows(ctx)
          .where(
            'resources.id',
            'in',
            places.map(({ id }) => id),
          )
          .where('status', '=', 'published')
          .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const inOrder = places.flatMap(({ id, rank }) => {
    const row = byId.get(id);
    return row ? [{ ...row, rank }] : [];
  });
  const page = await pageOf(ctx, inOrder, asked.limit, ({ rank, id }) => cursorOf(rank, id));
  return { ...page, total };
}

/** Maximum candidates for typo correction. */
const maxNear = 200;

/**
 * Builds a tsquery from the search terms: stemmed, corrected for typos, with the last term also as a prefix. Returns
 * `everything` for stop words only ('with the') and `nothing` without words.
 */
async function tsqueryOf(ctx: Ctx, search: string): Promise<{ tsquery: string } | 'everything' | 'nothing'> {
  const terms = termsOf(search);
  if (terms.length === 0) return 'nothing';
  const traces = [...new Set(terms.flatMap(tracesOf))];
  const near = await ctx.db
    .selectFrom('resource_words')
    .select('word')
    .where(sql<boolean>`traces && ${sql.val(traces)}::text[]`)
    .orderBy(sql`word = any(${sql.val(terms)}::text[])`, 'desc')
    .limit(maxNear)
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
async function placesOf(
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
    .limit(maxFound);
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
