import { sql } from 'kysely';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import { devotionalsOf } from '#/features/growth/devotionals/queries.ts';
import { publishedSince } from '#/features/resources/library/queries.ts';
import { peopleWithFlag } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Delivery } from '../channels/delivery.ts';
import { sendEmails } from '../channels/email.ts';
import { mailSettings } from '../queries.ts';
import { unsubscribeLinks } from '../unsubscribe/commands.ts';
import { communityLetter, devotionalLetter, morningOf, nextMonday, nextMorning } from './rules.ts';

export interface MorningParts {
  /** Public base URL without a trailing slash. */
  appUrl: string;
  /** Signs unsubscribe links. */
  secret: string;
}

const batch = 500;
/** Upper bound for a weekly email. */
const maxWorks = 200;
/** Days to keep a sent daily email's key; deduplication only needs it that morning. */
const keptDays = 3;

/**
 * Runs every minute: plans times for changed preferences, then writes due morning emails. Workers run concurrently;
 * each email and its recipient's next time commit together.
 */
export async function mailMornings(ctx: Ctx, parts: MorningParts): Promise<{ written: number }> {
  await untilDone(() => planBatch(ctx));
  const devotionals = await untilDone(() => devotionalBatch(ctx, parts));
  const community = await untilDone(() => communityBatch(ctx, parts));
  return { written: devotionals + community };
}

interface Batch {
  taken: number;
  written: number;
}

async function untilDone(work: () => Promise<Batch>): Promise<number> {
  let all = 0;
  for (;;) {
    const { taken, written } = await work();
    all += written;
    if (taken < batch) return all;
  }
}

/** Plans stale rows; only this clears `stale`. */
async function planBatch(ctx: Ctx): Promise<Batch> {
  return transact(ctx, async (tx) => {
    const rows = await tx.db
      .selectFrom('mornings')
      .select(['person_id', 'devotional_at', 'community_at', 'community_from'])
      .where('stale', '=', true)
      .orderBy('person_id')
      .limit(batch)
      .forUpdate()
      .skipLocked()
      .execute();
    // Read after locking: later preference changes wait, then mark the row stale again.
    const choices = await choicesOf(
      tx,
      rows.map(({ person_id }) => person_id),
    );
    const now = tx.now();
    const zoneOf = await zones(tx);
    // Keep due times: the changed preference may be the other one.
    const planned = (at: Date | null, next: Temporal.Instant) =>
      at && at.getTime() <= now.epochMilliseconds ? at : dateOf(next);
    const times = rows.map((row) => {
      const { time_zone, daily_devotionals, community_updates } = choices.get(row.person_id)!;
      const zone = zoneOf(time_zone);
      return {
        id: row.person_id,
        devotional: daily_devotionals ? planned(row.devotional_at, nextMorning(now, zone)) : null,
        community: community_updates ? planned(row.community_at, nextMonday(now, zone)) : null,
        from: community_updates ? (row.community_from ?? dateOf(now)) : null,
      };
    });
    if (times.length > 0) {
      await sql`
        update mornings set stale = false, devotional_at = new.devotional, community_at = new.community, community_from = new.since
          from unnest(
            ${times.map(({ id }) => id)}::uuid[], ${times.map(({ devotional }) => devotional)}::timestamptz[],
            ${times.map(({ community }) => community)}::timestamptz[], ${times.map(({ from }) => from)}::timestamptz[]
          ) as new (id, devotional, community, since)
         where person_id = new.id`.execute(tx.db);
    }
    return { taken: rows.length, written: 0 };
  });
}

async function choicesOf(tx: TxCtx, people: readonly string[]) {
  if (people.length === 0) return new Map<string, never>();
  const found = await tx.db
    .selectFrom('profiles')
    .select(['id', 'time_zone', 'daily_devotionals', 'community_updates'])
    .where('id', 'in', people)
    .execute();
  return new Map(found.map((one) => [one.id, one]));
}

async function devotionalBatch(ctx: Ctx, parts: MorningParts): Promise<Batch> {
  return transact(ctx, async (tx) => {
    const now = tx.now();
    const rows = await dueRows(tx, 'devotional_at');
    if (rows.length === 0) return { taken: 0, written: 0 };
    const zoneOf = await zones(tx);
    const { site, isOn } = await mailSettings(tx, parts.appUrl);
    const mornings = memoised((zone) => ({ date: morningOf(now, zone), next: nextMorning(now, zone) }));
    const dates = rows.map((row) => ({ row, ...mornings(zoneOf(row.time_zone)) }));
    const words = await devotionalsOf(tx, [
      ...new Set(dates.flatMap(({ date }) => (date ? [dayOf(date)] : []))),
    ]);
    const growthUsers = await peopleWithFlag(
      tx,
      'wellness_tracking',
      rows.map(({ person_id: id, role }) => ({ id, role })),
    );
    const deliveries = dates.flatMap(({ row, date }): Delivery[] => {
      const today = date && words.get(dayOf(date));
      if (!today || !row.daily_devotionals || !growthUsers.has(row.person_id) || !isReachable(row) || !isOn)
        return [];
      const links = unsubscribeLinks(parts, 'devotional', row.person_id);
      const reader = { name: row.full_name, unsubscribeUrl: links.page };
      const letter = devotionalLetter(today, reader, site);
      const key = `devotional:${date.toString()}:${row.person_id}`;
      const to = { id: row.person_id, email: row.email };
      return [{ key, kind: 'devotional', to, letter, unsubscribeUrl: links.oneClick }];
    });
    await sendEmails(tx, deliveries, site);
    const nexts = dates.map(({ row, next }) => (row.daily_devotionals ? dateOf(next) : null));
    await sql`
      update mornings set devotional_at = new.next
        from unnest(${rows.map(({ person_id }) => person_id)}::uuid[], ${nexts}::timestamptz[]) as new (id, next)
       where person_id = new.id`.execute(tx.db);
    return { taken: rows.length, written: deliveries.length };
  });
}

async function communityBatch(ctx: Ctx, parts: MorningParts): Promise<Batch> {
  return transact(ctx, async (tx) => {
    const now = tx.now();
    const rows = await dueRows(tx, 'community_at');
    if (rows.length === 0) return { taken: 0, written: 0 };
    const zoneOf = await zones(tx);
    const { site, isOn } = await mailSettings(tx, parts.appUrl);
    const mondays = memoised((zone) => ({ date: morningOf(now, zone), next: nextMonday(now, zone) }));
    const since = (row: (typeof rows)[number]) => row.community_from ?? dateOf(now);
    const works = await publishedSince(
      tx,
      new Date(Math.min(...rows.map((row) => since(row).getTime()))),
      maxWorks,
    );
    const dates = rows.map((row) => ({ row, ...mondays(zoneOf(row.time_zone)) }));
    const deliveries = dates.flatMap(({ row, date }): Delivery[] => {
      if (!date || !row.community_updates || !isReachable(row) || !isOn) return [];
      const news = works.filter(({ publishedAt }) => publishedAt > since(row));
      if (news.length === 0) return [];
      const links = unsubscribeLinks(parts, 'community', row.person_id);
      const reader = { name: row.full_name, unsubscribeUrl: links.page };
      const letter = communityLetter(news, reader, site);
      const key = `community:${date.toString()}:${row.person_id}`;
      const to = { id: row.person_id, email: row.email };
      return [{ key, kind: 'community', to, letter, unsubscribeUrl: links.oneClick }];
    });
    await sendEmails(tx, deliveries, site);
    const nexts = dates.map(({ row, next }) => (row.community_updates ? dateOf(next) : null));
    // A missed Monday's news carries over.
    const froms = dates.map(({ row, date }) => (date ? dateOf(now) : row.community_from));
    await sql`
      update mornings set community_at = new.next, community_from = new.since
        from unnest(
          ${rows.map(({ person_id }) => person_id)}::uuid[], ${nexts}::timestamptz[], ${froms}::timestamptz[]
        ) as new (id, next, since)
       where person_id = new.id`.execute(tx.db);
    return { taken: rows.length, written: deliveries.length };
  });
}

function dueRows(tx: TxCtx, column: 'devotional_at' | 'community_at') {
  return tx.db
    .selectFrom('mornings')
    .innerJoin('users', 'users.id', 'person_id')
    .innerJoin('profiles', 'profiles.id', 'person_id')
    .select([
      'person_id',
      'community_from',
      'email',
      'email_verified',
      'full_name',
      'time_zone',
      'daily_devotionals',
      'community_updates',
      'delete_after',
      'suspended_at',
      'role',
    ])
    .where(column, '<=', dateOf(tx.now()))
    .orderBy(column)
    .limit(batch)
    .forUpdate('mornings')
    .skipLocked()
    .execute();
}

/** Verified address, neither suspended nor about to be deleted. */
function isReachable(row: {
  email_verified: boolean;
  delete_after: Date | null;
  suspended_at: Date | null;
}): boolean {
  return row.email_verified && row.delete_after === null && row.suspended_at === null;
}

/** Uses the person's time zone, or the site's if unset or unknown to the runtime. */
async function zones(tx: TxCtx): Promise<(own: string | null) => string> {
  const { timezone } = await siteSettings(tx);
  return (own) => (own !== null && isKnownZone(own) ? own : timezone);
}

/** Hourly: deletes old keys of daily emails. */
export async function deleteOldDailyMails(ctx: Ctx): Promise<void> {
  await ctx.db
    .deleteFrom('mails')
    .where('key', 'like', 'devotional:%')
    .where('created_at', '<', dateOf(ctx.now().subtract({ hours: 24 * keptDays })))
    .where('sent_at', 'is not', null)
    .execute();
}

/** Caches by time zone, since most people in a batch share one. */
function memoised<Value>(make: (zone: string) => Value): (zone: string) => Value {
  const known = new Map<string, Value>();
  return (zone) => {
    const value = known.get(zone) ?? make(zone);
    known.set(zone, value);
    return value;
  };
}

function dayOf(date: Temporal.PlainDate): string {
  return date.toString().slice(-5);
}

function dateOf(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds);
}
