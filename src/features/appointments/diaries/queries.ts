import { sql } from 'kysely';
import type { Interval } from '#/kernel/interval.ts';
import type { Ctx } from '#/platform/context.ts';
import { schedulesOf } from '#/features/availability/queries.ts';
import { localDay } from '../diary/queries.ts';
import { holdsTime } from '../life-cycle/rules.ts';
import type { BusyTime, Diary } from '../rules.ts';
import type { AppointmentStatus } from '../view/contract.ts';

/** Loads several providers' diaries around a range, skipping unlisted ones. */
export async function diariesOf(
  ctx: Ctx,
  providerIds: readonly string[],
  span: Interval,
): Promise<Map<string, Diary>> {
  if (providerIds.length === 0) return new Map();
  const [schedules, entries] = await Promise.all([
    schedulesOf(ctx, providerIds),
    entriesOfAll(ctx, providerIds, span),
  ]);
  const none = { busy: [], appointments: [] };
  return new Map([...schedules].map(([id, schedule]) => [id, { schedule, ...(entries.get(id) ?? none) }]));
}

async function entriesOfAll(
  ctx: Ctx,
  providerIds: readonly string[],
  span: Interval,
): Promise<Map<string, Pick<Diary, 'busy' | 'appointments'>>> {
  const from = new Date(span.start - localDay);
  const to = new Date(span.end + localDay);
  // Thousands of rows: numbers parse faster than dates.
  interface Row extends BusyTime {
    id: string;
    status: AppointmentStatus | null;
  }
  const { rows } = await sql<Row>`
    select provider_id as id, status, (extract(epoch from starts_at) * 1000)::float8 as start,
      (extract(epoch from blocked_until) * 1000)::float8 as end,
      (extract(epoch from ends_at) * 1000)::float8 as "sessionEnd"
    from appointments
    where provider_id = any(${providerIds}::uuid[]) and status <> 'cancelled'
      and starts_at > ${from} and starts_at < ${to}
    union all
    select provider_id, null, (extract(epoch from starts_at) * 1000)::float8,
      (extract(epoch from ends_at) * 1000)::float8, null
    from time_blocks
    where provider_id = any(${providerIds}::uuid[]) and ends_at > ${from} and starts_at < ${to}`.execute(
    ctx.db,
  );
  const entries = new Map<string, { busy: BusyTime[]; appointments: number[] }>();
  for (const { id, status, start, end, sessionEnd } of rows) {
    let own = entries.get(id);
    if (!own) entries.set(id, (own = { busy: [], appointments: [] }));
    if (status === null || holdsTime(status)) own.busy.push({ start, end, sessionEnd });
    if (status !== null) own.appointments.push(start);
  }
  return entries;
}
