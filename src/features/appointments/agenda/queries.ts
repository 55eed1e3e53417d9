import { sql } from 'kysely';
import type { Self } from '#/features/access/rules.ts';
import { blockBounds, blockRows, blockViewOf } from '#/features/availability/blocks/queries.ts';
import { scheduleOf, todayIn } from '#/features/availability/queries.ts';
import { restTimes } from '#/features/availability/rest/rules.ts';
import { hoursWithin, type WallWindow } from '#/features/availability/rules.ts';
import type { Interval } from '#/kernel/interval.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { AgendaDay, AgendaEntry, AgendaSpan, AgendaView } from './contract.ts';
import { monthWeeks, weekOf } from './rules.ts';

/** Sessions returned per day: everything in a week view, a cell's worth in a month. */
const entriesOfDay: Readonly<Record<AgendaSpan, number>> = { week: 100, month: 3 };

interface LocalDate extends Interval {
  date: string;
}

/**
 * Returns a provider's own week or month. Each day uses its own index scan, so cost depends on sessions in the span
 * rather than total rows.
 */
export async function agendaOf(
  ctx: Ctx,
  self: Self,
  input: { span: AgendaSpan; date?: string | undefined },
): Promise<AgendaView> {
  const stored = await scheduleOf(ctx, self);
  const { timeZone } = stored;
  const today = todayIn(ctx, timeZone);
  const chosen = input.date ?? today;
  const dates = input.span === 'week' ? weekOf(chosen) : monthWeeks(chosen).flat();
  const days = dates.map((date) => localDate(date, timeZone));
  const within = { start: days[0]!.start, end: days.at(-1)!.end };
  const [exceptions, booked, blocks] = await Promise.all([
    exceptionsOf(ctx, self, dates),
    bookedOn(ctx, self, days, entriesOfDay[input.span]),
    blockRows(ctx, blockBounds(within))
      .where('provider_id', '=', self)
      .select(['id', 'starts_at', 'ends_at', 'note'])
      .orderBy('starts_at')
      .orderBy('id')
      .execute(),
  ]);
  const schedule = { ...stored, exceptions };
  const open = hoursWithin(schedule, within);
  const rest = restTimes(schedule.rest, timeZone, within);
  return {
    timeZone,
    today,
    rest: schedule.rest.kind,
    days: days.map((day) => {
      const exception = exceptions.find(({ date }) => date === day.date);
      return {
        date: day.date,
        startsAt: isoOf(day.start),
        endsAt: isoOf(day.end),
        open: partsIn(day, open),
        rest: partsIn(day, rest),
        off: exception?.windows.length === 0 ? { note: exception.note, holiday: exception.holiday } : null,
        ...booked.get(day.date)!,
      };
    }),
    blocks: blocks.map(blockViewOf),
  };
}

function localDate(date: string, timeZone: string): LocalDate {
  const plain = Temporal.PlainDate.from(date);
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { date, start: midnight(plain), end: midnight(plain.add({ days: 1 })) };
}

function partsIn(day: Interval, stretches: readonly Interval[]): AgendaDay['open'] {
  return stretches
    .map(({ start, end }) => ({ start: Math.max(start, day.start), end: Math.min(end, day.end) }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ startsAt: isoOf(start), endsAt: isoOf(end) }));
}

/** Includes past date exceptions, which schedules omit. */
async function exceptionsOf(
  ctx: Ctx,
  self: Self,
  dates: readonly string[],
): Promise<{ date: string; windows: WallWindow[]; note: string; holiday: string | null }[]> {
  const rows = await ctx.db
    .selectFrom('date_exceptions')
    .where('provider_id', '=', self)
    .where('date', '>=', dates[0]!)
    .where('date', '<=', dates.at(-1)!)
    .where('windows', 'is not', null)
    .select(['date', 'windows', 'note', 'holiday'])
    .execute();
  return rows.map((row) => ({ ...row, windows: row.windows ?? [] }));
}

type Booked = Pick<AgendaDay, 'counts' | 'entries'>;

interface DayRow {
  date: string;
  counts: AgendaDay['counts'];
  entries: (Omit<AgendaEntry, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string })[] | null;
}

async function bookedOn(
  ctx: Ctx,
  self: Self,
  days: readonly LocalDate[],
  limit: number,
): Promise<ReadonlyMap<string, Booked>> {
  const { rows } = await sql<DayRow>`
    select day.date, counts, entries
      from unnest(${sql.val(days.map(({ date }) => date))}::text[],
                  ${sql.val(days.map(({ start }) => new Date(start)))}::timestamptz[],
                  ${sql.val(days.map(({ end }) => new Date(end)))}::timestamptz[]) as day (date, starts_at, ends_at)
     cross join lateral (
       select json_build_object(
                'pending', count(*) filter (where status = 'pending'),
                'confirmed', count(*) filter (where status = 'confirmed'),
                'completed', count(*) filter (where status = 'completed'),
                'no_show', count(*) filter (where status = 'no_show'),
                'cancelled', count(*) filter (where status = 'cancelled')) as counts
         from appointments
        where provider_id = ${self}
          and appointments.starts_at >= day.starts_at and appointments.starts_at < day.ends_at) as counted
     cross join lateral (
       select json_agg(entry order by entry."startsAt", entry.id) as entries
         from (select appointments.id, appointments.starts_at as "startsAt", appointments.ends_at as "endsAt", status,
                      kind, session_type as "sessionType", contact_name as "clientName", services.title as service
                 from appointments
                 join services on services.id = service_id
                where provider_id = ${self} and status <> 'cancelled'
                  and appointments.starts_at >= day.starts_at and appointments.starts_at < day.ends_at
                order by appointments.starts_at, appointments.id
                limit ${limit}) as entry) as named`.execute(ctx.db);
  return new Map(
    rows.map(({ date, counts, entries }) => [
      date,
      {
        counts,
        entries: (entries ?? []).map((entry) => ({
          ...entry,
          startsAt: isoOf(new Date(entry.startsAt)),
          endsAt: isoOf(new Date(entry.endsAt)),
        })),
      },
    ]),
  );
}
