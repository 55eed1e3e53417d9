import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { formatDate } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { plainDateText, timeChoices } from '#/web/times.ts';

/** Weeks shown after the current one. */
const weeks = 12;

export function WeekTurner({
  span,
  week,
  onTurn,
}: {
  span: { from: string; to: string };
  week: number;
  onTurn: (week: number) => void;
}) {
  return (
    <div className="mt-4 flex items-center justify-between gap-2">
      <Button
        variant="quiet"
        size="icon"
        aria-label={m.schedule_previous_week()}
        disabled={week === 0}
        onClick={() => onTurn(week - 1)}
      >
        <ChevronLeft />
      </Button>
      <p className="text-center font-semibold tabular-nums">
        {span.from} – {span.to}
      </p>
      <Button
        variant="quiet"
        size="icon"
        aria-label={m.schedule_next_week()}
        disabled={week === weeks}
        onClick={() => onTurn(week + 1)}
      >
        <ChevronRight />
      </Button>
    </div>
  );
}

export function DayStrip({
  dates,
  times,
  shown,
  onChoose,
}: {
  dates: readonly string[];
  times: ReadonlyMap<string, readonly string[]>;
  shown: string;
  onChoose: (date: string) => void;
}) {
  return (
    <div
      role="group"
      aria-label={m.booking_preview_days()}
      className="mt-2 grid grid-cols-7 gap-1 max-xs:grid-cols-4"
    >
      {dates.map((date) => {
        const count = times.get(date)?.length ?? 0;
        const [weekday = '', number = ''] = stripText(date).split(' ');
        return (
          <button
            key={date}
            type="button"
            aria-pressed={date === shown}
            onClick={() => onChoose(date)}
            className={classes(
              'flex min-h-16 flex-col items-center justify-center rounded-control border border-transparent px-0.5 py-1 text-sm tabular-nums hover:bg-sunken',
              'aria-pressed:border-primary aria-pressed:bg-primary-soft',
            )}
          >
            <VisuallyHidden>{dayLabel(date, count)}</VisuallyHidden>
            <span aria-hidden className="grid justify-items-center">
              <span className="text-quiet">{weekday}</span>
              <span className="text-base font-semibold">{number}</span>
              <span className={count > 0 ? 'font-semibold text-sage' : 'text-quiet'}>{count || '–'}</span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

export function TimesOfDay({
  date,
  starts,
  zone,
}: {
  date: string;
  starts: readonly string[];
  zone: string;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-3">
      <h3 id={id} className="font-sans text-base font-semibold">
        {starts.length > 0
          ? m.booking_preview_times({ date: plainDateText(date) })
          : m.booking_preview_none_day({ date: plainDateText(date) })}
      </h3>
      <ul className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-1.5">
        {timeChoices(starts, zone).map(({ instant, label }) => (
          <li
            key={instant}
            className="rounded-control border border-line bg-sage-soft px-1 py-1.5 text-center font-medium text-sage tabular-nums"
          >
            <time dateTime={instant}>{label}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function dayLabel(date: string, count: number): string {
  const words = { date: plainDateText(date) };
  if (count === 0) return m.booking_preview_day_none(words);
  return m.booking_preview_day({ ...words, count });
}

function stripText(date: string): string {
  return `${formatDate(date, { weekday: 'short' })} ${Number(date.slice(8))}`;
}
