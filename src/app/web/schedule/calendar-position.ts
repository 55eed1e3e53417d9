import { useState } from 'react';
import { useLocation, useSearchParams, type Location } from 'react-router';
import { isShownDate, weekOf } from '#/features/appointments/agenda/rules.ts';

export const calendarViews = ['day', 'week', 'month'] as const;

export type CalendarView = (typeof calendarViews)[number];

export interface CalendarPosition {
  view: CalendarView;
  /** Null follows the clock. */
  date: string | null;
}

export function positionIn(query: URLSearchParams): CalendarPosition {
  const view = calendarViews.find((one) => one === query.get('view')) ?? 'week';
  const date = query.get('date');
  return { view, date: date !== null && isShownDate(date) ? date : null };
}

export function queryOf({ view, date }: CalendarPosition): string {
  return `?${new URLSearchParams({ view, ...(date ? { date } : {}) }).toString()}`;
}

/** Normalizes dates to their week or month, so each range shares one cache entry. */
export function agendaInput(span: 'week' | 'month', date: string | null) {
  if (date === null) return { span };
  return { span, date: span === 'week' ? weekOf(date)[0]! : `${date.slice(0, 7)}-01` };
}

/** Key presses outpace the URL, which then passes through dates already left. */
interface Ahead {
  date: string;
  /** Number of the last press, stored in the state of its URL. */
  step: number;
  /** Key of the URL before the first press. */
  from: string;
}

/** Reads and changes the calendar position in the URL; `step` replaces the history entry. */
export function useCalendarPosition(): {
  place: CalendarPosition;
  go: (place: CalendarPosition) => void;
  step: (date: string) => void;
} {
  const [query, setQuery] = useSearchParams();
  const { key, state } = useLocation() as Location<{ step?: number } | null>;
  const shown = state?.step ?? 0;
  const [ahead, setAhead] = useState<Ahead | null>(null);
  const isAhead = ahead !== null && (key === ahead.from || (shown > 0 && shown < ahead.step));
  if (ahead && !isAhead) setAhead(null);
  const named = positionIn(query);
  const options = { preventScrollReset: true };
  return {
    place: isAhead ? { ...named, date: ahead.date } : named,
    go: (next) => setQuery(queryOf(next), options),
    step: (date) => {
      const next = isAhead ? { ...ahead, date, step: ahead.step + 1 } : { date, step: shown + 1, from: key };
      setAhead(next);
      setQuery(queryOf({ view: named.view, date }), {
        ...options,
        replace: true,
        state: { step: next.step },
      });
    },
  };
}
