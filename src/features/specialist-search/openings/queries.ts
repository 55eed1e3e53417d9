import { sql } from 'kysely';
import type { Interval } from '#/kernel/interval.ts';
import type { Ctx } from '#/platform/context.ts';
import { diariesOf } from '#/features/appointments/diary/queries.ts';
import type { SiteTerms } from '#/features/appointments/offer/queries.ts';
import { bookingHorizon, openStarts, type Diary } from '#/features/appointments/diary/rules.ts';
import { openingLength, openingMinutes } from './rules.ts';

const day = 24 * 3_600_000;

/** First search window in milliseconds; almost every provider has free time within it. */
export const near = 14 * day;

export interface StoredOpening {
  providerId: string;
  minutes: number;
  inPerson: boolean;
  /** Not before the first free time; epoch milliseconds. */
  at: number;
  version: number;
}

export async function heldBy(ctx: Ctx, personId: string, span: Interval): Promise<Interval[]> {
  const rows = await ctx.db
    .selectFrom('participants')
    .select(['starts_at', 'ends_at'])
    .where('person_id', '=', personId)
    .where('held', '=', true)
    .where(
      sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${new Date(span.start)}, ${new Date(span.end)})`,
    )
    .execute();
  return rows.map(({ starts_at, ends_at }) => ({ start: starts_at.getTime(), end: ends_at.getTime() }));
}

export interface FoundTime {
  opening: StoredOpening;
  first: number | null;
  at: number;
}

export interface TimesWanted {
  site: SiteTerms;
  now: number;
  /** In minutes; null when only refreshing openings. */
  minutesOf: ((diary: Diary) => number) | null;
  /** For times within 14 days; null accepts any. */
  fits: ((start: number) => boolean) | null;
}

/**
 * Finds each provider's first matching time and current lower bound. Read the openings before calling: their versions
 * must not be newer than the diaries.
 */
export async function findFirstTimes(
  ctx: Ctx,
  openings: readonly StoredOpening[],
  wanted: TimesWanted,
): Promise<FoundTime[]> {
  const { now } = wanted;
  const nearSpan = { start: now, end: now + near };
  const looked = await findTimesWithin(ctx, openings, nearSpan, wanted);
  const further = looked.filter(({ first, at }) => at >= nearSpan.end || (first === null && !wanted.fits));
  if (further.length === 0) return looked;
  const farSpan = { start: nearSpan.end, end: now + bookingHorizon + 1 };
  const found = await findTimesWithin(
    ctx,
    further.map(({ opening }) => opening),
    farSpan,
    wanted,
  );
  const far = new Map(found.map((one) => [keyOf(one.opening), one]));
  return looked.map((one) => {
    const more = far.get(keyOf(one.opening));
    if (!more) return one;
    return {
      opening: one.opening,
      first: one.first ?? (wanted.fits ? null : more.first),
      at: one.at < nearSpan.end ? one.at : more.at,
    };
  });
}

function keyOf({ providerId, minutes, inPerson }: StoredOpening): string {
  return `${providerId} ${minutes} ${inPerson}`;
}

async function findTimesWithin(
  ctx: Ctx,
  openings: readonly StoredOpening[],
  span: Interval,
  { site, now, minutesOf, fits }: TimesWanted,
): Promise<FoundTime[]> {
  const asked = openings.filter(({ at }) => at < span.end);
  const diaries = await diariesOf(ctx, [...new Set(asked.map(({ providerId }) => providerId))], span);
  return openings.map((opening) => {
    const diary = diaries.get(opening.providerId);
    if (!diary) return { opening, first: null, at: Math.max(opening.at, span.end) };
    const within = { start: Math.max(span.start, opening.at), end: span.end };
    const startsOf = (minutes: number) =>
      openStarts({ diary, own: [], settings: site, now, inPerson: opening.inPerson }, minutes, within);
    const reckoned = openingLength(diary.schedule.terms.sessionLengths, opening.minutes);
    const starts = startsOf(reckoned);
    const minutes = minutesOf?.(diary) ?? reckoned;
    const fitting = starts.length === 0 || minutes === reckoned ? starts : startsOf(minutes);
    return {
      opening,
      first: (fits ? fitting.find(fits) : fitting[0]) ?? null,
      at: starts[0] ?? span.end,
    };
  });
}

export const openingColumns = [
  'openings.provider_id as providerId',
  'openings.minutes',
  'openings.in_person as inPerson',
  sql<number>`(extract(epoch from openings.first_free_at) * 1000)::float8`.as('at'),
  'openings.version',
] as const;

/** Returns listed providers with outdated openings, oldest first. */
export async function outdatedOpenings(ctx: Ctx, before: number, limit: number): Promise<StoredOpening[]> {
  return ctx.db
    .selectFrom('openings')
    .innerJoin(
      ctx.db
        .selectFrom('openings')
        .innerJoin('providers', 'providers.id', 'openings.provider_id')
        .where('listed', '=', true)
        .where('minutes', 'in', [...openingMinutes])
        .where('first_free_at', '<', new Date(before))
        .groupBy('provider_id')
        .select('provider_id')
        .orderBy(({ fn }) => fn.min('first_free_at'))
        .limit(limit)
        .as('passed'),
      'passed.provider_id',
      'openings.provider_id',
    )
    .select(openingColumns)
    .execute();
}
