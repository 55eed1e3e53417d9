import { createHash } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { calendarFeed } from '#/features/calendar/event/rules.ts';
import { sessionEvent } from '#/features/calendar/session/rules.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Feed } from './contract.ts';
import { feedReach } from './rules.ts';

/** How often programs are asked to read it again; they take it as a hint. */
const refreshMinutes = 60;
/** More sessions than anybody has in that time; what lies furthest ahead is left out first. */
const mostSessions = 5_000;

/** When the person's address was made and last read; null: there is none. */
export async function ownFeed(ctx: Ctx, self: Self): Promise<Feed | null> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .select(['made_at', 'read_at'])
    .where('person_id', '=', self)
    .executeTakeFirst();
  return row ? { madeAt: isoOf(row.made_at), readAt: row.read_at && isoOf(row.read_at) } : null;
}

/** What is stored of a token, which can be told by it and not made from it: it is as long as the hash by itself. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Whose calendar a token opens, which whoever has it may read. `not_found` for any other, and for a person who is signed
 * in as somebody else.
 */
export async function feedOwner(ctx: Ctx, token: string): Promise<{ personId: string; readAt: Date | null }> {
  const row = await ctx.db
    .selectFrom('calendar_feeds')
    .select(['person_id as personId', 'read_at as readAt'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!row || (ctx.actor.kind === 'person' && ctx.actor.id !== row.personId)) {
    throw new AppError('not_found', 'calendar_feed');
  }
  return row;
}

/**
 * The calendar of a person, whose id `feedOwner` gave: their sessions as client and as provider, of the past 90 days and to
 * come, under a title that tells nothing. What was called off isn't in it, nor what a provider blocked.
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
  if (!file.ok) throw new Error(`a calendar can’t be written: ${file.problem}`);
  return file.content;
}

async function feedSessions(ctx: Ctx, personId: string) {
  const day = 24 * 3_600_000;
  const now = ctx.now().epochMilliseconds;
  // Each side by itself follows its index; together they would read everybody's.
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
      .limit(mostSessions);
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

/** The clock of a calendar in which there is nothing yet. */
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
