import { Ban, Check, Plus } from 'lucide-react';
import type { MouseEvent } from 'react';
import { m } from '#/texts/messages.js';
import { timeLabel } from '#/kernel/wall-clock.ts';
import { classes } from '#/web/components/classes.ts';
import type { AgendaBlock, AgendaDay, AgendaEntry, AgendaView } from '../agenda/contract.ts';
import { holdsTime } from '../appointment/rules.ts';
import { dayItems, lanesOf, type DayItem } from '../agenda/rules.ts';
import type { DaySpan } from '#/web/day-spans.ts';
import { useSpanDrag } from '#/web/span-drag.ts';
import { plainDateText, timeText, wallClock } from '#/web/times.ts';
import { entryStatusText, offText, restName, sessionCount, spanText } from './calendar-texts.ts';

/** In rem. */
const hourHeight = 4;

/** Always drawn, even on an empty day. */
const usualHours = [8, 18] as const;

const halfHour = 30 * 60_000;

export interface CalendarActions {
  onEntry: (entry: AgendaEntry) => void;
  onBlock: (block: AgendaBlock) => void;
  /** Epoch milliseconds. */
  onFree: (start: number) => void;
  /** A session was dragged to another time. */
  onMove: (entry: AgendaEntry, to: DaySpan) => void;
  /** A span was dragged over. */
  onSpan: (span: DaySpan) => void;
}

const entryLooks: Readonly<Record<AgendaEntry['status'], string>> = {
  pending: 'border-dashed border-gold-edge bg-gold-soft text-ink',
  confirmed: 'border-primary bg-primary-soft text-ink',
  completed: 'border-sage bg-sage-soft text-ink',
  no_show: 'border-clay bg-clay-soft text-ink',
};

export function Timeline({
  days,
  view,
  now,
  acts,
}: {
  days: readonly AgendaDay[];
  view: AgendaView;
  /** Epoch milliseconds; null before hydration. */
  now: number | null;
  acts: CalendarActions;
}) {
  const { timeZone } = view;
  const columns = days.map((day) => ({ day, items: dayItems(day, view.blocks, now) }));
  const [first, last] = hoursOf(columns, timeZone);
  const hours = Array.from({ length: last - first }, (_, index) => first + index);
  const entryOf = (id: string | null) => days.flatMap(({ entries }) => entries).find((one) => one.id === id);
  const { drag, props } = useSpanDrag({
    hours: { days: days.map(({ date }) => date), first: first * 60, last: last * 60 },
    grabbed: (id) => {
      const entry = entryOf(id);
      const day = entry && days.find(({ entries }) => entries.includes(entry));
      if (!day) return undefined;
      const [starts, ends] = [Date.parse(entry.startsAt), Date.parse(entry.endsAt)];
      const from = minuteOf(starts, day, timeZone);
      return { day: day.date, from, to: from + (ends - starts) / 60_000 };
    },
    onChange: (id, to) => {
      const entry = entryOf(id);
      if (entry) acts.onMove(entry, to);
    },
    onSpan: acts.onSpan,
  });
  return (
    <div className="flex">
      <div aria-hidden className="w-18 shrink-0 pr-2 text-right text-sm text-quiet tabular-nums">
        {hours.map((hour, index) => (
          <div key={hour} className="relative" style={{ height: `${hourHeight}rem` }}>
            <span className={classes('absolute right-0', index > 0 && '-top-2.5')}>
              {minuteLabel(hour * 60)}
            </span>
          </div>
        ))}
      </div>
      <div
        {...props}
        className={classes(
          'grid flex-1 select-none',
          days.length > 1 && 'grid-cols-7',
          drag && 'cursor-grabbing *:pointer-events-none',
        )}
        style={{ height: `${(last - first) * hourHeight}rem` }}
      >
        {columns.map(({ day, items }) => (
          <Column
            key={day.date}
            day={day}
            items={items}
            view={view}
            first={first}
            last={last}
            now={now}
            wide={days.length === 1}
            dragged={drag?.span.day === day.date ? drag.span : null}
            name={entryOf(drag?.id ?? null)?.clientName ?? m.schedule_block()}
            acts={acts}
          />
        ))}
      </div>
    </div>
  );
}

function Column({
  day,
  items,
  view,
  first,
  last,
  now,
  wide,
  dragged,
  name,
  acts,
}: {
  day: AgendaDay;
  items: readonly DayItem[];
  view: AgendaView;
  first: number;
  last: number;
  now: number | null;
  wide: boolean;
  dragged: DaySpan | null;
  /** Name of the dragged entry. */
  name: string;
  acts: CalendarActions;
}) {
  const { timeZone } = view;
  const positionOf = (from: number, to: number) => ({
    top: `${((from - first * 60) / 60) * hourHeight}rem`,
    height: `${((to - from) / 60) * hourHeight}rem`,
  });
  const place = (start: number, end: number) => {
    const from = Math.max(minuteOf(start, day, timeZone), first * 60);
    const to = Math.min(Math.max(minuteOf(end, day, timeZone), from + 15), last * 60);
    return positionOf(from, to);
  };
  const sessions = items.filter(({ kind }) => kind === 'session');
  const lanes = lanesOf(sessions);
  const isToday = now !== null && now >= Date.parse(day.startsAt) && now < Date.parse(day.endsAt);
  const minute = isToday ? minuteOf(now, day, timeZone) : -1;
  return (
    <div className="relative border-l border-line bg-sunken last:border-r">
      {day.open.map(({ startsAt, endsAt }) => (
        <div
          key={startsAt}
          className="absolute inset-x-0 bg-card"
          style={place(Date.parse(startsAt), Date.parse(endsAt))}
        />
      ))}
      {Array.from({ length: last - first }, (_, index) => (
        <div
          key={index}
          className={classes('pointer-events-none absolute inset-x-0 border-line', index > 0 && 'border-t')}
          style={{ top: `${index * hourHeight}rem` }}
        />
      ))}
      <ol aria-label={plainDateText(day.date)}>
        {day.off && (
          <li className="absolute inset-x-1 top-1 rounded-control bg-wheat px-2 py-1 text-sm font-medium text-on-wheat">
            {offText(day.off)}
          </li>
        )}
        {sessionCount(day) === 0 && <li className="sr-only">{m.schedule_day_empty()}</li>}
        {items.map((item) => (
          <li
            key={keyOf(item)}
            className="absolute inset-x-0 has-focus-visible:z-10"
            style={{ ...place(item.start, item.end), ...laneOf(item, sessions, lanes) }}
          >
            <Item item={item} day={day} view={view} now={now} wide={wide} acts={acts} />
          </li>
        ))}
      </ol>
      {dragged && (
        <div
          aria-hidden
          className="absolute inset-x-0.5 z-20 overflow-hidden rounded-control border-2 border-primary bg-primary-soft px-2 py-0.5 text-sm leading-4.5 text-ink shadow-soft"
          style={positionOf(dragged.from, dragged.to)}
        >
          <span className="block tabular-nums">
            {minuteLabel(dragged.from)} – {minuteLabel(dragged.to)}
          </span>
          <span className="block truncate font-semibold">{name}</span>
        </div>
      )}
      {minute >= first * 60 && minute < last * 60 && (
        <div
          aria-hidden
          data-now
          className="pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-clay"
          style={{ top: positionOf(minute, minute).top }}
        />
      )}
    </div>
  );
}

function Item({
  item,
  day,
  view,
  now,
  wide,
  acts,
}: {
  item: DayItem;
  day: AgendaDay;
  view: AgendaView;
  now: number | null;
  wide: boolean;
  acts: CalendarActions;
}) {
  const { timeZone } = view;
  const span = spanText(item.start, item.end, timeZone);
  if (item.kind === 'rest') {
    return (
      <div className="size-full bg-dusk px-2 py-1 text-sm font-medium text-on-dusk">
        {restName(view)}
        <span className="sr-only"> {span}</span>
      </div>
    );
  }
  if (item.kind === 'free') {
    const free = {
      from: instantLabel(item.start, timeZone),
      to: instantLabel(item.end, timeZone),
      date: plainDateText(day.date),
    };
    return (
      <button
        type="button"
        data-free
        aria-label={m.schedule_free_book(free)}
        onClick={(event) => acts.onFree(pressedTime(event, item))}
        className="group size-full rounded-control p-1 text-left text-sm text-sage hover:bg-sage-soft focus-visible:-outline-offset-3"
      >
        <span className="flex h-full items-start gap-1 rounded border border-dashed border-transparent px-1 opacity-0 group-hover:border-sage group-hover:opacity-100 group-focus-visible:opacity-100">
          <Plus className="mt-0.5 size-4 shrink-0" />
          {m.schedule_free()}
        </span>
      </button>
    );
  }
  if (item.kind === 'block') {
    return (
      <button
        type="button"
        onClick={() => acts.onBlock(item.block)}
        className="flex size-full items-start gap-1.5 overflow-hidden border-l-4 border-control bg-line px-2 py-1 text-left text-sm text-ink hover:border-ink focus-visible:-outline-offset-3"
      >
        <Ban aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">
          <span className="block truncate font-medium">{item.block.note || m.schedule_blocked()}</span>
          <span className="sr-only">{item.block.note && `${m.schedule_blocked()} `}</span>
          <span className={wide ? 'block text-quiet' : 'sr-only'}>{span}</span>
        </span>
      </button>
    );
  }
  const { entry } = item;
  const short = item.end - item.start < 45 * 60_000;
  const movable = now !== null && item.start > now && holdsTime(entry.status);
  return (
    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- its text is the session's own
    <button
      type="button"
      data-grab={movable ? entry.id : undefined}
      onClick={() => acts.onEntry(entry)}
      className={classes(
        'flex size-full items-start overflow-hidden rounded-control border border-l-4 px-2 text-left text-sm leading-4.5 shadow-soft hover:brightness-97 focus-visible:outline-offset-0',
        !short && 'py-1',
        entryLooks[entry.status],
      )}
    >
      <span className={classes('w-full min-w-0', (wide || short) && 'flex flex-wrap gap-x-2')}>
        <span className={classes('tabular-nums', !short && 'block')}>
          {wide ? span : instantLabel(item.start, timeZone)}
          {!wide && <span className="sr-only"> – {instantLabel(item.end, timeZone)}</span>}
        </span>
        <span className="block truncate font-semibold">
          {entry.status === 'completed' && <Check aria-hidden className="mr-1 inline size-4" />}
          {entry.clientName}
        </span>
        <span className={classes('truncate', wide ? 'text-ink' : 'block', short && !wide && 'sr-only')}>
          {entry.service}
        </span>
        <span className={wide ? 'font-medium' : 'sr-only'}>
          {entryStatusText(entry)}
          {entry.kind === 'emergency' && `, ${m.booking_kind_emergency()}`}
        </span>
      </span>
    </button>
  );
}

/** Returns the pressed half hour; keyboard presses (`detail` 0) use the block's start. */
function pressedTime(event: MouseEvent<HTMLElement>, { start, end }: { start: number; end: number }): number {
  if (event.detail === 0) return start;
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const into = ((event.clientY - top) / height) * (end - start);
  // Rounds up: blocks can start at quarter hours.
  const first = Math.ceil(start / halfHour) * halfHour;
  const pressed = start + Math.floor(into / halfHour) * halfHour;
  return pressed <= start
    ? start
    : Math.min(Math.max(Math.floor(pressed / halfHour) * halfHour, first), end - halfHour);
}

function instantLabel(instant: number, timeZone: string): string {
  return timeText(new Date(instant).toISOString(), timeZone);
}

function minuteLabel(minute: number): string {
  return timeLabel(Math.floor(minute / 60) % 24, minute % 60).replace(/^0/, '');
}

/** Minutes since local midnight, clamped to 0–1440. */
function minuteOf(instant: number, { date }: AgendaDay, timeZone: string): number {
  const shown = wallClock(instant, timeZone);
  if (shown.date !== date) return shown.date < date ? 0 : 24 * 60;
  return shown.hour * 60 + shown.minute;
}

function hoursOf(
  columns: readonly { day: AgendaDay; items: readonly DayItem[] }[],
  timeZone: string,
): [first: number, last: number] {
  const minutes = columns.flatMap(({ day, items }) =>
    [
      ...items.filter(({ kind }) => kind === 'session'),
      ...day.open.map(({ startsAt, endsAt }) => ({ start: Date.parse(startsAt), end: Date.parse(endsAt) })),
    ].flatMap(({ start, end }) => [minuteOf(start, day, timeZone), minuteOf(end, day, timeZone)]),
  );
  return [
    Math.floor(Math.min(usualHours[0] * 60, ...minutes) / 60),
    Math.ceil(Math.max(usualHours[1] * 60, ...minutes) / 60),
  ];
}

function laneOf(
  item: DayItem,
  sessions: readonly DayItem[],
  lanes: readonly { lane: number; lanes: number }[],
): { left?: string; right?: string } {
  const found = lanes[sessions.indexOf(item)];
  if (!found) return {};
  const share = 100 / found.lanes;
  return {
    left: `calc(${found.lane * share}% + 2px)`,
    right: `calc(${100 - (found.lane + 1) * share}% + 2px)`,
  };
}

function keyOf(item: DayItem): string {
  if (item.kind === 'session') return item.entry.id;
  return `${item.kind} ${item.start}`;
}
