import { X } from 'lucide-react';
import { useId, useState, type CSSProperties } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { FieldError } from '#/web/components/field.tsx';
import { step } from '#/web/day-spans.ts';
import { useSpanDrag } from '#/web/span-drag.ts';
import type { AvailabilityView } from '../contract.ts';
import { shortestOf } from '../week/rules.ts';
import { clockText, hoursText, hourText, weekdayText } from './day-texts.ts';
import type { EditedHours } from './hours-dialog.tsx';
import type { WeekPartProps } from './problem-texts.ts';
import { draftOf, type TypedWeek } from './week-draft.ts';
import { useGridActions } from './week-grid-actions.ts';
import { midnight, spanOf, wallTime, windowIn, type Cell } from './week-spans.ts';

/** In rem. */
const hourHeight = 2.5;

/** Drawn even in an empty week; in minutes since midnight. */
const usualHours = [8 * 60, 18 * 60] as const;

/** The week to draw hours in: a column per day. Its cells are one tab stop. */
export function WeekGrid({ onEdit, ...props }: WeekPartProps & { onEdit: (edited: EditedHours) => void }) {
  const { week, view, problems } = props;
  const id = useId();
  const { first, last, toggle } = useDrawnHours(week);
  const least = leastOf(week, view);
  const acts = useGridActions(props, { first, last, least, onEdit });
  const { drag, props: dragProps } = useSpanDrag<number>({
    hours: { days: acts.columns.map(({ day }) => day), first, last },
    least,
    grabbed: (key) => windowIn(week, key)?.span ?? undefined,
    onChange: (key, to) => acts.open(to, windowIn(week, key)?.window),
    onSpan: (span) => acts.open(span),
  });
  const positionOf = ({ from, to }: { from: number; to: number }) => ({
    top: `${((from - first) / 60) * hourHeight}rem`,
    height: `${((to - from) / 60) * hourHeight}rem`,
  });
  const hours = Array.from({ length: (last - first) / 60 }, (_, index) => first + index * 60);
  return (
    <div className="group/grid">
      <div className="flex">
        <HourLabels hours={hours} />
        <div
          {...dragProps}
          data-week
          role="grid"
          tabIndex={-1}
          aria-label={m.availability_week()}
          aria-describedby={`${id}-keys`}
          onKeyDown={acts.onKeyDown}
          className={classes(
            'grid flex-1 grid-cols-7 outline-none select-none',
            drag && (drag.edge ? 'cursor-ns-resize' : 'cursor-grabbing'),
            drag && '*:pointer-events-none',
          )}
          style={{ height: `${hours.length * hourHeight}rem` }}
        >
          {acts.columns.map(({ day, cells }) => (
            <div
              key={day}
              role="row"
              aria-label={weekdayText(day)}
              className="relative border-l border-line bg-sunken last:border-r"
            >
              {hours.slice(1).map((hour) => (
                <div
                  key={hour}
                  className="pointer-events-none absolute inset-x-0 border-t border-line"
                  style={{ top: positionOf({ from: hour, to: hour }).top }}
                />
              ))}
              {cells.map((cell) => {
                const shared = {
                  isActive: acts.isActive(day, cell),
                  style: positionOf(cell),
                  onFocus: () => acts.reach(day, cell),
                  onOpen: () => acts.edit(day, cell),
                };
                if (cell.kind === 'free')
                  return <FreeCell key={`free ${cell.from}`} name={freeName(day, cell)} {...shared} />;
                const { key } = cell.window;
                return (
                  <OpenCell
                    key={key}
                    cell={cell}
                    name={hoursText(day, cell.window, view.places)}
                    place={view.places.find((place) => place.id === cell.window.placeId)?.name}
                    problemId={problems[key] && `${id}-${key}`}
                    isDragged={drag?.id === key}
                    onRemove={() => acts.remove(day, cell.window)}
                    {...shared}
                  />
                );
              })}
              {drag?.span.day === day && (
                <div
                  aria-hidden
                  className="absolute inset-x-0.5 z-20 overflow-hidden rounded-control border-2 border-primary bg-primary-soft px-1.5 py-0.5 text-sm leading-4.5 text-ink tabular-nums shadow-soft"
                  style={positionOf(drag.span)}
                >
                  <Times from={wallTime(drag.span.from)} to={wallTime(drag.span.to)} />
                </div>
              )}
            </div>
          ))}
        </div>
      </div>
      <WindowProblems id={id} week={week} view={view} problems={problems} />
      <div className="mt-1 flex items-start justify-between gap-x-4 pl-13 text-sm text-quiet">
        <p className="py-3 group-has-[[role=gridcell]:focus-visible]/grid:hidden">
          <span className="pointer-coarse:hidden">{m.availability_grid_hint()}</span>
          <span className="not-pointer-coarse:hidden">{m.availability_grid_hint_touch()}</span>
        </p>
        <p id={`${id}-keys`} className="hidden py-3 group-has-[[role=gridcell]:focus-visible]/grid:block">
          {m.availability_grid_keys()}
        </p>
        {toggle && (
          <Button variant="quiet" size="sm" className="-mr-3.5 shrink-0" onClick={toggle}>
            {last - first === midnight ? m.availability_hours_fewer() : m.availability_hours_all()}
          </Button>
        )}
      </div>
    </div>
  );
}

function HourLabels({ hours }: { hours: readonly number[] }) {
  return (
    <div aria-hidden className="w-13 shrink-0 pr-2 text-right text-sm text-quiet tabular-nums">
      {hours.map((hour, index) => (
        <div key={hour} className="relative" style={{ height: `${hourHeight}rem` }}>
          <span className={classes('absolute right-0 whitespace-nowrap', index > 0 && '-top-2.5')}>
            {hourText(wallTime(hour))}
          </span>
        </div>
      ))}
    </div>
  );
}

/** Lists window errors below the grid, whose cells are too small. */
function WindowProblems({
  id,
  week,
  view,
  problems,
}: { id: string } & Pick<WeekPartProps, 'week' | 'view' | 'problems'>) {
  const wrong = week.days.flatMap(({ weekday, windows }) =>
    windows.flatMap((window) => {
      const problem = problems[window.key];
      return problem === undefined ? [] : [{ weekday, window, problem }];
    }),
  );
  if (wrong.length === 0) return null;
  return (
    <ul className="pl-13">
      {wrong.map(({ weekday, window, problem }) => (
        <li key={window.key}>
          <FieldError id={`${id}-${window.key}`}>
            <span className="font-semibold">{hoursText(weekday, window, view.places)}.</span> {problem}
          </FieldError>
        </li>
      ))}
    </ul>
  );
}

interface CellProps {
  name: string;
  isActive: boolean;
  style: CSSProperties;
  onFocus: () => void;
  onOpen: () => void;
}

function FreeCell({ name, isActive, style, onFocus, onOpen }: CellProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the grid's
    <div
      role="gridcell"
      data-free
      tabIndex={isActive ? 0 : -1}
      aria-label={name}
      style={style}
      onFocus={onFocus}
      onClick={onOpen}
      className="absolute inset-x-0 cursor-cell hover:bg-sage-soft focus-visible:z-10 focus-visible:-outline-offset-3"
    />
  );
}

function OpenCell({
  cell: { window, span },
  name,
  place,
  problemId,
  isActive,
  isDragged,
  style,
  onFocus,
  onOpen,
  onRemove,
}: CellProps & {
  cell: Extract<Cell, { kind: 'open' }>;
  place: string | undefined;
  problemId: string | undefined;
  isDragged: boolean;
  onRemove: () => void;
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are the grid's
    <div
      role="gridcell"
      data-key={window.key}
      data-grab={span ? window.key : undefined}
      tabIndex={isActive ? 0 : -1}
      aria-label={name}
      aria-invalid={problemId ? true : undefined}
      aria-describedby={problemId}
      style={style}
      onFocus={onFocus}
      onClick={onOpen}
      className={classes(
        'group absolute inset-x-0.5 cursor-grab overflow-hidden rounded-control border border-l-4 border-sage bg-sage-soft px-1.5 py-0.5 text-sm leading-4.5 text-ink tabular-nums',
        'focus-visible:z-10 focus-visible:outline-offset-0 aria-invalid:border-clay aria-invalid:bg-clay-soft',
        isDragged && 'opacity-40',
      )}
    >
      <Times from={window.from} to={window.to} />
      {place && <span className="block truncate text-quiet">{place}</span>}
      <Edge edge="from" />
      <Edge edge="to" />
      <button
        type="button"
        tabIndex={-1}
        aria-label={m.availability_hours_remove({ hours: name })}
        onClick={(event) => {
          event.stopPropagation();
          onRemove();
        }}
        className="absolute top-0 right-0 hidden size-6 cursor-pointer place-items-center rounded-control bg-sage-soft text-quiet group-hover:grid hover:text-clay"
      >
        <X className="size-4" />
      </button>
    </div>
  );
}

/** Breaks the line between the times only. */
function Times({ from, to }: { from: string; to: string }) {
  const unbroken = (time: string) => clockText(time).replace(' ', '\u00A0');
  return (
    <span aria-hidden className="block">
      {from && to ? m.schedule_span({ from: unbroken(from), to: unbroken(to) }) : '–'}
    </span>
  );
}

function Edge({ edge }: { edge: 'from' | 'to' }) {
  return (
    <span
      data-edge={edge}
      className={classes(
        'absolute inset-x-0 h-2 max-h-1/3 cursor-ns-resize',
        edge === 'from' ? 'top-0' : 'bottom-0',
      )}
    />
  );
}

function freeName(day: number, { from, to }: Cell): string {
  return m.availability_hours_closed({
    day: weekdayText(day),
    from: clockText(wallTime(from)),
    to: clockText(wallTime(to)),
  });
}

/** Draws an hour more on both sides of the week's hours. Never shrinks by itself: the grid would jump. */
function useDrawnHours(week: TypedWeek) {
  const needed = hoursAround(week);
  const [reached, setReached] = useState(needed);
  const drawn = {
    first: Math.min(needed.first, reached.first),
    last: Math.max(needed.last, reached.last),
  };
  if (drawn.first < reached.first || drawn.last > reached.last) setReached(drawn);
  const whole = { first: 0, last: midnight };
  const isWhole = ({ first, last }: typeof whole) => last - first === midnight;
  const toggle = () => setReached(isWhole(drawn) ? needed : whole);
  return { ...drawn, toggle: isWhole(needed) ? null : toggle };
}

function hoursAround({ days }: TypedWeek): { first: number; last: number } {
  const spans = days.flatMap(({ weekday, off, windows }) =>
    off ? [] : windows.flatMap((window) => spanOf(weekday, window) ?? []),
  );
  const first = Math.min(usualHours[0], ...spans.map(({ from }) => Math.floor(from / 60 - 1) * 60));
  const last = Math.max(usualHours[1], ...spans.map(({ to }) => Math.ceil(to / 60 + 1) * 60));
  return { first: Math.max(first, 0), last: Math.min(last, midnight) };
}

/** The shortest hours to draw: long enough for the shortest session. */
function leastOf(week: TypedWeek, { site }: AvailabilityView): number {
  const { sessionLengths } = draftOf(week).draft.terms;
  if (sessionLengths?.length === 0) return step;
  return Math.ceil(shortestOf(sessionLengths, site.sessionLengths) / step) * step;
}
