import { useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { hoursText } from './day-texts.ts';
import type { EditedHours } from './hours-dialog.tsx';
import type { WeekPartProps } from './problem-texts.ts';
import type { TypedWindow } from './week-draft.ts';
import {
  cellsOf,
  keyedSpan,
  midnight,
  minuteOf,
  wallTime,
  windowIn,
  withHours,
  withoutHours,
  type Cell,
  type WeekSpan,
} from './week-spans.ts';

/** The tab stop before any other cell had the focus: Monday at nine. */
const start = { day: 1, minute: 9 * 60 };

/** Handles pointers and keys in the week's grid, and tracks which cell is its tab stop. */
export function useGridActions(
  { week, view, onAct, onUndo, onNews }: WeekPartProps,
  {
    first,
    last,
    least,
    onEdit,
  }: { first: number; last: number; least: number; onEdit: (edited: EditedHours) => void },
) {
  const [at, setAt] = useState(start);
  const columns = week.days.map((day) => ({ day: day.weekday, cells: cellsOf(day, first, last) }));
  const { cells } = columns[at.day - 1]!;
  const active = cells.find(({ from, to }) => from <= at.minute && at.minute < to) ?? cells[0]!;

  const goTo = (day: number, minute: number) => {
    flushSync(() => setAt({ day, minute }));
    focusCell();
  };
  const open = (span: WeekSpan, window?: TypedWindow) => {
    const opened = withHours(week, { ...span, placeId: window?.placeId ?? null }, window?.key);
    if (!opened) {
      onNews(m.availability_hours_taken());
      return;
    }
    const found = windowIn(opened.week, opened.key)!;
    flushSync(() => {
      onAct(opened.week);
      onNews(hoursText(found.weekday, found.window, view.places));
    });
    goTo(found.weekday, minuteOf(found.window.from));
  };
  const remove = (day: number, window: TypedWindow) => {
    flushSync(() => {
      onAct(withoutHours(week, window.key));
      onNews(m.availability_news_hours_removed({ hours: hoursText(day, window, view.places) }));
    });
    goTo(day, minuteOf(window.from) || first);
  };
  const edit = (day: number, cell: Cell) => {
    if (cell.kind === 'open') {
      onEdit({ day, window: cell.window, key: cell.window.key });
      return;
    }
    const next = columns[day - 1]!.cells.find(({ kind, from }) => kind === 'open' && from >= cell.to);
    const to = Math.min(cell.from + Math.max(60, least), next?.from ?? midnight);
    onEdit({ day, window: { from: wallTime(cell.from), to: wallTime(to), placeId: null } });
  };

  const go = (cell: Cell | undefined) => cell && goTo(at.day, cell.from);
  const removeActive = () => active.kind === 'open' && remove(at.day, active.window);
  const keys: Readonly<Partial<Record<string, () => unknown>>> = {
    ArrowDown: () => go(cells[cells.indexOf(active) + 1]),
    ArrowUp: () => go(cells[cells.indexOf(active) - 1]),
    ArrowLeft: () => goTo(Math.max(at.day - 1, 1), active.from),
    ArrowRight: () => goTo(Math.min(at.day + 1, 7), active.from),
    Home: () => go(cells[0]),
    End: () => go(cells.at(-1)),
    Enter: () => edit(at.day, active),
    ' ': () => edit(at.day, active),
    Delete: removeActive,
    Backspace: removeActive,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const act = () => {
      if (ctrlKey || metaKey) {
        if (key !== 'z' || !onUndo) return false;
        flushSync(onUndo);
        focusCell();
      } else if (altKey || shiftKey) {
        const span = active.kind === 'open' && active.span && keyedSpan(event, active.span, least);
        if (!span || active.kind !== 'open') return false;
        open(span, active.window);
      } else {
        if (!keys[key]) return false;
        keys[key]();
      }
      return true;
    };
    if (act()) event.preventDefault();
  };
  return {
    columns,
    isActive: (day: number, cell: Cell) => day === at.day && cell === active,
    reach: (day: number, cell: Cell) => setAt({ day, minute: cell.from }),
    edit,
    open,
    remove,
    onKeyDown,
  };
}

/** Focuses a window's cell, or the tab stop. */
export function focusCell(key?: string): void {
  const which = key === undefined ? '[tabindex="0"]' : `[data-key="${key}"]`;
  document.querySelector<HTMLElement>(`[data-week] [role="gridcell"]${which}`)?.focus();
}
