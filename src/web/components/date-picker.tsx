import { ChevronLeft, ChevronRight } from 'lucide-react';
import { DayPicker } from 'react-day-picker';
import { formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

const arrow =
  'absolute top-0 z-10 grid size-11 place-items-center rounded-control text-primary hover:bg-primary-soft aria-disabled:cursor-not-allowed aria-disabled:text-control aria-disabled:hover:bg-transparent';

const day =
  'grid size-full min-h-11 place-items-center rounded-control font-medium tabular-nums hover:bg-primary-soft disabled:hover:bg-transparent';

/**
 * Month calendar for picking a day, without the weeks before today. Takes and returns plain dates ('2026-03-08') and months ('2026-03'); time zones are
 * up to the caller. Import it lazily.
 */
export function DatePicker({
  value,
  onChange,
  month,
  onMonthChange,
  firstMonth,
  lastMonth,
  today,
  disabled,
  busy,
  label,
}: {
  value: string | null | undefined;
  onChange: (date: string) => void;
  month: string;
  onMonthChange: (month: string) => void;
  firstMonth: string;
  lastMonth: string;
  today: string;
  disabled: (date: string) => boolean;
  busy: boolean;
  label: string;
}) {
  return (
    <DayPicker
      mode="single"
      required
      aria-label={label}
      className="mx-auto w-full max-w-92"
      weekStartsOn={0}
      selected={value ? dayOf(value) : undefined}
      onSelect={(date) => onChange(textOf(date))}
      month={dayOf(`${month}-01`)}
      onMonthChange={(first) => onMonthChange(textOf(first).slice(0, 7))}
      startMonth={dayOf(`${firstMonth}-01`)}
      endMonth={dayOf(`${lastMonth}-01`)}
      today={dayOf(today)}
      hidden={{ before: firstOfWeek(dayOf(today)) }}
      disabled={(date) => busy || disabled(textOf(date))}
      navLayout="around"
      labels={{
        labelPrevious: () => m.web_previous_month(),
        labelNext: () => m.web_next_month(),
        labelDayButton: (date, modifiers) =>
          modifiers.today ? m.web_today({ date: dateLabel(date) }) : dateLabel(date),
      }}
      components={{ Chevron: Arrow }}
      classNames={{
        months: 'relative',
        month: 'relative',
        button_previous: classes(arrow, 'left-0'),
        button_next: classes(arrow, 'right-0'),
        month_caption: 'flex h-11 items-center justify-center',
        caption_label: 'font-serif text-lg font-semibold',
        month_grid: classes('mt-2 w-full table-fixed border-collapse', busy && 'opacity-60'),
        week: '[&:not(:has(button))]:hidden',
        weekday: 'h-9 text-sm font-medium text-quiet',
        day: 'p-0.5 text-center',
        day_button: day,
        today:
          '[&:not([data-selected])>button]:inset-ring [&:not([data-selected])>button]:inset-ring-control',
        selected: '[&>button]:bg-primary [&>button]:text-on-primary [&>button]:hover:bg-primary-strong',
        disabled:
          '[&>button]:font-normal [&>button]:text-quiet [&>button]:line-through [&>button]:opacity-60',
        outside: 'invisible',
        hidden: 'invisible',
      }}
    />
  );
}

function Arrow({ orientation }: { orientation?: string }) {
  const Chevron = orientation === 'left' ? ChevronLeft : ChevronRight;
  return <Chevron className="size-5" />;
}

/** Local midnight, as the calendar library expects. */
function dayOf(text: string): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
  return new Date(year, month - 1, date);
}

function firstOfWeek(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - date.getDay());
}

function textOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function dateLabel(date: Date): string {
  return formatInstant(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()), 'UTC', {
    dateStyle: 'full',
  });
}
