import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '#/web/api.tsx';
import type { SessionType } from '#/features/providers/contract.ts';
import type { FreeStarts } from '../appointment/contract.ts';
import { bookingHorizon } from '../diary/rules.ts';
import type { SeriesScope } from '../series/contract.ts';
import { byDate, monthAfter, spanOfMonth, wallClock } from '#/web/times.ts';

/** Months searched for a first free time. */
const monthsLookedThrough = 3;

/** Dates and months are in `zone`. */
export interface FreeTimesChoice {
  zone: string;
  /** The specialist's time zone; undefined while loading. */
  providerZone: string | undefined;
  month: string;
  firstMonth: string;
  lastMonth: string;
  today: string;
  turnTo: (month: string) => void;
  days: ReadonlyMap<string, readonly string[]>;
  ofMonth: UseQueryResult<FreeStarts, unknown>;
  date: string | null;
  chooseDate: (date: string) => void;
  /** Of the selected date; null while loading. */
  starts: readonly string[] | null;
  /** The selected time, while it's still free. */
  start: string | null;
  chooseStart: (start: string) => void;
  /** Location of the in-person session, if any. */
  place: FreeStarts['places'][number] | null;
  /** Selected, but no longer free. */
  lost: string | null;
}

interface FreeTimesOptions {
  /** No request is made while undefined. */
  providerId: string | undefined;
  durationMinutes: number;
  /** Null: times that need no location. */
  sessionType?: SessionType | null;
  zone: string;
  /** To reschedule: its time is free, but not offered, and times near it come first. */
  moving?: { id: string; startsAt: string };
  /** The rest of the series moves too, so its times count as free. */
  scope?: SeriesScope | undefined;
  /** An administrator may waive the lead time. */
  forBoth?: { notice: 'kept' | 'waived' };
  startsAt?: string | undefined;
  /** Initial date; ignored if past. */
  onDate?: string;
  /** Until a date is chosen, selects the shown month's first one with free times, from the moved appointment's on. */
  onFirstDate?: boolean;
}

/** Keeps the selection when the length changes. */
export function useFreeTimes(options: FreeTimesOptions): FreeTimesChoice {
  const { zone, moving, startsAt, onDate, onFirstDate = false } = options;
  const [now] = useState(() => Date.now());
  const today = wallClock(new Date(now).toISOString(), zone).date;
  const firstMonth = today.slice(0, 7);
  const lastMonth = wallClock(new Date(now + bookingHorizon).toISOString(), zone).date.slice(0, 7);

  const named = onDate !== undefined && onDate > today && onDate.slice(0, 7) <= lastMonth ? onDate : null;
  const begun = startsAt === undefined ? named : wallClock(startsAt, zone).date;
  const movedFrom = moving ? wallClock(moving.startsAt, zone).date : today;
  const earliest = movedFrom > today && movedFrom.slice(0, 7) <= lastMonth ? movedFrom : today;
  const [turned, setTurned] = useState(begun !== null);
  const [month, setMonth] = useState((begun ?? earliest).slice(0, 7));
  const [chosenDate, setDate] = useState<string | null>(begun);
  const [chosen, setChosen] = useState<string | null>(startsAt ?? null);

  const ofMonth = useFreeStarts(options, month);
  const current = moving?.startsAt;
  const days = useMemo(
    () =>
      byDate(
        (ofMonth.data?.starts ?? []).filter((start) => start !== current),
        zone,
      ),
    [ofMonth.data, zone, current],
  );
  const dates = [...days.keys()].filter((day) => day.startsWith(month));
  const firstDate = dates.find((day) => day >= earliest) ?? dates[0] ?? null;
  const date = chosenDate ?? (onFirstDate ? firstDate : null);
  const ofDate = useFreeStarts(options, date?.slice(0, 7) ?? month, date !== null);
  const starts = useMemo(
    () =>
      date && ofDate.data
        ? (byDate(ofDate.data.starts, zone).get(date) ?? []).filter((start) => start !== current)
        : null,
    [date, ofDate.data, zone, current],
  );

  const empty = ofMonth.isSuccess && !ofMonth.isPlaceholderData && dates.length === 0;
  if (!turned && empty && month < monthAfter(firstMonth, monthsLookedThrough - 1))
    setMonth(monthAfter(month));

  const known = starts !== null && !ofDate.isPlaceholderData;
  const gone = chosen !== null && known && !starts.includes(chosen);
  return {
    zone,
    providerZone: ofMonth.data?.timeZone,
    month,
    firstMonth,
    lastMonth,
    today,
    turnTo(next) {
      setTurned(true);
      setMonth(next);
    },
    days,
    ofMonth,
    date,
    chooseDate(next) {
      if (next !== chosenDate) setChosen(null);
      setDate(next);
    },
    starts,
    start: gone ? null : chosen,
    chooseStart(next) {
      const itsDate = wallClock(next, zone).date;
      setTurned(true);
      setMonth(itsDate.slice(0, 7));
      setDate(itsDate);
      setChosen(next);
    },
    place:
      (!gone &&
        !ofDate.isPlaceholderData &&
        ofDate.data?.places.find((one) => chosen !== null && one.starts.includes(chosen))) ||
      null,
    lost: gone ? chosen : null,
  };
}

/** Free times of a month, if `wanted`. */
function useFreeStarts(
  { providerId, durationMinutes, sessionType, moving, scope, forBoth }: FreeTimesOptions,
  month: string,
  wanted = true,
) {
  const span = spanOfMonth(month);
  const options = forBoth
    ? api.appointments.administration.freeStarts.queryOptions({
        input: { appointmentId: moving?.id ?? '', ...forBoth, ...span },
      })
    : api.appointments.freeStarts.queryOptions({
        input: {
          providerId: providerId ?? '',
          durationMinutes,
          moving: moving?.id,
          ...(scope ? { scope } : {}),
          ...(sessionType ? { sessionType } : {}),
          ...span,
        },
      });
  return useQuery({
    ...options,
    enabled: providerId !== undefined && wanted,
    // Keeps the list while the length or type changes, so that the controls below stay in place.
    placeholderData: (previous: FreeStarts | undefined, before?: { queryKey: readonly unknown[] }) =>
      before && areOfSameMonth(before.queryKey, options.queryKey) ? previous : undefined,
  });
}

type KeyWithInput = readonly [unknown, { input?: { providerId?: string; from: string } }?];

/** Whether two query keys share specialist and month. */
function areOfSameMonth(one: readonly unknown[], other: readonly unknown[]): boolean {
  const [, { input: before } = {}] = one as KeyWithInput;
  const [, { input: after } = {}] = other as KeyWithInput;
  return before?.providerId === after?.providerId && before?.from === after?.from;
}
