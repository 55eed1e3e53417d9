import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { auditCategories, type AuditCategory } from '../actions/rules.ts';
import type { LogFigures } from '../contract.ts';

/** Counts entries from daily UTC totals, partial days and unsealed entries. */
export async function logFigures(
  { db }: Ctx,
  span: { from?: string | undefined; to?: string | undefined },
): Promise<LogFigures> {
  const [from, to] = [span.from ?? '-infinity', span.to ?? 'infinity'];
  const whole = {
    from: span.from ? dayAfter(span.from) : '-infinity',
    to: span.to ? dayOf(span.to) : 'infinity',
  };
  // Within one day there's no whole one.
  const ends =
    span.from && span.to && whole.from >= whole.to
      ? sql`at >= ${from}::timestamptz and at < ${to}::timestamptz`
      : sql`(at >= ${from}::timestamptz and at < ${whole.from}::timestamptz)
         or (at >= ${whole.to}::timestamptz and at < ${to}::timestamptz)`;
  const { rows } = await sql<{ category: AuditCategory; success: boolean; entries: number }>`
    select category, success, sum(entries)::bigint as entries from (
      select category, success, entries from audit_days
       where day >= ${whole.from}::date and day < ${whole.to}::date
      union all
      select category, success, count(*) from audit_entries where ${ends} group by category, success
      union all
      select e.category, e.success, count(*)
        from audit_unsealed u join audit_entries e on e.id = u.entry_id
       where u.at >= ${whole.from}::timestamptz and u.at < ${whole.to}::timestamptz
       group by e.category, e.success
    ) as parts group by category, success`.execute(db);
  // Actors seen before and after need a lookup inside the period.
  const surely = sql`last_at >= ${from}::timestamptz and first_at < ${to}::timestamptz
    and (last_at < ${to}::timestamptz or first_at >= ${from}::timestamptz)`;
  const between = sql`last_at >= ${to}::timestamptz and first_at < ${from}::timestamptz and exists (
    select from audit_entries e
     where e.actor_id = a.actor_id and e.category = any(${auditCategories}::text[])
       and e.at >= ${from}::timestamptz and e.at < ${to}::timestamptz)`;
  const people = await sql<{ count: number }>`
    select (select count(*) from audit_actors where ${surely})
      + (select count(*) from audit_actors a where ${between})
      + (select count(distinct e.actor_id) from audit_unsealed u join audit_entries e on e.id = u.entry_id
          where u.at >= ${from}::timestamptz and u.at < ${to}::timestamptz and e.actor_kind = 'person'
            and not exists (select from audit_actors a
              where a.actor_id = e.actor_id and (${surely} or ${between}))) as count`.execute(db);
  const sum = (of: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(of).reduce((total, { entries }) => total + entries, 0);
  return {
    total: sum(() => true),
    successful: sum(({ success }) => success),
    failed: sum(({ success }) => !success),
    activeUsers: people.rows[0]!.count,
    categories: Object.fromEntries(
      auditCategories.map((one) => [one, sum(({ category }) => category === one)]),
    ) as Record<AuditCategory, number>,
  };
}

function dayOf(at: string): string {
  return Temporal.Instant.from(at).toZonedDateTimeISO('UTC').toPlainDate().toString();
}

/** Returns the first UTC day starting at or after an instant. */
function dayAfter(at: string): string {
  const day = dayOf(at);
  const begins = Temporal.PlainDate.from(day).toZonedDateTime('UTC').toInstant();
  return begins.equals(Temporal.Instant.from(at))
    ? day
    : Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}
