import { Plus, X } from 'lucide-react';
import { useRef, type ReactNode, useId, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import type { AvailabilityView } from '../contract.ts';
import type { Problems } from './problem-texts.ts';
import { withChange, withoutWindow, withWindow, type TypedWindow } from './week-draft.ts';
import { FieldError, Select, TextInput } from '#/web/components/field.tsx';
import type { WallWindow } from '../rules.ts';
import { ordinalText } from './day-texts.ts';

/** Moves focus to the new or next field. */
export function DayWindows({
  windows,
  day,
  places,
  problems,
  more,
  onChange,
  onNews,
  onEmpty,
}: {
  windows: readonly TypedWindow[];
  day: string;
  places: AvailabilityView['places'];
  problems: Problems;
  more?: ReactNode;
  onChange: (windows: TypedWindow[]) => void;
  onNews: (news: string) => void;
  onEmpty?: () => void;
}) {
  const fields = useRef(new Map<string, HTMLInputElement>());
  const add = useRef<HTMLButtonElement>(null);
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
      <ul className="grid grid-cols-1 gap-2">
        {windows.map((window, index) => (
          <li key={window.key}>
            <WindowRow
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
      <div className="mt-1 -ml-3.5 flex flex-wrap items-center gap-x-1">
        <Button
          ref={add}
          variant="quiet"
          size="sm"
          aria-label={m.availability_add_day({ day })}
          onClick={() => {
            const next = withWindow(windows);
            flushSync(() => onChange(next));
            onNews(m.availability_news_added({ day }));
            fields.current.get(next.at(-1)!.key)?.focus();
          }}
        >
          <Plus />
          {m.availability_add()}
        </Button>
        {more}
      </div>
    </>
  );
}

function WindowRow({
  window: { from, to, placeId },
  day,
  index,
  places,
  problem,
  first,
  onChange,
  onRemove,
}: {
  window: TypedWindow;
  day: string;
  index: number;
  places: AvailabilityView['places'];
  problem: string | undefined;
  first?: Ref<HTMLInputElement>;
  onChange: (change: Partial<WallWindow>) => void;
  onRemove: () => void;
}) {
  const id = useId();
  const names = { day, ordinal: ordinalText(index) };
  const lastsAllDay = to === '24:00';
  const described = [problem ? `${id}-problem` : '', lastsAllDay ? `${id}-midnight` : ''].filter(Boolean);
  const control = {
    type: 'time',
    // Arrow keys and the dropdown step by half hours; typing allows any minute.
    step: 1800,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': described.join(' ') || undefined,
    className: 'min-w-0 flex-1 px-2.5! tabular-nums',
  } as const;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
        {/* Stacks the two times on the narrowest screens. */}
        <div className="flex min-w-0 flex-[1_1_13rem] items-center gap-2 max-[22rem]:flex-wrap">
          <TextInput
            {...control}
            ref={first}
            className={classes(control.className, 'max-[22rem]:basis-full')}
            aria-label={m.availability_window_from(names)}
            value={from}
            onChange={({ target }) => onChange({ from: target.value })}
          />
          <span aria-hidden className="text-quiet max-[22rem]:hidden">
            {m.availability_to()}
          </span>
          <TextInput
            {...control}
            aria-label={m.availability_window_to(names)}
            value={lastsAllDay ? '00:00' : to}
            onChange={({ target }) => onChange({ to: target.value === '00:00' ? '24:00' : target.value })}
          />
          <Button
            variant="quiet"
            size="icon"
            aria-label={m.availability_window_remove(names)}
            className="-mr-1.5"
            onClick={onRemove}
          >
            <X />
          </Button>
        </div>
        {places.length > 0 && (
          <div className="min-w-0 flex-[1_1_11rem] pr-12 sm:pr-0">
            <Select
              aria-label={m.availability_window_place(names)}
              value={placeId ?? ''}
              onChange={({ target }) => onChange({ placeId: target.value || null })}
            >
              <option value="">{m.availability_no_place()}</option>
              {places.map((place) => (
                <option key={place.id} value={place.id}>
                  {place.name}
                </option>
              ))}
            </Select>
          </div>
        )}
      </div>
      {lastsAllDay && (
        <p id={`${id}-midnight`} className="mt-1 text-sm text-quiet">
          {m.availability_midnight()}
        </p>
      )}
      {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
    </div>
  );
}
