import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { containsPattern } from '#/platform/db/like.ts';
import type { Devotional, DevotionalEntry, DevotionalHead, DevotionalText } from './contract.ts';
import { dayIn, daysAround } from './rules.ts';

const head = ['day', 'title', 'reference'] as const;
const words = [...head, 'text', 'thought', 'prayer'] as const;

/** Returns today's day, by default in the site's time zone. Throws invalid `unknown_zone`. */
export async function todayOf(ctx: Ctx, timeZone: string | undefined): Promise<string> {
  requireKnownZone(timeZone);
  const zone = timeZone ?? (await siteSettings(ctx)).timezone;
  return dayIn(zone, ctx.now());
}

/** With both neighbors; null for invalid days. */
export async function devotionalOf(ctx: Ctx, day: string): Promise<Devotional | null> {
  const around = daysAround(day);
  const rows = await ctx.db
    .selectFrom('devotionals')
    .select(words)
    .where('day', 'in', [day, around.previous, around.next])
    .execute();
  const of = (wanted: string) => rows.find((row) => row.day === wanted);
  const [found, previous, next] = [of(day), of(around.previous), of(around.next)];
  if (!found || !previous || !next) return null;
  return { ...found, previous: headOf(previous), next: headOf(next) };
}

function headOf({ day, title, reference }: DevotionalHead): DevotionalHead {
  return { day, title, reference };
}

/** Loads devotionals for emails. */
export async function devotionalsOf(ctx: Ctx, days: readonly string[]): Promise<Map<string, DevotionalText>> {
  if (days.length === 0) return new Map();
  const rows = await ctx.db.selectFrom('devotionals').select(words).where('day', 'in', days).execute();
  return new Map(rows.map((row) => [row.day, row]));
}

/** Lists a month's days or search matches; the whole year by default. */
export async function yearOf(
  ctx: Ctx,
  { month, search }: { month?: number | undefined; search?: string | undefined },
): Promise<(DevotionalHead & { edited: boolean })[]> {
  let rows = ctx.db
    .selectFrom('devotionals')
    .select([...head, sql<boolean>`edited_at is not null`.as('edited')])
    .orderBy('day');
  if (month !== undefined) rows = rows.where('day', 'like', `${String(month).padStart(2, '0')}-%`);
  if (search !== undefined) {
    rows = rows.where(({ or, eb }) =>
      or(words.map((column) => eb(column, 'ilike', containsPattern(search)))),
    );
  }
  return rows.execute();
}

/** Lists all days for the sitemap. */
export async function devotionalPages(ctx: Ctx): Promise<{ day: string; changed: Date | null }[]> {
  return ctx.db.selectFrom('devotionals').select(['day', 'edited_at as changed']).orderBy('day').execute();
}

/** For editing; null for invalid days. */
export async function devotionalEntry(ctx: Ctx, day: string): Promise<DevotionalEntry | null> {
  const row = await ctx.db
    .selectFrom('devotionals')
    .leftJoin('profiles', 'profiles.id', 'edited_by')
    .select([...words, 'version', 'edited_at', 'full_name as editedBy'])
    .where('day', '=', day)
    .executeTakeFirst();
  if (!row) return null;
  const { edited_at: at, ...rest } = row;
  return { ...rest, editedAt: at && isoOf(at) };
}
