import { sql, type SqlBool } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Self } from '#/features/access/rules.ts';
import { meanRating } from '#/features/providers/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { pathOf } from '#/platform/files/links.ts';
import type { AttachedFile, ResourceCard, ResourceDetail } from './contract.ts';
import { cursorOf, cursorParts } from './rules.ts';
import type { Resource } from './tables.ts';

const maxFeatured = 3;

/** `next`: cursor of the next page, or null. */
export interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** Returns the most recently published featured resources. */
export async function featuredResources(ctx: Ctx): Promise<ResourceCard[]> {
  const rows = await cardRows(ctx)
    .where('status', '=', 'published')
    .where('featured', '=', true)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxFeatured)
    .execute();
  return cardsOf(ctx, rows);
}

/** Published resources with these titles, in order. */
export async function resourcesTitled(
  ctx: Ctx,
  titles: readonly string[],
): Promise<{ id: string; title: string }[]> {
  if (titles.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('resources')
    .select(['id', 'title'])
    .where('status', '=', 'published')
    .where('title', 'in', titles)
    .orderBy('published_at', 'desc')
    .execute();
  return titles.flatMap((title) => rows.find((row) => row.title === title) ?? []);
}

/** Published resources with their last change, newest first. */
export async function publishedPages(ctx: Ctx): Promise<{ id: string; changed: Date }[]> {
  return ctx.db
    .selectFrom('resources')
    .select(['id', 'updated_at as changed'])
    .where('status', '=', 'published')
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Up to `max` published after `since`, newest first. */
export async function publishedSince(
  ctx: Ctx,
  since: Date,
  max: number,
): Promise<{ title: string; author: string; publishedAt: Date }[]> {
  const rows = await ctx.db
    .selectFrom('resources')
    .select(['title', 'author', 'published_at'])
    .where('status', '=', 'published')
    .where('published_at', '>', since)
    .orderBy('published_at', 'desc')
    .limit(max)
    .execute();
  return rows.map(({ title, author, published_at }) => ({ title, author, publishedAt: published_at! }));
}

/** Returns one published resource; null for any other. */
export async function resourceDetail(ctx: Ctx, id: string): Promise<ResourceDetail | null> {
  const self = viewerOf(ctx);
  const row = await cardRows(ctx)
    .select(['created_by', 'published_at', 'file_name', 'file_type', 'file_size'])
    .where('id', '=', id)
    .where('status', '=', 'published')
    .executeTakeFirst();
  if (!row) return null;
  const rated = self
    ? await ctx.db
        .selectFrom('resource_ratings')
        .select('rating')
        .where('person_id', '=', self)
        .where('resource_id', '=', id)
        .executeTakeFirst()
    : undefined;
  const [card] = await cardsOf(ctx, [row]);
  return {
    ...card!,
    publishedAt: isoOf(row.published_at!),
    file: attachedFile(row),
    ownRating: rated?.rating ?? null,
    own: self !== null && row.created_by === self,
  };
}

/** Lists a person's downloads or favorites, latest first, without unpublished resources. */
export async function ownResources(
  ctx: Ctx,
  self: Self,
  { kept, cursor, limit }: { kept: 'got' | 'favourites'; cursor?: string | undefined; limit: number },
): Promise<Page<ResourceCard>> {
  const own = kept === 'got' ? 'resource_gets' : 'resource_favourites';
  const at = kept === 'got' ? sql.ref<Date>('own.last_at') : sql.ref<Date>('own.created_at');
  let rows = cardRows(ctx)
    .innerJoin(sql<{ resource_id: string }>`${sql.table(own)}`.as('own'), 'own.resource_id', 'resources.id')
    .select(at.as('at'))
    .where(sql<SqlBool>`own.person_id = ${self}`)
    .where('status', '=', 'published');
  if (cursor !== undefined) {
    const { key, id } = cursorParts(cursor);
    rows = rows.where(sql<SqlBool>`(${at}, own.resource_id) < (${new Date(key)}, ${id}::uuid)`);
  }
  const found = await rows
    .orderBy(at, 'desc')
    .orderBy('own.resource_id', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(ctx, found, limit, ({ at: when, id }) => cursorOf(when.getTime(), id));
}

/** Expects one row beyond `limit`, if any. */
export async function pageOf<Row extends CardRow>(
  ctx: Ctx,
  rows: Row[],
  limit: number,
  cursor: (row: Row) => string,
): Promise<Page<ResourceCard>> {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? cursor(shown.at(-1)!) : null;
  return { items: await cardsOf(ctx, shown), next };
}

function viewerOf({ actor }: Ctx): string | null {
  return actor.kind === 'person' ? actor.id : null;
}

export function cardRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('resources')
    .select([
      'resources.id',
      'title',
      'author',
      'type',
      'form',
      'category',
      'description',
      'duration_minutes',
      'rating_sum',
      'rating_count',
      'download_count',
      'featured',
      'cover_id',
    ]);
}

type CardRow = Awaited<ReturnType<ReturnType<typeof cardRows>['executeTakeFirstOrThrow']>>;

async function cardsOf(ctx: Ctx, rows: readonly CardRow[]): Promise<ResourceCard[]> {
  const self = viewerOf(ctx);
  const ids = rows.map(({ id }) => id);
  const owned = async (table: 'resource_gets' | 'resource_favourites') => {
    if (self === null || ids.length === 0) return new Set<string>();
    const found = await ctx.db
      .selectFrom(table)
      .select('resource_id')
      .where('person_id', '=', self)
      .where('resource_id', 'in', ids)
      .execute();
    return new Set(found.map(({ resource_id }) => resource_id));
  };
  const [got, kept] = await Promise.all([owned('resource_gets'), owned('resource_favourites')]);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    author: row.author,
    type: row.type,
    form: row.form,
    category: row.category,
    description: row.description,
    durationMinutes: row.duration_minutes,
    rating: meanRating(row.rating_sum, row.rating_count),
    ratingCount: row.rating_count,
    downloadCount: row.download_count,
    featured: row.featured,
    cover: coverPath(row.cover_id),
    favourite: kept.has(row.id),
    got: got.has(row.id),
  }));
}

export const coverName = 'cover.webp';

export function coverPath(id: string | null): string | null {
  return id && pathOf({ id, name: coverName });
}

export function attachedFile(
  row: Pick<Resource, 'file_name' | 'file_type' | 'file_size'>,
): AttachedFile | null {
  if (row.file_name === null) return null;
  return { name: row.file_name, contentType: row.file_type!, size: row.file_size! };
}
