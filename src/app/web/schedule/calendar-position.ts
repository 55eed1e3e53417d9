import { useState } from 'react';
import { useSearchParams } from 'react-router';
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

/** Reads and changes the calendar position in the URL; `step` replaces the history entry. */
export function useCalendarPosition(): {
  place: CalendarPosition;
  go: (place: CalendarPosition) => void;
  step: (date: string) => void;
} {
  const [query, setQuery] = useSearchParams();
  const address = query.toString();
  // Key presses can outpace URL updates.
  const [ahead, setAhead] = useState<{ from: string; date: string } | null>(null);
  const named = positionIn(query);
  const place = ahead?.from === address ? { ...named, date: ahead.date } : named;
  const options = { preventScrollReset: true };
  return {
    place,
    go: (next) => setQuery(queryOf(next), options),
    step: (date) => {
      if (date === named.date) return setAhead(null);
      setAhead({ from: address, date });
      setQuery(queryOf({ view: place.view, date }), { ...options, replace: true });
    },
  };
}
