import { isoOf } from '#/kernel/iso.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { calendarFeed } from '#/features/calendar/event/rules.ts';
import { sessionEvent } from '#/features/calendar/session/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Feed } from './contract.ts';
import { feedReach } from './rules.ts';

const refreshMinutes = 60;
/** Safety limit; drops sessions furthest in the future. */
const maxSessions = 5_000;

export async function ownFeed(ctx: Ctx, self: Self): Promise<Feed | null> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .select(['made_at', 'read_at'])
    .where('person_id', '=', self)
    .executeTakeFirst();
  return row ? { madeAt: isoOf(row.made_at), readAt: row.read_at && isoOf(row.read_at) } : null;
}

/**
 * Builds the calendar for the id from `requireFeedOwner`: sessions in both roles from the past 90 days onward, under
 * neutral titles. Omits canceled sessions and blocks.
 */
export async function feedFile(ctx: Ctx, personId: string, siteUrl: string): Promise<string> {
  const [rows, zone, { site_name: name, support_email: supportEmail }] = await Promise.all([
    feedSessions(ctx, personId),
    ownZone(ctx, personId),
    siteSettings(ctx),
  ]);
  const events = rows.map((row) => {
    const startsAt = row.starts_at.getTime();
    return sessionEvent({
      appointmentId: row.id,
      sequence: row.sequence,
      status: row.status,
      serviceName: '',
      specialistName: '',
      type: row.session_type,
      startsAt,
      durationMinutes: (row.ends_at.getTime() - startsAt) / 60_000,
      zone: row.time_zone,
      discreet: true,
      siteUrl,
      supportEmail,
      changedAt: row.updated_at.getTime(),
    });
  });
  const file = calendarFeed(events, { name, zone, refreshMinutes, now: ctx.now().epochMilliseconds });
  if (!file.ok) throw new Error(`invalid calendar: ${file.problem}`);
  return file.content;
}

async function feedSessions(ctx: Ctx, personId: string) {
  const day = 24 * 3_600_000;
  const now = ctx.now().epochMilliseconds;
  // Separate queries use indexes; an OR would scan.
  const of = (side: 'client_id' | 'provider_id') =>
    ctx.db
      .selectFrom('appointments')
      .select([
        'id',
        'sequence',
        'status',
        'session_type',
        'starts_at',
        'ends_at',
        'updated_at',
        'provider_id',
      ])
      .where(side, '=', personId)
      .where('status', '<>', 'cancelled')
      .where('starts_at', '>=', new Date(now - feedReach.back * day))
      .where('starts_at', '<', new Date(now + feedReach.ahead * day))
      .orderBy('starts_at')
      .limit(maxSessions);
  return ctx.db
    .selectFrom(
      ctx.db
        .selectFrom(of('client_id').as('as_client'))
        .selectAll()
        .unionAll(ctx.db.selectFrom(of('provider_id').as('as_provider')).selectAll())
        .as('own'),
    )
    .innerJoin('providers', 'providers.id', 'own.provider_id')
    .selectAll('own')
    .select('providers.time_zone')
    .orderBy('starts_at')
    .orderBy('own.id')
    .execute();
}

/** Time zone for an empty calendar. */
async function ownZone(ctx: Ctx, personId: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('profiles')
    .leftJoin('providers', 'providers.id', 'profiles.id')
    .select(['providers.time_zone as practice', 'profiles.time_zone as own'])
    .where('profiles.id', '=', personId)
    .executeTakeFirst();
  const zone = row?.practice ?? row?.own ?? 'UTC';
  return isKnownZone(zone) ? zone : 'UTC';
}
