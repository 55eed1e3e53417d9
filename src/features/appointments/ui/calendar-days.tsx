import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import type { AgendaDay, AgendaView } from '../agenda/contract.ts';
import { keyTarget } from '../agenda/rules.ts';
import { plainDateText, timeText } from '#/web/times.ts';
import { dayLabel, marksOf, sessionCount, sessionsText, weekdayTexts } from './calendar-texts.ts';

/**
 * Day grid following WAI-ARIA: one tab stop; arrows, Page Up/Down, Home, End and T move; Enter opens. A single week
 * renders as a strip, a month as cells with each day's first sessions.
 */
export function DayGrid({
  weeks,
  month,
  chosen,
  today,
  view,
  label,
  onMove,
  onOpen,
}: {
  weeks: readonly (readonly string[])[];
  /** Month shown (`2026-03`); dims others. Absent in strips. */
  month?: string;
  chosen: string;
  /** Null until known. */
  today: string | null;
  view: AgendaView | undefined;
  label: string;
  onMove: (date: string) => void;
  onOpen: (date: string) => void;
}) {
  const table = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  useLayoutEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    table.current?.querySelector<HTMLElement>(`[data-date="${chosen}"]`)?.focus();
  }, [chosen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = keyTarget(event.key, chosen, month ? 'month' : 'week', today ?? chosen);
    if (target === null) return;
    event.preventDefault();
    if (target === chosen) return;
    byKey.current = true;
    onMove(target);
  };
  const days = new Map(view?.days.map((day) => [day.date, day]));
  return (
    <table
      ref={table}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the grid of days of WAI-ARIA is a table
      role="grid"
      aria-label={label}
      aria-describedby="schedule-keys"
      onKeyDown={onKeyDown}
      className="w-full table-fixed border-separate border-spacing-0"
    >
      <thead>
        <tr>
          {weeks[0]!.map((date) => {
            const { short, full } = weekdayTexts(date);
            return (
              <th key={date} scope="col" abbr={full} className="pb-1.5 text-sm font-medium text-quiet">
                {short}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <DayCell
                key={date}
                date={date}
                day={days.get(date)}
                view={view}
                chosen={date === chosen}
                today={date === today}
                month={month}
                onOpen={onOpen}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({
  date,
  day,
  view,
  chosen,
  today,
  month,
  onOpen,
}: {
  date: string;
  day: AgendaDay | undefined;
  view: AgendaView | undefined;
  chosen: boolean;
  today: boolean;
  month: string | undefined;
  onOpen: (date: string) => void;
}) {
  const outside = month !== undefined && !date.startsWith(month);
  const label = day && view ? dayLabel(day, view) : plainDateText(date);
  return (
    <td
      aria-selected={chosen}
      className={classes('relative p-0.5 align-top has-focus-visible:z-10', month && 'lg:h-30')}
    >
      <button
        type="button"
        data-date={date}
        tabIndex={chosen ? 0 : -1}
        aria-label={label}
        aria-current={today ? 'date' : undefined}
        onClick={() => onOpen(date)}
        className={classes(
          'absolute inset-0.5 rounded-control border transition-colors duration-150',
          'focus-visible:outline-offset-0',
          chosen
            ? 'border-primary bg-primary-soft inset-ring inset-ring-primary'
            : outside
              ? 'border-transparent hover:bg-sunken'
              : 'border-line bg-card hover:border-control hover:bg-sunken',
        )}
      />
      <div className="pointer-events-none relative flex min-h-15 flex-col items-center px-0.5 py-1.5 lg:items-stretch lg:px-2">
        <span
          aria-hidden
          className={classes(
            'grid size-7 place-items-center rounded-full text-base font-semibold tabular-nums lg:self-start',
            today && 'bg-primary text-on-primary',
            outside && !today && 'font-normal text-quiet',
          )}
        >
          {Number(date.slice(8))}
        </span>
        {day && view && <DayContent day={day} view={view} month={month !== undefined} />}
      </div>
    </td>
  );
}

function DayContent({ day, view, month }: { day: AgendaDay; view: AgendaView; month: boolean }) {
  const count = sessionCount(day);
  const marks = marksOf(day, view);
  const more = count - day.entries.length;
  return (
    <>
      <span aria-hidden className="mt-0.5 flex min-h-5 items-center gap-1 text-sm tabular-nums lg:hidden">
        {count > 0 && <span className="font-semibold text-primary">{count}</span>}
        {day.counts.pending > 0 && <span className="size-2 rounded-full bg-gold-edge" />}
        {count === 0 && marks.length > 0 && <span className="h-1 w-4 rounded-full bg-control" />}
      </span>
      {!month && (
        <ul aria-hidden className="mt-0.5 min-h-10 text-sm leading-5 max-lg:hidden">
          {count > 0 && (
            <li className="font-medium text-primary">
              {sessionsText(count)}
              {day.counts.pending > 0 && (
                <span className="ml-1.5 inline-block size-2 rounded-full bg-gold-edge" />
              )}
            </li>
          )}
          {marks.slice(0, 1).map((mark) => (
            <li key={mark} className="truncate text-quiet">
              {mark}
            </li>
          ))}
        </ul>
      )}
      {month && (
        <ul className="mt-1 grid gap-0.5 text-sm leading-5 max-lg:hidden">
          {marks.map((mark) => (
            <li key={mark} className="truncate rounded bg-sunken px-1 text-quiet">
              {mark}
            </li>
          ))}
          {day.entries.slice(0, marks.length > 0 ? 2 : 3).map((entry) => (
            <li key={entry.id} className="flex gap-1 truncate">
              {entry.status === 'pending' && (
                <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-gold-edge" />
              )}
              <span className="truncate">
                <span className="text-quiet tabular-nums">{timeText(entry.startsAt, view.timeZone)}</span>{' '}
                {entry.clientName}
              </span>
            </li>
          ))}
          {more + (marks.length > 0 ? Math.max(0, day.entries.length - 2) : 0) > 0 && (
            <li className="text-quiet">
              {m.site_and_more({
                count: more + (marks.length > 0 ? Math.max(0, day.entries.length - 2) : 0),
              })}
            </li>
          )}
        </ul>
      )}
    </>
  );
}
