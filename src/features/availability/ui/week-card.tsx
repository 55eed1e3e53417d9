import { Copy } from 'lucide-react';
import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Menu } from '#/web/components/menu.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { zoneName } from '#/web/zones.ts';
import { weekdayText } from './day-texts.ts';
import { DayWindows } from './day-windows.tsx';
import type { PartProps } from './part-props.ts';
import { copied, switched, withDay, type TypedDay } from './week-draft.ts';

const workdays = [1, 2, 3, 4, 5];
const everyDay = [1, 2, 3, 4, 5, 6, 7];

export function WeekCard({ week, view, problems, onChange, onNews }: PartProps) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {m.availability_week()}
      </h2>
      <p className="mt-1 text-quiet">{m.availability_week_text({ zone: zoneName(week.timeZone) })}</p>
      <p className="mt-1 text-quiet">
        {view.places.length > 0 ? m.availability_places_text() : m.availability_places_none()}
      </p>
      <Link
        to="/practice"
        className="inline-flex min-h-11 items-center font-semibold text-primary hover:text-primary-strong hover:underline"
      >
        {m.availability_places_link()}
      </Link>
      <ul className="mt-1 divide-y divide-line border-y border-line">
        {week.days.map((day) => (
          <DayEntry
            key={day.weekday}
            day={day}
            week={week}
            view={view}
            problems={problems}
            onChange={onChange}
            onNews={onNews}
          />
        ))}
      </ul>
    </Card>
  );
}

function DayEntry({ day, week, view, problems, onChange, onNews }: PartProps & { day: TypedDay }) {
  const power = useRef<HTMLInputElement>(null);
  const name = weekdayText(day.weekday);
  const copyTo = (days: readonly number[], label: string) => {
    onChange(copied(week, day.weekday, days));
    onNews(m.availability_news_copied({ day: name, days: label }));
  };
  const one = everyDay.filter((weekday) => weekday !== day.weekday);
  return (
    <li className="grid items-start gap-x-2 py-1.5 xs:grid-cols-[minmax(0,1fr)_auto] lg:grid-cols-[8.75rem_minmax(0,1fr)_auto] lg:gap-x-2.5">
      <Switch
        ref={power}
        className="col-start-1 row-start-1 gap-2!"
        label={
          <>
            <span aria-hidden className="font-semibold">
              {name}
            </span>
            <VisuallyHidden>{m.availability_day_open({ day: name })}</VisuallyHidden>
          </>
        }
        checked={!day.off}
        onChange={() => {
          onChange(withDay(week, day.weekday, switched));
          onNews(day.off ? m.availability_news_on({ day: name }) : m.availability_news_off({ day: name }));
        }}
      />
      {day.off ? (
        <p className="px-2 py-2.5 xs:col-start-2 xs:row-start-1 text-quiet lg:px-0">
          {m.availability_day_off()}
        </p>
      ) : (
        <div role="group" aria-label={name} className="contents">
          <DayWindows
            inline
            windows={day.windows}
            day={name}
            places={view.places}
            problems={problems}
            onNews={onNews}
            onChange={(windows) =>
              onChange(
                withDay(week, day.weekday, (last) => ({ ...last, windows, off: windows.length === 0 })),
              )
            }
            onEmpty={() => {
              flushSync(() => onNews(m.availability_news_off({ day: name })));
              power.current?.focus();
            }}
            more={
              <Menu
                trigger={
                  <Button
                    variant="quiet"
                    size="icon"
                    aria-label={m.availability_copy_day({ day: name })}
                    title={m.availability_copy()}
                  >
                    <Copy />
                  </Button>
                }
                items={[
                  {
                    label: m.availability_copy_workdays(),
                    onSelect: () => copyTo(workdays, m.availability_copy_workdays()),
                  },
                  {
                    label: m.availability_copy_all(),
                    onSelect: () => copyTo(everyDay, m.availability_copy_all()),
                  },
                  ...one.map((weekday) => ({
                    label: weekdayText(weekday),
                    onSelect: () => copyTo([weekday], weekdayText(weekday)),
                  })),
                ]}
              />
            }
          />
        </div>
      )}
    </li>
  );
}
