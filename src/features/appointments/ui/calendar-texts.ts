import { formatDate } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import type { AgendaBlock, AgendaDay, AgendaEntry, AgendaView } from '../agenda/contract.ts';
import { monthAndYear, plainDateText, timeText } from '#/web/times.ts';

/** Excludes canceled sessions. */
export function sessionCount({ counts }: AgendaDay): number {
  return counts.pending + counts.confirmed + counts.completed + counts.no_show;
}

export function sessionsText(count: number): string {
  if (count === 0) return m.schedule_sessions_none();
  return m.schedule_sessions({ count });
}

/** For example `Monday, March 2: 5 sessions, 1 waiting`. */
export function dayLabel(day: AgendaDay, view: AgendaView): string {
  const { pending } = day.counts;
  const summary = [
    sessionsText(sessionCount(day)),
    ...(pending > 0 ? [m.web_count_waiting({ count: pending })] : []),
    ...marksOf(day, view),
  ].join(', ');
  const words = { date: plainDateText(day.date), summary };
  return day.date === view.today ? m.schedule_day_label_today(words) : m.schedule_day_label(words);
}

export function marksOf(day: AgendaDay, view: AgendaView): string[] {
  const blocked = blocksIn(day, view.blocks).length;
  return [
    ...(day.off ? [offText(day.off)] : []),
    ...day.rest.map((rest) => restText(rest, day, view)),
    ...(blocked > 0 ? [m.schedule_blocked_count({ count: blocked })] : []),
  ];
}

function blocksIn(day: AgendaDay, blocks: readonly AgendaBlock[]): AgendaBlock[] {
  const [start, end] = [Date.parse(day.startsAt), Date.parse(day.endsAt)];
  return blocks.filter((block) => Date.parse(block.startsAt) < end && start < Date.parse(block.endsAt));
}

export function offText({ holiday, note }: NonNullable<AgendaDay['off']>): string {
  return holiday ?? (note || m.availability_day_off());
}

function restText(
  rest: AgendaDay['rest'][number],
  day: AgendaDay,
  { rest: kind, timeZone }: AgendaView,
): string {
  const name = kind === 'sunday' ? m.schedule_rest_sunday() : m.schedule_rest_sabbath();
  if (rest.startsAt !== day.startsAt)
    return m.schedule_rest_from({ rest: name, time: timeText(rest.startsAt, timeZone) });
  if (rest.endsAt !== day.endsAt)
    return m.schedule_rest_until({ rest: name, time: timeText(rest.endsAt, timeZone) });
  return name;
}

export function restName({ rest }: Pick<AgendaView, 'rest'>): string {
  return rest === 'sunday' ? m.schedule_rest_sunday() : m.schedule_rest_sabbath();
}

const statuses: Readonly<Record<AgendaEntry['status'], () => string>> = {
  pending: m.schedule_waiting,
  confirmed: m.booking_status_confirmed,
  completed: m.booking_status_completed,
  no_show: m.booking_status_missed,
};

export function entryStatusText({ status }: AgendaEntry): string {
  return statuses[status]();
}

/** For example `9:00 AM – 10:00 AM`. */
export function spanText(start: string | number, end: string | number, timeZone: string): string {
  const at = (instant: string | number) => timeText(new Date(instant).toISOString(), timeZone);
  return m.schedule_span({ from: at(start), to: at(end) });
}

export function openText(day: AgendaDay, timeZone: string): string {
  if (day.open.length === 0) return m.schedule_closed();
  return m.schedule_open({
    spans: day.open.map(({ startsAt, endsAt }) => spanText(startsAt, endsAt, timeZone)).join(', '),
  });
}

export function monthTitle(date: string): string {
  return monthAndYear(date.slice(0, 7));
}

/** Such as `March 1 – 7, 2026`. Runtimes format ranges differently. */
export function weekTitle(week: readonly string[]): string {
  const [first, last] = [week[0]!, week.at(-1)!];
  const day = { month: 'long', day: 'numeric' } as const;
  const full = { ...day, year: 'numeric' } as const;
  if (first.slice(0, 4) !== last.slice(0, 4))
    return m.schedule_span({ from: formatDate(first, full), to: formatDate(last, full) });
  if (first.slice(0, 7) !== last.slice(0, 7))
    return m.schedule_span({ from: formatDate(first, day), to: formatDate(last, full) });
  return m.schedule_span({
    from: formatDate(first, day),
    to: `${formatDate(last, { day: 'numeric' })}, ${last.slice(0, 4)}`,
  });
}

export function weekdayTexts(date: string): { short: string; full: string } {
  return { short: formatDate(date, { weekday: 'short' }), full: formatDate(date, { weekday: 'long' }) };
}
