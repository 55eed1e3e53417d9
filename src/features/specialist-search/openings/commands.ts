import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { bookingSettings } from '#/features/appointments/offer/queries.ts';
import { findFirstTimes, outdatedOpenings, type FoundTime } from './queries.ts';

/** Per run, and diaries loaded at once. */
const maxRefreshed = 1_000;
const atOnce = 25;

/**
 * Raises stored openings to the times found. Skips rows lowered since they were read (version mismatch) or currently
 * locked, so it never blocks.
 */
export async function raiseOpenings(ctx: Ctx, looked: readonly FoundTime[]): Promise<void> {
  const later = looked.filter(({ opening, at }) => at > opening.at);
  if (later.length === 0) return;
  const rows = later.map(({ opening: { providerId, minutes, inPerson, version }, at }) => [
    providerId,
    minutes,
    inPerson,
    version,
    new Date(at).toISOString(),
  ]);
  await sql`
    with found as (
      select (value ->> 0)::uuid as provider_id, (value ->> 1)::smallint as minutes,
        (value ->> 2)::boolean as in_person, (value ->> 3)::bigint as version, (value ->> 4)::timestamptz as at
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb)
    ), free as (
      select openings.provider_id, openings.minutes, openings.in_person, found.at
      from openings join found using (provider_id, minutes, in_person, version)
      for update of openings skip locked
    )
    update openings set first_free_at = free.at from free
    where openings.provider_id = free.provider_id and openings.minutes = free.minutes
      and openings.in_person = free.in_person and openings.first_free_at < free.at`.execute(ctx.db);
}

/** Refreshes openings that have passed. Returns the number of providers refreshed. */
export async function refreshOpenings(ctx: Ctx): Promise<number> {
  const now = ctx.now().epochMilliseconds;
  const site = await bookingSettings(ctx);
  const passed = await outdatedOpenings(ctx, now + site.advanceNoticeHours * 3_600_000, maxRefreshed);
  const wanted = { site, now, minutesOf: null, fits: null };
  const providers = [...Map.groupBy(passed, ({ providerId }) => providerId).values()];
  for (let index = 0; index < providers.length; index += atOnce) {
    const looked = await findFirstTimes(ctx, providers.slice(index, index + atOnce).flat(), wanted);
    await raiseOpenings(ctx, looked);
  }
  return providers.length;
}
