import { Plus } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import type { AvailabilityView } from '../contract.ts';
import type { Problems } from './problem-texts.ts';
import { withChange, withoutWindow, withWindow, type TypedWindow } from './week-draft.ts';
import { WindowRow } from './window-row.tsx';

/** Moves focus to the new or next field. */
export function DayWindows({
  windows,
  day,
  places,
  problems,
  inline = false,
  more,
  onChange,
  onNews,
  onEmpty,
}: {
  windows: readonly TypedWindow[];
  day: string;
  places: AvailabilityView['places'];
  problems: Problems;
  /** Places windows and buttons in a day's line of the week's grid. */
  inline?: boolean;
  more?: ReactNode;
  onChange: (windows: TypedWindow[]) => void;
  onNews: (news: string) => void;
  onEmpty?: () => void;
}) {
  const fields = useRef(new Map<string, HTMLInputElement>());
  const add = useRef<HTMLButtonElement>(null);
  const hasPlaces = places.length > 0;
  const remove = ({ key }: TypedWindow, index: number) => {
    const left = withoutWindow(windows, key);
    flushSync(() => onChange(left));
    onNews(m.availability_news_removed({ day }));
    const next = left[index] ?? left.at(-1);
    if (next) fields.current.get(next.key)?.focus();
    else if (onEmpty) onEmpty();
    else add.current?.focus();
  };
  return (
    <>
      <ul
        className={
          inline
            ? 'col-span-2 row-start-2 flex flex-wrap gap-x-3 gap-y-1 lg:col-span-1 lg:col-start-2 lg:row-start-1 lg:gap-x-2'
            : 'grid grid-cols-1 gap-3'
        }
      >
        {windows.map((window, index) => (
          <li
            key={window.key}
            className={classes(inline && 'max-sm:w-full', inline && hasPlaces && 'w-full')}
          >
            <WindowRow
              inline={inline && !hasPlaces}
              window={window}
              day={day}
              index={index}
              places={places}
              problem={problems[window.key]}
              first={(field) => {
                if (field) fields.current.set(window.key, field);
                else fields.current.delete(window.key);
              }}
              onChange={(change) => onChange(withChange(windows, window.key, change))}
              onRemove={() => remove(window, index)}
            />
          </li>
        ))}
      </ul>
      <div
        className={
          inline
            ? 'col-start-2 row-start-1 flex lg:col-start-3 lg:-mr-2.5'
            : 'mt-1 -ml-3.5 flex flex-wrap gap-x-1'
        }
      >
        <Button
          ref={add}
          variant="quiet"
          size={inline ? 'icon' : 'sm'}
          title={inline ? m.availability_add() : undefined}
          aria-label={m.availability_add_day({ day })}
          onClick={() => {
            const next = withWindow(windows);
            flushSync(() => onChange(next));
            onNews(m.availability_news_added({ day }));
            fields.current.get(next.at(-1)!.key)?.focus();
          }}
        >
          <Plus />
          {!inline && m.availability_add()}
        </Button>
        {more}
      </div>
    </>
  );
}
