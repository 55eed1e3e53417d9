import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { CopyButton, DaySwitch, type DayActions } from './day-controls.tsx';
import { clockText, weekdayText } from './day-texts.ts';
import { DayWindows } from './day-windows.tsx';
import type { WeekPartProps } from './problem-texts.ts';
import { withDay, type TypedDay, type TypedWindow } from './week-draft.ts';

/** A row per day that opens to type exact times. */
export function WeekRows(props: WeekPartProps & DayActions) {
  const [open, setOpen] = useState<readonly number[]>([]);
  return (
    <ul className="mt-1 divide-y divide-line border-y border-line">
      {props.week.days.map((day) => (
        <DayRow
          key={day.weekday}
          {...props}
          day={day}
          open={open.includes(day.weekday) || day.windows.some(({ key }) => props.problems[key])}
          onToggle={() =>
            setOpen(
              open.includes(day.weekday) ? open.filter((one) => one !== day.weekday) : [...open, day.weekday],
            )
          }
        />
      ))}
    </ul>
  );
}

function DayRow({
  day,
  week,
  view,
  problems,
  open,
  onToggle,
  onChange,
  onAct,
  onNews,
  onSwitch,
  onCopy,
}: WeekPartProps & DayActions & { day: TypedDay; open: boolean; onToggle: () => void }) {
  const id = useId();
  const power = useRef<HTMLInputElement>(null);
  const name = weekdayText(day.weekday);
  const change = (windows: TypedWindow[]) => {
    const next = withDay(week, day.weekday, (last) => ({ ...last, windows, off: windows.length === 0 }));
    // Typing has its own undo.
    if (windows.length < day.windows.length) onAct(next);
    else onChange(next);
  };
  return (
    <li>
      <div className="flex items-center gap-3">
        {day.off ? (
          <p className="flex-1 py-1.5">
            <span className="block font-semibold">{name}</span>
            <span className="block text-sm text-quiet">{m.availability_day_off()}</span>
          </p>
        ) : (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={onToggle}
            className="flex min-w-0 flex-1 items-center gap-2 rounded-control py-1.5 text-left focus-visible:-outline-offset-3"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-semibold">{name}</span>
              <span className="block text-sm text-quiet tabular-nums">
                {day.windows.map(windowSummary).join(', ')}
              </span>
            </span>
            <ChevronDown
              aria-hidden
              className={classes('size-5 shrink-0 text-quiet', open && 'rotate-180')}
            />
          </button>
        )}
        <DaySwitch ref={power} day={day} onSwitch={onSwitch} />
      </div>
      <div id={id} role="group" aria-label={name} hidden={day.off || !open} className="pb-2">
        {open && !day.off && (
          <DayWindows
            windows={day.windows}
            day={name}
            places={view.places}
            problems={problems}
            onNews={onNews}
            onChange={change}
            onEmpty={() => {
              flushSync(() => onNews(m.availability_news_off({ day: name })));
              power.current?.focus();
            }}
            more={<CopyButton day={day} onCopy={onCopy} />}
          />
        )}
      </div>
    </li>
  );
}

function windowSummary({ from, to }: TypedWindow): string {
  return from && to ? m.schedule_span({ from: clockText(from), to: clockText(to) }) : '–';
}
