import { sql, type SqlBool } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { lengthsOf } from '#/features/availability/terms/rules.ts';
import { specialistOf, specialistRows } from '#/features/providers/queries.ts';
import type { Specialist } from '#/features/providers/contract.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { diariesOf } from '#/features/appointments/diary/queries.ts';
import { bookingSettings, type SiteTerms } from '#/features/appointments/offer/queries.ts';
import { heldBy, findFirstTimes, near, openingColumns, type FoundTime } from './openings/queries.ts';
import { openingFor } from './openings/rules.ts';
import { requireKnownZone } from '#/kernel/zone-clock.ts';
import { bookingHorizon, openStarts, type Diary } from '#/features/appointments/diary/rules.ts';
import type { FindInput, NextStarts } from './contract.ts';
import { latestStart, lengthOffered, timeFits } from './rules.ts';

const startsShown = 3;

/** Counting stops here; the UI shows "more". */
const maxCounted = 100;

/** Batch size for loading diaries: starts at `firstOpened`, doubles up to `maxAtOnce`. */
const firstOpened = 24;
const maxAtOnce = 96;

/** Diaries loaded per result shown before the search settles for its current matches. */
const openedForEach = 10;

type TimeFilter = Pick<FindInput, 'serviceId' | 'sessionType' | 'time' | 'timeZone'>;

/** Instants are epoch milliseconds. */
interface Terms {
  now: number;
  site: SiteTerms;
  /** Requested length, before applying a specialist's own. */
  minutes: number;
  minutesOf: (diary: Diary) => number;
  inPerson: boolean;
  fits: ((start: number) => boolean) | null;
  latest: number | null;
}

/** Inactive services have the site's default length. */
async function termsOf(ctx: Ctx, { serviceId, sessionType, time, timeZone }: TimeFilter): Promise<Terms> {
  requireKnownZone(timeZone);
  const [site, usual, service] = await Promise.all([
    bookingSettings(ctx),
    ctx.db
      .selectFrom('site_settings')
      .select(['default_session_duration', 'timezone'])
      .executeTakeFirstOrThrow(),
    serviceId === undefined
      ? undefined
      : ctx.db
          .selectFrom('services')
          .select('duration_minutes')
          .where('id', '=', serviceId)
          .where('active', '=', true)
          .executeTakeFirst(),
  ]);
  const now = ctx.now().epochMilliseconds;
  const zone = timeZone ?? usual.timezone;
  const minutes = service?.duration_minutes ?? usual.default_session_duration;
  return {
    now,
    site,
    minutes,
    minutesOf: ({ schedule }) => lengthOffered(lengthsOf(minutes, schedule.terms.sessionLengths), minutes),
    inPerson: sessionType === 'in-person',
    fits: time === undefined ? null : timeFits(time, zone, now),
    latest: latestStart(time, zone, now),
  };
}

/** Applies every filter except time. */
function applyFilters(ctx: Ctx, input: FindInput) {
  const { serviceId, kind, tradition, faithPart, language, sessionType, place } = input;
  const towns = ctx.db
    .selectFrom('places')
    .select('provider_id as id')
    .where('town', '=', place ?? '')
    .where('closed', '=', false)
    // Providers without a place use their listing's location.
    .unionAll(
      ctx.db
        .selectFrom('providers')
        .select('id')
        .where('listed', '=', true)
        .where('location', '=', place ?? '')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('places')
                .select('id')
                .whereRef('provider_id', '=', 'providers.id')
                .where('closed', '=', false),
            ),
          ),
        ),
    );
  return ctx.db
    .selectFrom('providers')
    .where('listed', '=', true)
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind!))
    .$if(faithPart !== undefined, (rows) => rows.where('faith_part', '=', faithPart!))
    .$if(tradition !== undefined, (rows) => rows.where(has('traditions', tradition!)))
    .$if(language !== undefined, (rows) => rows.where(has('languages', language!)))
    .$if(sessionType !== undefined, (rows) => rows.where(has('session_types', sessionType!)))
    .$if(sessionType === 'online', (rows) =>
      rows.where(({ ref }) =>
        offers('video_sessions', { id: ref('providers.id'), kind: ref('providers.kind') }),
      ),
    )
    .$if(place !== undefined, (rows) => rows.where('providers.id', 'in', towns))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('provider_services')
          .innerJoin('services', 'services.id', 'service_id')
          .select('service_id')
          .whereRef('provider_id', '=', 'providers.id')
          .where('services.active', '=', true)
          .$if(serviceId !== undefined, (rows) => rows.where('service_id', '=', serviceId!)),
      ),
    );
}

function has(column: 'traditions' | 'languages' | 'session_types', value: string) {
  return sql<SqlBool>`${sql.ref(`providers.${column}`)} @> array[${value}]::text[]`;
}

interface FoundIds {
  ids: string[];
  more: boolean;
  total: number | null;
  looked: FoundTime[];
}

/** Returns matching ids in the requested order. Loads diaries only for time filters or sorting. */
export async function findIds(ctx: Ctx, input: FindInput): Promise<FoundIds> {
  const { offset, limit } = input;
  if (input.time === undefined && input.order === 'directory') {
    const rows = await applyFilters(ctx, input)
      .select('providers.id')
      .orderBy('position')
      .orderBy('slug')
      .offset(offset)
      .limit(limit + 1)
      .execute();
    const more = rows.length > limit;
    const ids = rows.slice(0, limit).map(({ id }) => id);
    const total = more || (ids.length === 0 && offset > 0) ? await counted(ctx, input) : offset + ids.length;
    return { ids, more, total, looked: [] };
  }
  const terms = await termsOf(ctx, input);
  const wanted = offset + limit;
  const { found, looked, whole } = await (input.order === 'soonest' ? findSoonest : inOrder)(
    ctx,
    input,
    terms,
    wanted,
  );
  const more = found.length > wanted || !whole;
  return { ids: found.slice(offset, wanted), more, total: whole ? found.length : null, looked };
}

async function counted(ctx: Ctx, input: FindInput): Promise<number | null> {
  const { count } = await ctx.db
    .selectFrom(
      applyFilters(ctx, input)
        .select('providers.id')
        .limit(maxCounted + 1)
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count > maxCounted ? null : count;
}

interface Walk {
  found: string[];
  looked: FoundTime[];
  /** The search covered every candidate. */
  whole: boolean;
}

/** Without openings too late for the filter. */
function withOpenings(ctx: Ctx, input: FindInput, { minutes, inPerson, latest }: Terms) {
  return applyFilters(ctx, input)
    .innerJoin('openings', 'openings.provider_id', 'providers.id')
    .where('openings.minutes', '=', openingFor(minutes))
    .where('openings.in_person', '=', inPerson)
    .select(openingColumns)
    .$if(latest !== null, (rows) => rows.where('first_free_at', '<', new Date(latest!)));
}

/** Sorts by first free time. Loads diaries until no remaining opening could beat the results. */
async function findSoonest(ctx: Ctx, input: FindInput, terms: Terms, wanted: number): Promise<Walk> {
  const earliest = terms.now + terms.site.advanceNoticeHours * 3_600_000;
  const met: FoundTime[] = [];
  let last: { at: Date; id: string } | null = null;
  for (let size = firstOpened; ; size = Math.min(size * 2, maxAtOnce)) {
    const batch = await withOpenings(ctx, input, terms)
      .select('first_free_at as bound')
      .$if(last !== null, (rows) =>
        rows.where(sql<SqlBool>`(first_free_at, openings.provider_id) > (${last!.at}, ${last!.id}::uuid)`),
      )
      .orderBy('first_free_at')
      .orderBy('openings.provider_id')
      .limit(size)
      .execute();
    // A concurrent search may list some again.
    const known = new Set(met.map(({ opening }) => opening.providerId));
    const others = batch.filter(({ providerId }) => !known.has(providerId));
    met.push(...(await findFirstTimes(ctx, others, terms)));
    const whole = batch.length < size;
    const next = batch.at(-1);
    if (next) last = { at: next.bound, id: next.providerId };
    const bound = Math.max(next?.at ?? 0, earliest);
    const found = met
      .filter(({ first }) => first !== null || terms.fits === null)
      .toSorted(
        (a, b) =>
          (a.first ?? Infinity) - (b.first ?? Infinity) ||
          (a.opening.providerId < b.opening.providerId ? -1 : 1),
      );
    const settled = found.filter(({ first }) => first !== null && first <= bound).length;
    if (whole || settled > wanted || met.length >= wanted * openedForEach) {
      return { found: found.map(({ opening }) => opening.providerId), looked: met, whole };
    }
  }
}

async function inOrder(ctx: Ctx, input: FindInput, terms: Terms, wanted: number): Promise<Walk> {
  const met: FoundTime[] = [];
  const found: string[] = [];
  let last: { position: number; slug: string } | null = null;
  for (let size = firstOpened; ; size = Math.min(size * 2, maxAtOnce)) {
    const batch = await withOpenings(ctx, input, terms)
      .select(['position', 'slug'])
      .$if(last !== null, (rows) =>
        rows.where(sql<SqlBool>`(position, slug) > (${last!.position}::int, ${last!.slug})`),
      )
      .orderBy('position')
      .orderBy('slug')
      .limit(size)
      .execute();
    const looked = await findFirstTimes(ctx, batch, terms);
    met.push(...looked);
    found.push(...looked.filter(({ first }) => first !== null).map(({ opening }) => opening.providerId));
    const whole = batch.length < size;
    last = batch.at(-1) ?? null;
    if (whole || found.length > wanted || met.length >= wanted * openedForEach) {
      return { found, looked: met, whole };
    }
  }
}

/** Preserves the given order; omits unlisted specialists. */
export async function specialistsById(ctx: Ctx, ids: readonly string[]): Promise<Specialist[]> {
  if (ids.length === 0) return [];
  const rows = await specialistRows(ctx)
    .where('providers.listed', '=', true)
    .where('providers.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, specialistOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function nextStarts(
  ctx: Ctx,
  { providerIds, ...wish }: TimeFilter & { providerIds: string },
): Promise<NextStarts[]> {
  const asked = [...new Set(providerIds.split(','))];
  const [terms, listed] = await Promise.all([
    termsOf(ctx, wish),
    ctx.db.selectFrom('providers').select('id').where('listed', '=', true).where('id', 'in', asked).execute(),
  ]);
  const { now, site, inPerson, minutesOf, fits } = terms;
  const own =
    ctx.actor.kind === 'person'
      ? await heldBy(ctx, ctx.actor.id, { start: now, end: now + bookingHorizon })
      : [];
  const startsIn = async (ids: readonly string[], start: number, end: number) => {
    const diaries = await diariesOf(ctx, ids, { start, end });
    return [...diaries].map(([providerId, diary]) => {
      const minutes = minutesOf(diary);
      const query = { diary, own, settings: site, now, inPerson };
      return { providerId, minutes, starts: openStarts(query, minutes, { start, end }) };
    });
  };
  const soon = await startsIn(
    listed.map(({ id }) => id),
    now,
    now + near,
  );
  // Other days are better than none.
  const without = soon.filter(({ starts }) => starts.length === 0).map(({ providerId }) => providerId);
  const later = new Map(
    (await startsIn(without, now + near, now + bookingHorizon + 1)).map(({ providerId, starts }) => [
      providerId,
      starts.slice(0, 1),
    ]),
  );
  return soon.map(({ providerId, minutes, starts }) => {
    const wished = fits ? starts.filter(fits) : starts;
    const shown = (wished.length > 0 ? wished : starts).slice(0, startsShown);
    return {
      providerId,
      durationMinutes: minutes,
      starts: (later.get(providerId) ?? shown).map(isoOf),
    };
  });
}
