import { ChevronLeft, ChevronRight, Printer } from 'lucide-react';
import { Link } from 'react-router';
import { dateAfter, monthsAfter, weekOf } from '#/features/appointments/agenda/rules.ts';
import { monthTitle, weekTitle } from '#/features/appointments/ui/calendar-texts.ts';
import { fullPlainDateText, zoneText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { calendarViews, queryOf, type CalendarPosition, type CalendarView } from './calendar-position.ts';

const names: Readonly<
  Record<CalendarView, { name: () => string; previous: () => string; next: () => string }>
> = {
  day: { name: m.schedule_view_day, previous: m.web_previous_day, next: m.web_next_day },
  week: { name: m.schedule_view_week, previous: m.schedule_previous_week, next: m.schedule_next_week },
  month: { name: m.schedule_view_month, previous: m.web_previous_month, next: m.web_next_month },
};

export function CalendarHead({
  view,
  date,
  today,
  timeZone,
  onGo,
}: {
  view: CalendarView;
  date: string;
  today: string | null;
  timeZone: string | undefined;
  onGo: (place: CalendarPosition) => void;
}) {
  const step = (way: 1 | -1) =>
    onGo({
      view,
      date: view === 'month' ? monthsAfter(date, way) : dateAfter(date, way * (view === 'week' ? 7 : 1)),
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-3 lg:gap-x-6">
      <div aria-live="polite" className="min-w-0 max-lg:basis-full lg:flex-1">
        <h2 id="calendar" tabIndex={-1} className="rounded-control text-xl">
          {titleOf(view, date)}
        </h2>
        {timeZone && (
          <p className="text-sm text-quiet print:hidden">
            {m.schedule_printed_zone({ zone: zoneText(timeZone) })}
          </p>
        )}
      </div>
      <div role="group" aria-label={m.schedule_move()} className="flex items-center gap-1.5 print:hidden">
        <Button variant="secondary" size="icon" aria-label={names[view].previous()} onClick={() => step(-1)}>
          <ChevronLeft />
        </Button>
        <Button variant="secondary" size="sm" onClick={() => onGo({ view, date: today })}>
          {m.schedule_today()}
        </Button>
        <Button variant="secondary" size="icon" aria-label={names[view].next()} onClick={() => step(1)}>
          <ChevronRight />
        </Button>
        {view === 'day' && (
          <Button
            variant="secondary"
            size="icon"
            aria-label={m.schedule_print()}
            className="max-lg:hidden"
            onClick={() => window.print()}
          >
            <Printer />
          </Button>
        )}
      </div>
      <nav aria-label={m.schedule_views()} className="print:hidden">
        <ul className="flex rounded-control border border-control bg-card p-0.5">
          {calendarViews.map((one) => (
            <li key={one}>
              <Link
                to={queryOf({ view: one, date })}
                preventScrollReset
                aria-current={one === view ? 'page' : undefined}
                className="flex min-h-11 min-w-11 items-center justify-center rounded-control px-2.5 text-sm sm:px-3.5 font-semibold text-quiet hover:bg-sunken hover:text-ink aria-[current=page]:bg-primary aria-[current=page]:text-on-primary"
              >
                {names[one].name()}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function titleOf(view: CalendarView, date: string): string {
  if (view === 'month') return monthTitle(date);
  return view === 'week' ? weekTitle(weekOf(date)) : fullPlainDateText(date);
}
